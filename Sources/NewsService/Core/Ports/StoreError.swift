/// A failure of the store.
public typealias StoreError = CodedError<StoreErrorCode>

/// The kinds of failures of a store.
public enum StoreErrorCode: Hashable, Sendable {
  /// The file cannot be opened, read or created.
  case unreadable
  /// A file that the user names, such as a backup, cannot be created.
  case cannotCreate
  /// The file does not exist and must not be created.
  case missing
  /// The file is not a store, or is damaged.
  case corrupt
  /// The file holds a trigger or view that is not newsd's.
  case foreignPart
  /// A newer newsd has changed the layout of the store.
  case newerLayout(found: Int, known: Int)
  /// An older newsd wrote the store. `found` is 0 for a newsd from before the first release.
  case olderLayout(found: Int, known: Int)
  /// Another file has replaced the open one, or it was deleted.
  case replaced
  case full
  /// The account's quota allows no further feed, or no further items.
  case overQuota
  /// Another process held the write lock for longer than any transaction of newsd takes.
  case busy
  case noSuchItem
  case noSuchFeed
  /// More than one feed matches the name.
  case ambiguousFeed
  case duplicateFeed
  /// What is asked for is invalid or cannot be done as asked: a malformed query, a missing name, an item without
  /// a page.
  case badQuery
  /// The server refuses values of a record: one is too long for an index, or cannot be written in the database's
  /// encoding. Other records can be stored.
  case badData
  case other
}

extension StoreError {
  package static func noSuchItem(_ id: NewsItem.ID) -> StoreError {
    StoreError(code: .noSuchItem, message: "there is no item \(id.rawValue)")
  }

  /// What clients of the web server learn of the error. The message of a failure of the store has its address and texts of
  /// libraries, which are for the owner of the machine.
  public var clientMessage: String {
    switch code {
    case .noSuchItem, .noSuchFeed, .ambiguousFeed, .duplicateFeed, .badQuery, .overQuota: message
    case .busy: "the store of newsd is busy; try again later"
    case .full: "no space is left for the store of newsd"
    case .badData: "the store of newsd refuses these data"
    case .unreadable, .cannotCreate, .missing, .corrupt, .foreignPart, .newerLayout, .olderLayout, .replaced,
      .other:
      "newsd cannot use its store; 'newsd status' on its machine says why"
    }
  }

  /// True for errors that concern the whole store and may be temporary: the disk or the quota is full, another process
  /// holds the lock, the file system is read-only, or the file is missing, damaged or replaced until the user
  /// restores it.
  var mayBeTemporary: Bool {
    switch code {
    case .full, .overQuota, .busy, .unreadable, .missing, .corrupt, .replaced: true
    case .cannotCreate, .foreignPart, .newerLayout, .olderLayout, .noSuchItem, .noSuchFeed, .ambiguousFeed,
      .duplicateFeed,
      .badQuery, .badData,
      .other:
      false
    }
  }

  /// True if the cause may be a single record, so that the other records of its transaction can be stored.
  var mayConcernOneRecord: Bool { code == .other || code == .badData }

  /// True if the store has another layout, so that this version can never write to it again: a newer newsd has migrated
  /// it, or a backup of an older one has replaced it.
  public var requiresOtherVersion: Bool {
    switch code {
    case .newerLayout, .olderLayout: true
    default: false
    }
  }

  /// The error for a store of another layout than this newsd's. `isFile`: an upgrade keeps a copy of the former store.
  package static func otherLayout(of store: String, found: Int, known: Int, isFile: Bool) -> StoreError {
    guard found < known else {
      return StoreError(
        code: .newerLayout(found: found, known: known),
        message:
          "a newer newsd wrote the store \(store): it has layout \(found), and this newsd knows layout \(known). "
          + "It was not changed. Install the newer newsd, or name another store with --db"
      )
    }
    return StoreError(
      code: .olderLayout(found: found, known: known),
      message:
        "an older newsd wrote the store \(store): it has layout \(found), and this newsd knows layout \(known). "
        + "It was not changed"
        + (isFile ? "" : ". Make a copy with pg_dump first")
        + ". Run 'newsd upgrade'"
        + (isFile ? ", which keeps the former store beside the new one" : "")
    )
  }
}
