import NewsCore

/// Turns a number that the user types into the item shown under it.
enum HeadlineSelection {
  /// Ordinals count through all pages, as lists print them; numbers below the page's first count within the page.
  ///
  /// - Throws: A usage error that says how many there are.
  static func open(_ ordinal: Int, on page: PageInfo?, in items: [ItemMatch]) throws(UserMessage) -> Route {
    let first = page?.first ?? 1
    let index = ordinal >= first ? ordinal - first : ordinal - 1
    guard items.indices.contains(index) else {
      let total = page?.total ?? 0
      let shown =
        if !items.isEmpty {
          "the items shown are \(first) to \(first + items.count - 1)"
        } else {
          total > 0 ? "the list has \(total)" : "nothing is shown"
        }
      throw UserMessage(code: .usage, text: "No item \(ordinal) to open: \(shown).")
    }
    return .items([items[index].item.id])
  }
}
