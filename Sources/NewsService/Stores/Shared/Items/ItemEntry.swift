package import NewsCore
package import NewsSearch
import NewsToolbox

/// An item as a store reads it, with its columns for the change log.
package struct ItemEntry: Sendable {
  package var item: NewsItem
  private let change: Int64
  private let firstSequence: Int64

  /// Maximum number of scalars of the text that is shown instead of a missing title; more than a line shows.
  package static let standInLength = 1000
  /// The longest details in bytes in which a list looks for a picture.
  package static let searchedDetails = 64 << 10

  package init(item: NewsItem, change: Int64, firstSequence: Int64) {
    self.item = item
    self.change = change
    self.firstSequence = firstSequence
  }

  /// Returns the item's guid. If the guid is not usable, also returns the id that newsd derives.
  package static func names(
    guid: String?,
    url: String?,
    identity: Int64,
    policy: String?
  ) -> (guid: String, derivedID: String?) {
    let named = guid.flatMap { $0.isEmpty ? nil : $0 } ?? url
    let policy = policy.flatMap(IdentityPolicy.init(rawValue:)) ?? .guid
    if policy == .guid, let named { return (named, nil) }
    let derived = "urn:newsd:" + UInt64(bitPattern: identity).hexDigits(16)
    return (named ?? derived, derived)
  }

  /// The item's entry in the change log.
  fileprivate var logged: Change {
    Change(
      sequence: item.sequence,
      kind: (ChangeKind(rawValue: change) ?? .updated).kind,
      itemID: item.id,
      feedID: item.feedID,
      item: item,
      firstSequence: firstSequence
    )
  }
}

/// The kind of an item's latest entry in the change log. The numbers are stored.
package enum ChangeKind: Int64 {
  case inserted = 0
  case updated = 1
  case state = 2

  package var kind: Change.Kind {
    switch self {
    case .inserted: .inserted
    case .updated: .updated
    case .state: .state
    }
  }
}

extension NewsItem {
  /// Adds what a list shows of the item's text. `html` is the beginning of the HTML.
  package mutating func addPreview(summary: String?, text: String, details: String?, html: String?) {
    self.summary = summary?.prefix(scalars: ItemEntry.standInLength)
    if contentText.isEmpty { contentText = text }
    guard image == nil else { return }
    let details = ItemDetails(details.flatMap { $0.utf8.count <= ItemEntry.searchedDetails ? $0 : nil })
    image =
      details.media?.thumbnail?.url ?? details.image ?? details.media?.pictures.first?.url
      ?? details.enclosures.first { $0.isPicture }?.url ?? html.flatMap { PictureInText.url(in: $0) }
  }

  /// Adds the requested parts of an item from its row of `contents`.
  package mutating func add(
    _ parts: ItemParts,
    _ contents: (summary: String?, details: String?, text: String, html: String?)
  ) {
    if parts.contains(.details) {
      let details = ItemDetails(contents.details)
      summary = contents.summary
      authors = details.authors
      tags = details.allTags
      enclosures = details.enclosures
      image = details.image
      media = details.media
      commentsURL = details.commentsURL
    }
    if !parts.isDisjoint(with: [.contentText, .excerpt]) { contentText = contents.text }
    if parts.contains(.contentHTML) { contentHTML = contents.html }
  }
}

extension ItemMatch {
  /// Returns the match of an item that was read with `parts`. With a highlighter, the item must have its text, from
  /// which the excerpt is made.
  package static func of(
    _ item: consuming NewsItem,
    folded: Int,
    _ highlighter: MatchHighlighter?,
    _ parts: ItemParts
  ) -> ItemMatch {
    guard let highlighter else { return ItemMatch(item: consume item, folded: folded) }
    let title = highlighter.title(item.title)
    let excerpt = highlighter.excerpt(item.contentText)
    if !parts.contains(.contentText) {
      let needsText = parts.contains(.headlineText) && item.title.isEmpty
      item.contentText = item.contentText.prefix(scalars: needsText ? ItemEntry.standInLength : 0)
    }
    return ItemMatch(item: consume item, title: title, excerpt: excerpt, folded: folded)
  }
}

