/// Items that sync clients read as one list: all, those of feeds, those in a state, or those with a label.
public enum ItemStream: Hashable, Sendable {
  case all
  /// No items, because the requested feed, folder or label does not exist.
  case nothing
  case read, unread, starred
  case feeds([Feed.ID])
  /// The items to which the user has given this label.
  case label(String)
  /// The items with these ids, such as the matches of a saved search.
  case items([NewsItem.ID])
}

/// The order of a stream. Items that are equal in it are ordered by their ids.
public enum StreamOrder: Hashable, Sendable {
  /// The order of storing.
  case id
  /// The order of lists (`NewsItem.sortTime`).
  case published
  /// The order of the change log.
  case changed
  case status, title, author, folder
}

/// Bounds of a stream; nil: no bound.
public struct StreamBounds: Hashable, Sendable {
  /// The id is greater than this one.
  public var idAfter: NewsItem.ID?
  /// The id is less than this one.
  public var idBefore: NewsItem.ID?
  /// `NewsItem.sortTime` is this time or later.
  public var publishedSince: Timestamp?
  /// `NewsItem.sortTime` is earlier.
  public var publishedUntil: Timestamp?
  /// The last entry in the change log is of this time or later: the item was stored, edited or marked.
  public var changedSince: Timestamp?
  /// The last entry in the change log is earlier.
  public var changedUntil: Timestamp?

  public init() {}
}

/// Selects items for a sync client, usually in the order of their ids, which is the order of storing.
public struct StreamRequest: Hashable, Sendable {
  /// An item of any of these is selected.
  public var streams: [ItemStream]
  /// An item must be in all of these.
  public var including: [ItemStream]
  /// An item must be in none of these.
  public var excluding: [ItemStream]
  /// The earliest time at which the item was stored or edited; nil: no bound. Edits without meaning, which make no
  /// version, do not count.
  public var updatedSince: Timestamp?
  /// The latest arrival in microseconds (see `StreamEntry`), or the latest edit with `updatedSince`; nil: no bound.
  public var arrivedUntil: Int64?
  public var bounds = StreamBounds()
  public var order = StreamOrder.id
  /// Continue after this item in the order of ids; the item itself need not exist. Nil: start at the first.
  public var after: NewsItem.ID?
  public var isOldestFirst: Bool

  public init(
    _ streams: [ItemStream] = [.all],
    including: [ItemStream] = [],
    excluding: [ItemStream] = [],
    updatedSince: Timestamp? = nil,
    arrivedUntil: Int64? = nil,
    after: NewsItem.ID? = nil,
    isOldestFirst: Bool = false
  ) {
    self.streams = streams
    self.including = including
    self.excluding = excluding
    self.updatedSince = updatedSince
    self.arrivedUntil = arrivedUntil
    self.after = after
    self.isOldestFirst = isOldestFirst
  }
}

/// An item's position in a stream.
public struct StreamEntry: Hashable, Sendable {
  public var id: NewsItem.ID
  public var stored: Timestamp

  public init(id: NewsItem.ID, stored: Timestamp) {
    self.id = id
    self.stored = stored
  }

  /// The time of storing in microseconds. The store keeps seconds; the id distinguishes items of the same
  /// second.
  public var arrival: Int64 { Self.arrival(stored, id) }

  /// Computes `arrival` from the time of storing and the id.
  public static func arrival(_ stored: Timestamp, _ id: NewsItem.ID) -> Int64 {
    min(max(stored.seconds, 0), 1 << 40) * 1_000_000 + id.rawValue % 1_000_000
  }
}

/// An item with the labels that the user has given it.
public struct StreamItem: Hashable, Sendable {
  public var item: NewsItem
  /// The item's feed; nil: it is gone.
  public var feed: Feed?
  public var labels: [String]
  /// When the item was stored, edited or marked last.
  public var changed: Timestamp
  /// The item's enclosures with their numbers.
  public var enclosures: [EnclosureState] = []

  public init(item: NewsItem, labels: [String], changed: Timestamp) {
    self.item = item
    self.labels = labels
    self.changed = changed
  }
}

/// A label of the user with its number of unread items and its newest item.
public struct ItemLabel: Hashable, Sendable {
  public var name: String
  public var unread: Int
  public var newest: StreamEntry

  public init(name: String, unread: Int, newest: StreamEntry) {
    self.name = name
    self.unread = unread
    self.newest = newest
  }

  /// Maximum length of a name in bytes.
  public static let nameLength = 200
  /// Maximum number of labels that one request gives or takes.
  public static let mostInRequest = 20
  /// Maximum number of labels of an item.
  public static let mostOfItem = 100

  /// True for text that can be the name of a label.
  public static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= nameLength
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// Returns the text as the name of a label, for stores and servers whose labels are taken over: control characters
  /// become `?`, and a long name is cut. Nil if the text is empty.
  public static func cleaned(_ text: String) -> String? {
    let name = GivenName.cut(MessageText.printable(text), to: nameLength)
    return name.isEmpty ? nil : name
  }

  /// Throws `badQuery` if the text cannot be the name of a label.
  public static func check(_ text: String) throws(StoreError) {
    guard isName(text) else {
      throw StoreError(
        code: .badQuery,
        message: "a label must have 1 to \(nameLength) bytes and no control characters"
      )
    }
  }
}

/// Totals of a store.
public struct StreamTotals: Hashable, Sendable {
  public var items: Int
  public var unread: Int
  public var starred: Int

  public init(items: Int, unread: Int, starred: Int) {
    self.items = items
    self.unread = unread
    self.starred = starred
  }
}

/// A change of state that the user makes to an item.
public enum ItemMark: String, Hashable, Sendable, CaseIterable {
  case read, unread, starred, unstarred

  /// The mark that reverses this one.
  public var opposite: ItemMark {
    switch self {
    case .read: .unread
    case .unread: .read
    case .starred: .unstarred
    case .unstarred: .starred
    }
  }
}

/// A mark that was made some time ago, without the store.
public struct LateMark: Hashable, Sendable {
  /// Why a late mark was not made.
  public enum Refusal: String, Hashable, Sendable {
    /// The item was marked or labelled later.
    case overtaken
    case noSuchItem
  }

  public var item: NewsItem.ID
  public var mark: ItemMark
  /// When the user made the mark.
  public var time: Timestamp

  public init(_ item: NewsItem.ID, _ mark: ItemMark, at time: Timestamp) {
    self.item = item
    self.mark = mark
    self.time = time
  }
}

/// Changes to the states and labels of items that are made together.
public struct StreamEdit: Hashable, Sendable {
  public var marks: [ItemMark]
  public var addedLabels: [String]
  public var removedLabels: [String]

  public init(marks: [ItemMark] = [], addedLabels: [String] = [], removedLabels: [String] = []) {
    self.marks = marks
    self.addedLabels = addedLabels
    self.removedLabels = removedLabels
  }
}
