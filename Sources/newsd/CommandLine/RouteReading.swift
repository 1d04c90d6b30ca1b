import Modules
import NewsCore

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

  /// The filters of the options and `text` as one query, to be kept: spans such as `2d` stay spans.
  func query(and text: String) throws -> String {
    _ = try filter()
    var parts: [String] = []
    func add(_ field: String, _ value: String?) {
      guard let value else { return }
      let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      let isPlain = value.allSatisfy { $0.isLetter || $0.isNumber || "-./_".contains($0) } && !value.isEmpty
      parts.append("\(field):" + (isPlain ? value : "\"\(escaped)\""))
    }
    add("feed", invocation.value("feed"))
    add("folder", invocation.value("folder"))
    if invocation.has("unread") { parts.append("is:unread") }
    if invocation.has("starred") { parts.append("is:starred") }
    add("since", invocation.value("since"))
    add("until", invocation.value("until"))
    if let order = try invocation.choice("sort", of: ItemOrder.self) {
      parts.append("sort:\(order.rawValue)")
    }
    guard !parts.isEmpty else { return text }
    let words = text.contains(" OR ") ? "(\(text))" : text
    return ([words] + parts).joined(separator: " ")
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
    // Scripts say "all" with the largest number that they know; places in a list are reckoned with.
    let limit = try invocation.integer("limit").map { min($0, ListRoute.largestPage) }
    let page = try invocation.integer("page", in: 1...ListRoute.largestPage)
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