extension String {
  /// Returns the first Unicode scalars.
  package func prefix(scalars count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}

extension Query {
  /// The parts of the query that must all match.
  package var conjuncts: [Query] {
    switch self {
    case .all: []
    case .and(let inner): inner.flatMap(\.conjuncts)
    default: [self]
    }
  }
}

/// Merges changed items and removals into one part of the change log, until it has `limit` changes or `bytes` of text. Both
/// lists are in ascending order.
package struct ChangeMerger: Sendable {
  package private(set) var changes: [Change] = []
  private var removed: ArraySlice<Change>
  private let limit: Int
  /// The bytes of text that further changes may have.
  package private(set) var room: Int

  /// `removed` is what `StoreSession.removals` returns for the same limit and bytes.
  package init(_ removed: [Change], limit: Int, within bytes: Int) {
    self.removed = removed[...]
    self.limit = limit
    room = max(bytes, 1)
  }

  package var isFull: Bool { changes.count >= limit || room <= 0 }

  package mutating func add(_ entry: ItemEntry) {
    addRemovals(before: entry.item.sequence)
    append(entry.logged, bytes: entry.item.textBytes)
  }

  /// Adds the next removals; without a number, those after the last changed item.
  package mutating func addRemovals(before sequence: Int64 = .max) {
    while let first = removed.first, first.sequence < sequence, !isFull {
      append(first, bytes: first.guid?.utf8.count ?? 0)
      removed.removeFirst()
    }
  }

  private mutating func append(_ change: Change, bytes: Int) {
    guard !isFull else { return }
    changes.append(change)
    room -= bytes
  }
}

extension ItemArticle {
  /// Reads the columns `state`, `reason`, `fetched`, `feed_text` and `feed_html`; fails for a row without an article.
  package init?(_ row: borrowing some StoreRow & ~Copyable, from column: Int32) {
    guard let state = State(rawValue: row.string(column)) else { return nil }
    self.init(state: state)
    reason = row.optionalString(column + 1)
    fetched = row.time(column + 2)
    feedText = row.optionalString(column + 3)
    feedHTML = row.optionalString(column + 4)
  }
}

extension ItemEntry {
  /// The columns of `items AS i` that the initializer reads.
  package static let columns = """
    i.id, i.feed, i.guid, i.url, i.title, i.published, i.updated, i.stored, i.language, i.is_read, i.is_starred, \
    i.sequence, i.cluster, i.change, i.first_sequence, i.identity
    """

  /// Reads an item without its texts.
  ///
  /// - Parameters:
  ///   - row: A row that begins with `columns`.
  ///   - feed: The item's feed.
  ///   - sortTime: The time by which lists sort the item.
  // No initializer: it would copy all fields once more when it returns.
  package static func read(
    _ row: borrowing some StoreRow & ~Copyable,
    of feed: ItemFeed,
    sortTime: Timestamp
  ) -> ItemEntry {
    let url = row.optionalString(3)
    let names = Self.names(
      guid: row.optionalString(2),
      url: url,
      identity: row.int64(15),
      policy: feed.policy
    )
    let published = row.time(5)
    let stored = row.time(7) ?? sortTime
    // The item has no name of its own, and is moved below (`consume`): each copy retains some twenty values.
    return ItemEntry(
      item: NewsItem(
        id: NewsItem.ID(rawValue: row.int64(0)),
        feedID: Feed.ID(rawValue: row.int64(1)),
        feedTitle: feed.title,
        feedURL: feed.url,
        guid: names.guid,
        derivedID: names.derivedID,
        title: row.string(4),
        url: url,
        published: published,
        updated: row.time(6),
        stored: stored,
        position: published == nil && sortTime < stored ? sortTime : nil,
        language: row.optionalString(8),
        isRead: row.bool(9),
        isStarred: row.bool(10),
        sequence: row.int64(11),
        story: row.optionalInt64(12)
      ),
      change: row.int64(13),
      firstSequence: row.int64(14)
    )
  }
}

/// What an item shows of its feed.
package struct ItemFeed {
  package let title: String
  package let url: String
  package let policy: String?

  /// Redacts the title and the URL: only the fetcher may read a password.
  package init(title: String, url: String, policy: String?) {
    self.title = WebAddress.redacted(title)
    self.url = WebAddress.redacted(url)
    self.policy = policy
  }
}
