public import NewsCore

/// An item as queries see it, stored or not. Its words are tokenized once, however many queries are evaluated.
public final class MatchSubject {
  public var title: String
  public var text: String
  public var authors: [String]
  public var url: String?
  public var tags: [String]
  public var labels: [String] = []
  public var language: String?
  public var feedID: Feed.ID
  public var feedTitle: String
  public var feedURL: String
  public var folder: String?
  public var isRead: Bool
  public var isStarred: Bool
  public var hasEnclosure: Bool
  public var time: Timestamp
  public var stored: Timestamp

  /// A stored item. `folder` comes from its feed.
  public init(_ item: NewsItem, folder: String?) {
    title = item.title
    text = item.contentText
    authors = item.authors.map(\.displayName)
    url = item.url
    tags = item.tags
    labels = item.labels
    language = item.language
    feedID = item.feedID
    feedTitle = item.feedTitle
    feedURL = item.feedURL
    self.folder = folder
    isRead = item.isRead
    isStarred = item.isStarred
    hasEnclosure = !item.enclosures.isEmpty
    time = item.sortTime
    stored = item.stored
  }

  /// A subject with only the texts that words are searched in.
  public init(title: String, author: String, text: String) {
    self.title = title
    self.text = text
    authors = [author]
    tags = []
    feedID = Feed.ID(rawValue: 0)
    feedTitle = ""
    feedURL = ""
    isRead = false
    isStarred = false
    hasEnclosure = false
    time = Timestamp(seconds: 0)
    stored = time
  }

  /// An item that arrives from `feed` at `now`.
  public init(_ item: ParsedItem, of feed: Feed, language: String? = nil, at now: Timestamp) {
    title = item.title ?? ""
    text = item.contentText ?? item.summary ?? ""
    authors = item.authors.map(\.displayName)
    url = item.url
    tags = item.tags.map { TagLimit.cut($0.text) }
    self.language = item.language ?? language
    feedID = feed.id
    feedTitle = feed.title
    feedURL = feed.url
    folder = feed.folder
    isRead = false
    isStarred = false
    hasEnclosure = !item.enclosures.isEmpty
    time = min(item.published ?? now, now)
    stored = now
  }

  public private(set) lazy var titleWords = TokenizedText(title)
  public private(set) lazy var textWords = TokenizedText(text)
  public private(set) lazy var authorWords = TokenizedText(authors.joined(separator: "\n"))
}
