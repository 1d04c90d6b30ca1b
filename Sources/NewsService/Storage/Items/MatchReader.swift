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
    guard var item = try reader.item(key) else { return nil }
    var match = ItemMatch(item: item, folded: folded)
    guard let highlighter else { return match }
    match.title = highlighter.title(item.title)
    match.excerpt = highlighter.excerpt(item.contentText)
    if !request.parts.contains(.contentText) {
      let needsHeadlineText = request.parts.contains(.headlineText) && item.title.isEmpty
      let kept = item.contentText.unicodeScalars.prefix(needsHeadlineText ? ItemReader.standInLength : 0)
      item.contentText = String(String.UnicodeScalarView(kept))
      match.item = item
    }
    return match
  }
}
