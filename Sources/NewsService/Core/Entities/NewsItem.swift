/// An entry of a feed, as stored.
public struct NewsItem: Hashable, Sendable, Identifiable {
  /// Assigned by the store: ascending in the order of storing, never reused.
  public struct ID: Hashable, Comparable, Sendable {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
  }

  public var id: ID
  public var feedID: Feed.ID
  /// The feed's title at the time of reading.
  public var feedTitle: String
  public var feedURL: String
  /// The identifier from the feed; if there is none, an identifier that newsd derived.
  public var guid: String
  /// An identifier that newsd derived because the guid does not distinguish this item from others: all items of the
  /// feed share one guid, have none, or get new ones at every fetch. Nil: the guid is sufficient.
  public var derivedID: String?
  /// The title in one line of plain text; empty if the feed gave none.
  public var title: String
  public var url: String?
  public var authors: [Author]
  public var published: Timestamp?
  public var updated: Timestamp?
  public var stored: Timestamp
  /// The time by which lists sort an item without a date; nil: they sort it by `stored`. The undated items of a feed's
  /// first document sort below its dated items.
  public var position: Timestamp?
  /// The summary in plain text.
  public var summary: String?
  /// The full text without markup.
  public var contentText: String
  /// The content in sanitized HTML; nil when the feed gave plain text.
  public var contentHTML: String?
  public var tags: [String]
  /// The user's labels, sorted by name.
  public var labels: [String]
  public var enclosures: [Enclosure]
  /// An image that represents the item.
  public var image: String?
  /// What the feed says about further pictures and recordings; nil: nothing.
  public var media: ItemMedia? {
    get { boxedMedia.first }
    set { boxedMedia = newValue.map { [$0] } ?? [] }
  }
  // Few items have media. An empty array takes one word; an inline value would add hundreds of bytes to every copy.
  @usableFromInline var boxedMedia: [ItemMedia]
  /// The language as a BCP 47 tag.
  public var language: String?
  /// URL of the item's comments page.
  public var commentsURL: String?
  public var isRead: Bool
  public var isStarred: Bool
  /// Number of the last change to this item in the change log.
  public var sequence: Int64
  /// The number that items share if they tell the same story, mostly items of several feeds; nil: no other item was
  /// found that tells this story.
  public var story: Int64?
  /// The state of the item's page; nil: the page was never queued or fetched, or the item was read without
  /// `ItemParts.article`.
  public var article: ItemArticle?

  // Inlined: a call would copy all fields once more when it returns.
  @inlinable
  public init(
    id: ID,
    feedID: Feed.ID,
    feedTitle: String,
    feedURL: String,
    guid: String,
    derivedID: String? = nil,
    title: String,
    url: String? = nil,
    authors: [Author] = [],
    published: Timestamp? = nil,
    updated: Timestamp? = nil,
    stored: Timestamp,
    position: Timestamp? = nil,
    summary: String? = nil,
    contentText: String = "",
    contentHTML: String? = nil,
    tags: [String] = [],
    labels: [String] = [],
    enclosures: [Enclosure] = [],
    image: String? = nil,
    media: ItemMedia? = nil,
    language: String? = nil,
    commentsURL: String? = nil,
    isRead: Bool = false,
    isStarred: Bool = false,
    sequence: Int64 = 0,
    story: Int64? = nil,
    article: ItemArticle? = nil
  ) {
    self.id = id
    self.feedID = feedID
    self.feedTitle = feedTitle
    self.feedURL = feedURL
    self.guid = guid
    self.derivedID = derivedID
    self.title = title
    self.url = url
    self.authors = authors
    self.published = published
    self.updated = updated
    self.stored = stored
    self.position = position
    self.summary = summary
    self.contentText = contentText
    self.contentHTML = contentHTML
    self.tags = tags
    self.labels = labels
    self.enclosures = enclosures
    self.image = image
    boxedMedia = media.map { [$0] } ?? []
    self.language = language
    self.commentsURL = commentsURL
    self.isRead = isRead
    self.isStarred = isStarred
    self.sequence = sequence
    self.story = story
    self.article = article
  }

  /// Sort key of lists: the time published, or the position of an item without a date, capped at the time stored.
  public var sortTime: Timestamp { min(published ?? position ?? stored, stored) }
}

/// A person or organization named by a feed.
public struct Author: Hashable, Sendable {
  public var name: String?
  public var url: String?
  public var email: String?
  /// URL of a picture.
  public var avatar: String?

  public init(name: String? = nil, url: String? = nil, email: String? = nil, avatar: String? = nil) {
    self.name = name
    self.url = url
    self.email = email
    self.avatar = avatar
  }

  /// The text that lists show: the name, else the e-mail address, else the URL.
  public var displayName: String { name ?? email ?? url ?? "" }
}
