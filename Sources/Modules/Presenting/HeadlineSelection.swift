import NewsCore

/// Resolves a number typed by the user to the item with that number in the list.
enum HeadlineSelection {
  /// Returns the route to an item by its ordinal. Ordinals count across pages, as lists print them. A number
  /// below the page's first ordinal counts within the page. Throws a usage error that states the valid
  /// numbers.
  static func route(to ordinal: Int, on page: PageInfo?, in items: [ItemMatch]) throws(UserMessage) -> Route {
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
