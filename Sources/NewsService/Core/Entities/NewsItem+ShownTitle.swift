extension NewsItem {
  /// Maximum number of Unicode scalars of a stand-in for a title.
  private static let standInLength = 300

  /// The title; of an item without one, the beginning of its summary or text, else its URL or guid. It is one line and
  /// never empty, because some clients fail at items without a title.
  ///
  /// The item must have been read with `ItemParts.headlineText` or with its text.
  public var shownTitle: String {
    if Self.isVisible(title) { return title }
    return [summary ?? "", contentText, url ?? "", guid].lazy.map { Self.line($0) }.first(
      where: Self.isVisible
    )
      ?? "(untitled)"
  }

  private static func isVisible(_ text: String) -> Bool {
    text.unicodeScalars.contains {
      !$0.properties.isWhitespace && ![.control, .format].contains($0.properties.generalCategory)
    }
  }

  /// The beginning of a text with each run of white space as one space.
  private static func line(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    var isPending = false
    var count = 0
    for scalar in text.unicodeScalars {
      guard !scalar.properties.isWhitespace else {
        isPending = !line.isEmpty
        continue
      }
      if isPending { line.append(" ") }
      isPending = false
      line.append(scalar)
      count += 1
      if count == standInLength { break }
    }
    return String(line)
  }
}
