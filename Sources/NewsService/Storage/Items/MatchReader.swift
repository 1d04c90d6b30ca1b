import NewsCore

/// Reads the items of a selection, with excerpts if requested.
struct MatchReader {
  private let request: ItemRequest
  private let reader: ItemReader
  private let highlighter: MatchHighlighter?

  init(_ selection: Selection, _ connection: Connection) {
    request = selection.request
    reader = ItemReader(connection, parts: request.parts)
    highlighter = request.parts.contains(.excerpt) ? MatchHighlighter(request.query) : nil
  }

  /// Returns nil if the key has no item: it was removed since the key was read, or the store is damaged.
  func match(_ key: ItemKey, _ folded: Int) throws(StoreError) -> ItemMatch? {
    guard let item = try reader.item(key) else { return nil }
    return ItemMatch(item, folded: folded, highlighter, request.parts)
  }
}
