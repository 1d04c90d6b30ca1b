import NewsCore

/// Formats items as lines of a list.
struct HeadlinePresenter: Hashable, Sendable {
  var times: TimeDisplay

  /// The note below an empty list when there are no subscriptions.
  static let noFeeds = DisplayText(
    "no subscriptions yet: 'newsd feeds add URL' adds one, 'newsd feeds import FILE' a list"
  )

  func line(_ match: ItemMatch, ordinal: Int) -> HeadlineLine {
    let item = match.item
    let time = item.sortTime
    let shown = times.showsAges ? times.age(time) : times.dateAndTime(time)
    return HeadlineLine(
      ordinal: ordinal,
      id: item.id,
      isUnread: !item.isRead,
      isStarred: item.isStarred,
      time: DisplayText(line: shown),
      feed: DisplayText(line: item.feedTitle.isEmpty ? item.feedURL : item.feedTitle),
      title: title(match),
      url: item.url,
      excerpt: runs(match.excerpt),
      folded: match.folded
    )
  }

  private func title(_ match: ItemMatch) -> [DisplayRun] {
    let marked = runs(match.title)
    if !marked.isEmpty { return marked }
    return [DisplayRun(text: Self.title(of: match.item), isMatch: false)]
  }

  /// The title; of an item without one, the beginning of its summary or text, else its URL or guid, else
  /// `(untitled)`.
  static func title(of item: NewsItem) -> DisplayText {
    [item.title, item.summary ?? "", item.contentText, item.url ?? "", item.guid]
      .lazy.map { DisplayText(line: String(String.UnicodeScalarView($0.unicodeScalars.prefix(300)))).trimmed }
      .first { !$0.isEmpty } ?? DisplayText("(untitled)")
  }

  private func runs(_ marked: MarkedText?) -> [DisplayRun] {
    guard let marked, !marked.plain.isEmpty else { return [] }
    return marked.runs.map { DisplayRun(text: DisplayText(line: $0.text), isMatch: $0.isMatch) }
  }
}
