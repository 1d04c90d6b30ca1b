import NewsCore

/// Two lines for each item: its title with the feed's text, and the text from the page.
struct ArticlePreviewPresenter: Presenting {
  typealias ViewModel = ArticlePreviewViewModel

  /// Maximum number of characters shown of a text.
  private static let shown = 160

  func present(_ entries: [ArticlePreview.Entry]) -> Container<ArticlePreviewViewModel> {
    .ready(ArticlePreviewViewModel(lines: entries.flatMap(lines)))
  }

  private func lines(_ entry: ArticlePreview.Entry) -> [RecordLine<ArticlePreview.Entry>] {
    let job = entry.job
    let title = job.title.isEmpty ? job.url : job.title
    let after: String =
      switch entry.outcome {
      case .fetched(_, let text): "after:  \(Self.summary(text))"
      case .unchanged: "after:  unchanged"
      case .refused(let reason): "after:  the feed's text stays: \(reason)"
      }
    return [
      RecordLine(
        record: entry,
        text: DisplayText(line: "\(job.itemID.rawValue)  \(title)"),
        note: DisplayText(line: "before: \(Self.summary(job.feedText))")
      ),
      RecordLine(record: entry, text: DisplayText(line: "    \(after)")),
    ]
  }

  /// The length of a text and its beginning.
  private static func summary(_ text: String) -> String {
    let length = text.unicodeScalars.count
    guard length > 0 else { return "no text" }
    var start = String.UnicodeScalarView()
    start.append(contentsOf: text.unicodeScalars.prefix(shown).map { $0.value < 0x20 ? " " : $0 })
    return "\(length) characters: \(String(start))\(length > shown ? "…" : "")"
  }
}
