import NewsSearch
import Modules
import NewsCore
import NewsToolbox

/// Reads the options of an invocation as parts of a `Route`.
struct RouteReading {
  let invocation: Invocation
  let now: Timestamp
  /// True: results are text for people.
  let isText: Bool

  func filter() throws -> ItemFilter {
    ItemFilter(
      feeds: invocation.values("feed"),
      folders: invocation.values("folder"),
      labels: invocation.values("label"),
      isRead: invocation.has("unread") ? false : nil,
      isStarred: invocation.has("starred") ? true : nil,
      since: try time("since"),
      until: try time("until"),
      storedSince: try time("stored-since")
    )
  }

  /// Combines the filters of the options and `text` into one query that can be saved. Relative times such as
  /// `2d` stay relative.
  func query(and text: String) throws -> String {
    _ = try filter()
    var parts: [String] = []
    func add(_ field: String, _ values: [String]) {
      let terms = values.map { "\(field):\(QueryWord.quoted($0))" }
      guard let first = terms.first else { return }
      parts.append(terms.count == 1 ? first : "(\(terms.joined(separator: " OR ")))")
    }
    add("feed", invocation.values("feed"))
    add("folder", invocation.values("folder"))
    add("label", invocation.values("label"))
    if invocation.has("unread") { parts.append("is:unread") }
    if invocation.has("starred") { parts.append("is:starred") }
    add("since", invocation.values("since"))
    add("until", invocation.values("until"))
    add("stored", invocation.values("stored-since"))
    if let order = try invocation.choice("sort", of: ItemOrder.self) {
      parts.append("sort:\(order.rawValue)")
    }
    guard !parts.isEmpty else { return text }
    let words = text.contains(bytesOf: " OR ") ? "(\(text))" : text
    return ([words] + parts).joined(separator: " ")
  }

  func time(_ option: String) throws(UsageError) -> Timestamp? {
    guard let text = invocation.value(option) else { return nil }
    guard let time = TimeExpression.parse(text, now: now) else {
      throw UsageError(
        "--\(option) takes a time such as \(TimeExpression.examples), not '\(text)'"
      )
    }
    return time
  }

  /// The list that the options describe. By default text shows pages and other formats show everything; `-n`,
  /// `--page` and `--cursor` override this.
  func list(order: ItemOrder) throws -> ListRoute {
    // Scripts may pass a huge number for "all": clamp it, so that offsets do not overflow.
    let limit = try invocation.integer("limit").map { min($0, ListRoute.largestPage) }
    let page = try invocation.integer("page", in: 1...ListRoute.largestPage)
    let extent: ListRoute.Extent =
      if limit == 0 {
        .all
      } else if let limit {
        .page(page ?? 1, size: limit)
      } else if invocation.has("cursor") {
        .all
      } else if isText || page != nil {
        .page(page ?? 1, size: ListRoute.pageSize)
      } else {
        .all
      }
    let order = try invocation.choice("sort", of: ItemOrder.self) ?? order
    let before = try invocation.value("before").map { try NewsItem.ID(typed: $0) }
    if before != nil, order == .relevance {
      throw UsageError("--before has no effect with --sort relevance; use --page")
    }
    if limit == 0, page != nil { throw UsageError("--page has no effect with -n 0, which shows everything") }
    return ListRoute(
      filter: try filter(),
      order: order,
      extent: extent,
      foldsStories: invocation.has("cluster"),
      continuing: before
    )
  }
}

extension NewsItem.ID {
  init(typed text: String) throws(UsageError) {
    guard let number = Int64(text), number > 0 else {
      throw UsageError("an item's ID is a whole number, as 'newsd list' prints it, not '\(text)'")
    }
    self.init(rawValue: number)
  }
}
