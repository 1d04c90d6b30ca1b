import NewsService

/// Finds what a user points at in a list of headlines.
enum HeadlineSelection {
  /// Ordinals count through all pages, as lists print them; numbers below the page's first count within the page.
  static func open(_ ordinal: Int, first: Int, in items: [ItemMatch]) throws(UserMessage) -> Route {
    let index = ordinal >= first ? ordinal - first : ordinal - 1
    guard items.indices.contains(index) else {
      let shown =
        items.isEmpty ? "nothing is shown" : "the items shown are \(first) to \(first + items.count - 1)"
      throw UserMessage(code: .usage, text: "No item \(ordinal) to open: \(shown).")
    }
    return .item(items[index].item.id)
  }
}
