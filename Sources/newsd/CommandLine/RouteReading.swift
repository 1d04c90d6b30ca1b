import Modules
import NewsService

/// The options of an invocation as parts of a `Route`.
struct RouteReading {
  let invocation: Invocation
  let now: Timestamp

  func filter() throws -> ItemFilter {
    ItemFilter(
      feed: invocation.value("feed"),
      folder: invocation.value("folder"),
      isRead: invocation.has("unread") ? false : nil,
      isStarred: invocation.has("starred") ? true : nil,
      since: try time("since"),
      until: try time("until")
    )
  }

  func time(_ option: String) throws(UsageError) -> Timestamp? {
    guard let text = invocation.value(option) else { return nil }
    guard let time = TimeExpression.parse(text, now: now) else {
      throw UsageError(
        "--\(option) takes a date (2026-11-20), an RFC 3339 time or an age (3d, 12h), not '\(text)'"
      )
    }
    return time
  }

  /// The list that the options describe: pages for people, everything for machines, unless `-n` says otherwise.
  func list(isText: Bool, order: ItemOrder) throws -> ListRoute {
    let limit = try invocation.integer("limit")
    let page = try invocation.integer("page", in: 1...1_000_000_000)
    let extent: ListRoute.Extent =
      if limit == 0 {
        .all
      } else if let limit {
        .page(page ?? 1, size: limit)
      } else if isText || page != nil {
        .page(page ?? 1, size: ListRoute.pageSize)
      } else {
        .all
      }
    if limit == 0, page != nil { throw UsageError("--page has no meaning with -n 0, which shows everything") }
    return ListRoute(
      filter: try filter(),
      order: try invocation.choice("sort", of: ItemOrder.self) ?? order,
      extent: extent,
      foldsClusters: invocation.has("cluster")
    )
  }
}
