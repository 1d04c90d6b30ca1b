import NewsStoresShared
import NewsSearch
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

  /// Returns the item with this key. Returns nil if the item was removed since the key was read, or if the store is
  /// damaged.
  func match(_ key: ItemKey, _ folded: Int) throws(StoreError) -> ItemMatch? {
    guard let item = try reader.item(key) else { return nil }
    return ItemMatch(item, folded: folded, highlighter, request.parts)
  }
}
