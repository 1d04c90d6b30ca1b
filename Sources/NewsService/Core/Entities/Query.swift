/// A condition that selects items: in `list`, `search`, `follow`, saved searches and rules.
public indirect enum Query: Hashable, Sendable {
  /// Selects every item.
  case all
  case and([Query])
  case or([Query])
  case not(Query)
  case text(TextMatch)
  /// The feed with this id in the store.
  case feedID(Feed.ID)
  /// Feeds by title or URL, as typed after `feed:`.
  case feed(String)
  /// The folder and its subfolders.
  case folder(String)
  case tag(String)
  /// A label that the user gave, in any case of letters.
  case label(String)
  /// A substring of the item's URL.
  case url(String)
  /// A BCP 47 tag or a prefix of it.
  case language(String)
  case isRead(Bool)
  case isStarred(Bool)
  case hasEnclosure
  /// Items with a sort time at or after this time.
  case since(Timestamp)
  /// Items with a sort time before this time.
  case until(Timestamp)
  /// Items stored at or after this time, regardless of when they were published.
  case storedSince(Timestamp)
  /// A regular expression, matched against title and text, or against one field.
  case regex(String, TextMatch.Field = .any)
  /// The saved search with this name.
  case saved(String)
}

/// Words to search for in an item.
public struct TextMatch: Hashable, Sendable {
  public enum Field: Hashable, Sendable { case any, title, author }
  public enum Kind: Hashable, Sendable { case word, phrase, prefix }

  public var field: Field
  public var kind: Kind
  /// The words as typed, without quotes or asterisk.
  public var text: String

  public init(field: Field = .any, kind: Kind = .word, text: String) {
    self.field = field
    self.kind = kind
    self.text = text
  }
}

/// The order of a list of items.
public enum ItemOrder: String, Hashable, Sendable, CaseIterable {
  /// Descending by sort time, then by id.
  case newest
  case oldest
  /// Best match first; matches in the title rank above matches in the text. Without words in the query it is `newest`.
  case relevance
}

/// Selects items, their order, and the parts to read.
public struct ItemRequest: Hashable, Sendable {
  public var query: Query
  public var order: ItemOrder
  /// Keyset paging: start after this item in the order by time; nil: start at the first item.
  public var continuing: NewsItem.ID?
  /// Selects only items that were first stored in this range of the change log.
  public var arrivals: ChangeRange?
  /// Number of items to skip.
  public var offset: Int
  /// Maximum number of items; nil: unlimited.
  public var limit: Int?
  /// The list ends with the item by which its items have so many bytes of text; nil: whatever they have. For `items` only.
  public var bytes: Int?
  public var parts: ItemParts
  /// Return only one item per story.
  public var foldsStories: Bool

  public init(
    query: Query = .all,
    order: ItemOrder = .newest,
    continuing: NewsItem.ID? = nil,
    arrivals: ChangeRange? = nil,
    offset: Int = 0,
    limit: Int? = nil,
    parts: ItemParts = .all,
    foldsStories: Bool = false
  ) {
    self.query = query
    self.order = order
    self.continuing = continuing
    self.arrivals = arrivals
    self.offset = offset
    self.limit = limit
    self.parts = parts
    self.foldsStories = foldsStories
  }
}

/// A range of the change log: sequence numbers above `after`, up to `through`.
public struct ChangeRange: Hashable, Sendable {
  public var after: Int64
  public var through: Int64

  public init(after: Int64, through: Int64) {
    self.after = after
    self.through = through
  }
}

/// The parts of an item that are expensive to read; a list of titles needs at most `headlineText`.
public struct ItemParts: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let contentText = ItemParts(rawValue: 1)
  public static let contentHTML = ItemParts(rawValue: 2)
  /// Tags, labels, enclosures and authors.
  public static let details = ItemParts(rawValue: 4)
  /// A highlighted excerpt (`ItemMatch.excerpt`).
  public static let excerpt = ItemParts(rawValue: 8)
  /// What lists show besides the columns of `items`: the labels, and summary and text of items without a title.
  public static let headlineText = ItemParts(rawValue: 16)
  /// Whether the article of the item's page was fetched, waits or was refused (`NewsItem.article`).
  public static let article = ItemParts(rawValue: 32)
  /// Summary and beginning of the text of all items, and a picture (`NewsItem.image`), for lists that show them below
  /// the titles.
  public static let preview = ItemParts(rawValue: 64)
  public static let all: ItemParts = [.contentText, .contentHTML, .details, .article]
}

/// An item with the matches of the search.
public struct ItemMatch: Hashable, Sendable {
  public var item: NewsItem
  /// The title with the matches marked; nil: no match in the title.
  public var title: MarkedText?
  /// An excerpt of the text around the matches.
  public var excerpt: MarkedText?
  /// The number of other items of this item's story, which the list does not show.
  public var folded: Int

  // Inlined, as the initializer of `NewsItem` is.
  @inlinable
  public init(item: NewsItem, title: MarkedText? = nil, excerpt: MarkedText? = nil, folded: Int = 0) {
    self.item = item
    self.title = title
    self.excerpt = excerpt
    self.folded = folded
  }
}

/// Plain text, divided into runs that match and runs that do not.
public struct MarkedText: Hashable, Sendable {
  public struct Run: Hashable, Sendable {
    public var text: String
    public var isMatch: Bool
    public init(text: String, isMatch: Bool) {
      self.text = text
      self.isMatch = isMatch
    }
  }

  public var runs: [Run]
  public init(runs: [Run]) { self.runs = runs }
  /// The text without marks.
  public var plain: String { runs.map(\.text).joined() }
}
