public import NewsCore

/// Formats items as lines of a list.
struct HeadlinePresenter: Hashable, Sendable {
  var times: TimeDisplay

  /// The note below an empty list when there are no subscriptions.
  static let noFeeds: StaticString =
    "no subscriptions yet: 'newsd feeds add URL' adds one, 'newsd feeds import FILE' a list"

  /// The lines of items with consecutive ordinals.
  func lines(_ items: [ItemMatch], first: Int) -> [HeadlineLine] {
    items.enumerated().map { line($1, ordinal: first + $0) }
  }

  func line(_ match: ItemMatch, ordinal: Int) -> HeadlineLine {
    let item = match.item
    let time = item.sortTime
    let shown = times.showsAges ? times.age(time) : times.dateAndTime(time)
    return HeadlineLine(
      ordinal: ordinal,
      id: item.id,
      isUnread: !item.isRead,
      isStarred: item.isStarred,
      sortTime: time,
      time: DisplayText(line: shown),
      feedID: item.feedID,
      feed: DisplayText(line: item.shownFeed),
      title: title(match),
      language: item.language,
      url: item.url,
      excerpt: runs(match.excerpt),
      preview: preview(item),
      picture: item.image,
      folded: match.folded,
      labels: item.labels.map { DisplayText(line: $0) }
    )
  }

  private func title(_ match: ItemMatch) -> [DisplayRun] {
    let marked = runs(match.title)
    if !marked.isEmpty { return marked }
    let title = String(String.UnicodeScalarView(match.item.shownTitle.unicodeScalars.prefix(300)))
    return [DisplayRun(text: DisplayText(line: title).trimmed, isMatch: false)]
  }

  /// The first characters of the summary or text that the item was read with; empty if the title shows them.
  private func preview(_ item: NewsItem) -> DisplayText {
    guard !item.title.isEmpty else { return DisplayText("") }
    let summary = item.summary ?? ""
    let text = Self.text(summary.isEmpty ? item.contentText : summary, after: item.title)
    return DisplayText(line: String(String.UnicodeScalarView(text.prefix(280)))).trimmed
  }

  private static let ends: Set<Unicode.Scalar> = [
    ".", ":", "!", "?", "…", "–", "—", "|", "。", "！", "？", "：", "\n", "\r",
  ]

  /// Removes the title from the beginning of the text. Keeps it if its last word continues there, or if it begins a longer
  /// sentence.
  private static func text(_ text: String, after title: String) -> Substring.UnicodeScalarView {
    let whole = Substring(text).unicodeScalars.drop(while: \.properties.isWhitespace)
    let title = title.unicodeScalars
    guard let last = title.last, whole.starts(with: title) else { return whole }
    let rest = whole.dropFirst(title.count)
    guard let next = rest.first else { return rest }
    guard ends.contains(next) || (ends.contains(last) && next.properties.isWhitespace) else { return whole }
    return rest.drop { ends.contains($0) || $0.properties.isWhitespace }
  }

  private func runs(_ marked: MarkedText?) -> [DisplayRun] {
    guard let marked, !marked.plain.isEmpty else { return [] }
    return marked.runs.map { DisplayRun(text: DisplayText(line: $0.text), isMatch: $0.isMatch) }
  }
}

extension NewsItem {
  /// The title of the item's feed; its URL if it has none.
  var shownFeed: String { feedTitle.isEmpty ? feedURL : feedTitle }
}

/// One item as a line of a list, formatted for display.
public struct HeadlineLine: Hashable, Sendable {
  /// 1-based position in the list, the argument of `--open`; 0 in a stream.
  public var ordinal: Int
  public var id: NewsItem.ID
  public var isUnread: Bool
  public var isStarred: Bool
  public var sortTime: Timestamp
  public var time: DisplayText
  public var feedID: Feed.ID
  public var feed: DisplayText
  /// The title; each match of a search is a separate run.
  public var title: [DisplayRun]
  /// The language of the title and the excerpt.
  public var language: String?
  public var url: String?
  /// An excerpt of the text around the matches, in runs like the title.
  public var excerpt: [DisplayRun]
  /// The beginning of the text, for lists that show it below the title; empty unless the item was read with it.
  public var preview: DisplayText
  /// The address of a picture of the item; nil if there is none, or unless the item was read with its beginning.
  public var picture: String?
  /// Number of items of the same story folded into this item.
  public var folded: Int
  /// The user's labels, by name.
  public var labels: [DisplayText]

  /// What text follows the title: the number of folded items, and the labels.
  public var suffix: String {
    (folded > 0 ? " (+\(folded))" : "")
      + (labels.isEmpty ? "" : " [\(labels.map(\.isolated).joined(separator: ", "))]")
  }
}

/// A run of text that either matches the search or does not.
public struct DisplayRun: Hashable, Sendable {
  public var text: DisplayText
  public var isMatch: Bool
}
