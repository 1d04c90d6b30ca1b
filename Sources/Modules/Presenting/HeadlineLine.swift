public import NewsCore

/// One item as a line of a list, ready to be shown.
public struct HeadlineLine: Hashable, Sendable {
  /// 1-based place in the list: what `--open` takes.
  public var ordinal: Int
  public var id: NewsItem.ID
  public var isUnread: Bool
  public var isStarred: Bool
  public var time: DisplayText
  public var feed: DisplayText
  /// Matches of a search are runs of their own.
  public var title: [DisplayRun]
  public var url: String?
  /// A piece of the text around what a search found.
  public var excerpt: [DisplayRun]
  /// Other items that this one stands for.
  public var folded: Int
}

/// A piece of text that a search found, or did not.
public struct DisplayRun: Hashable, Sendable {
  public var text: DisplayText
  public var isMatch: Bool
}

/// Where in a list one is.
public struct PageInfo: Hashable, Sendable {
  /// 1-based.
  public var number: Int
  /// Items a page holds.
  public var size: Int
  /// Items on all pages.
  public var total: Int
  /// False: there may be more than `total`; nobody has counted.
  public var isComplete: Bool

  public init(number: Int, size: Int, total: Int, isComplete: Bool = true) {
    self.number = number
    self.size = size
    self.total = total
    self.isComplete = isComplete
  }

  public var pageCount: Int { size > 0 ? max(1, (total + size - 1) / size) : 1 }
  /// The ordinal of the page's first item.
  public var first: Int { (number - 1) * size + 1 }
}

/// Turns items into lines of a list.
struct HeadlinePresenter: Hashable, Sendable {
  var times: TimeDisplay

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
    let item = match.item
    let text =
      [item.title, item.summary ?? "", item.contentText, item.url ?? "", item.guid]
      .lazy.map { DisplayText(line: String($0.prefix(300))).trimmed }
      .first { !$0.isEmpty }
    return [DisplayRun(text: text ?? DisplayText("(untitled)"), isMatch: false)]
  }

  private func runs(_ marked: MarkedText?) -> [DisplayRun] {
    guard let marked, !marked.plain.isEmpty else { return [] }
    return marked.runs.map { DisplayRun(text: DisplayText(line: $0.text), isMatch: $0.isMatch) }
  }
}
