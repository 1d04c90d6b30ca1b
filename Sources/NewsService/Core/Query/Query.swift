/// A condition that selects items: in `list`, `search`, `follow`, saved searches and rules.
public indirect enum Query: Hashable, Sendable {
  /// Everything.
  case all
  case and([Query])
  case or([Query])
  case not(Query)
  case text(TextMatch)
  /// By the store's id.
  case feedID(Feed.ID)
  /// By title or URL, as typed after `feed:`.
  case feed(String)
  /// The folder and those below it.
  case folder(String)
  case tag(String)
  /// A part of the item's URL.
  case url(String)
  /// A BCP 47 tag or its beginning.
  case language(String)
  case isRead(Bool)
  case isStarred(Bool)
  case hasEnclosure
  /// Sort time at or after.
  case since(Timestamp)
  /// Sort time before.
  case until(Timestamp)
  /// Stored at or after, whenever it was published.
  case storedSince(Timestamp)
  /// A regular expression on title or text, or on one of the fields alone.
  case regex(String, TextMatch.Field = .any)
  /// By the name it was saved under.
  case saved(String)
}

/// Words to be found in an item.
public struct TextMatch: Hashable, Sendable {
  public enum Field: Hashable, Sendable { case any, title, author }
  public enum Kind: Hashable, Sendable { case word, phrase, prefix }

  public var field: Field
  public var kind: Kind
  /// As typed, without quotes or star.
  public var text: String

  public init(field: Field = .any, kind: Kind = .word, text: String) {
    self.field = field
    self.kind = kind
    self.text = text
  }
}

/// The order of items.
public enum ItemOrder: String, Hashable, Sendable, CaseIterable {
  /// By sort time, falling; ties by id.
  case newest
  case oldest
  /// Best match first: title over text. Only a query with words has it; without words it is `newest`.
  case relevance
}

/// Which items, in which order, how much of each.
public struct ItemRequest: Hashable, Sendable {
  public var query: Query
  public var order: ItemOrder
  /// Nil: from the beginning of the list; else from what follows this item in the order by time.
  public var continuing: NewsItem.ID?
  /// Only items that were first stored in this part of the change log.
  public var arrivals: Arrivals?
  /// Items to pass over.
  public var offset: Int
  /// Nil: all.
  public var limit: Int?
  public var parts: ItemParts
  /// One item for each cluster of duplicates.
  public var foldsClusters: Bool

  public init(
    query: Query = .all,
    order: ItemOrder = .newest,
    continuing: NewsItem.ID? = nil,
    arrivals: Arrivals? = nil,
    offset: Int = 0,
    limit: Int? = nil,
    parts: ItemParts = .all,
    foldsClusters: Bool = false
  ) {
    self.query = query
    self.order = order
    self.continuing = continuing
    self.arrivals = arrivals
    self.offset = offset
    self.limit = limit
    self.parts = parts
    self.foldsClusters = foldsClusters
  }
}

/// A part of the change log: the numbers above `after`, up to `through`.
public struct Arrivals: Hashable, Sendable {
  public var after: Int64
  public var through: Int64

  public init(after: Int64, through: Int64) {
    self.after = after
    self.through = through
  }
}

/// The parts of an item that cost something to read; a list of titles needs none of them.
public struct ItemParts: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let contentText = ItemParts(rawValue: 1)
  public static let contentHTML = ItemParts(rawValue: 2)
  /// Tags, enclosures, authors.
  public static let details = ItemParts(rawValue: 4)
  /// A highlighted excerpt (`ItemMatch.excerpt`).
  public static let excerpt = ItemParts(rawValue: 8)
  /// Summary and text of items without a title, which are shown in its place.
  public static let standIn = ItemParts(rawValue: 16)
  /// What became of the item's page (`NewsItem.article`).
  public static let article = ItemParts(rawValue: 32)
  public static let all: ItemParts = [.contentText, .contentHTML, .details, .article]
}

/// An item with what the search found in it.
public struct ItemMatch: Hashable, Sendable {
  public var item: NewsItem
  /// The title with the matches marked; nil: nothing to mark.
  public var title: MarkedText?
  /// A piece of the text around the matches.
  public var excerpt: MarkedText?
  /// The number of other items in this item's cluster that are not shown.
  public var folded: Int

  public init(item: NewsItem, title: MarkedText? = nil, excerpt: MarkedText? = nil, folded: Int = 0) {
    self.item = item
    self.title = title
    self.excerpt = excerpt
    self.folded = folded
  }
}

/// Plain text in runs, some of which are matches.
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
  /// Without marks.
  public var plain: String { runs.map(\.text).joined() }
}
