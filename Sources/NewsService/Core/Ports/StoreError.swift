/// A failure of the store.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    /// The file cannot be opened, read or created.
    case unreadable
    /// The file does not exist and must not be created.
    case missing
    /// The file is not a store, or is damaged.
    case corrupt
    /// The file holds a trigger or view that is not newsd's.
    case foreignPart
    /// A newer newsd wrote the file.
    case newerSchema(found: Int, known: Int)
    /// A newsd from before the first release wrote the file.
    case olderLayout
    /// Another file has replaced the open one.
    case replaced
    case full
    /// Another process held the write lock for longer than any transaction of newsd takes.
    case busy
    case noSuchItem
    case noSuchFeed
    /// More than one feed matches the name.
    case ambiguousFeed
    case duplicateFeed
    /// The query is invalid: a field with a meaningless value, a malformed regular expression.
    case badQuery
    /// The server refuses values of a record: one is too long for an index, or cannot be written in the database's
    /// encoding. Other records can be stored.
    case badData
    case other
  }

  public let code: Code
  /// Says what was tried on which file, what happened and what to do.
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }

  package static func noSuchItem(_ id: NewsItem.ID) -> StoreError {
    StoreError(code: .noSuchItem, message: "there is no item \(id.rawValue)")
  }

  /// True for errors that concern the whole store and may be temporary: the disk is full, another process
  /// holds the lock, the file system is read-only, or the file is missing, damaged or replaced until the user
  /// restores it.
  var mayBeTemporary: Bool {
    switch code {
    case .full, .busy, .unreadable, .missing, .corrupt, .replaced: true
    case .foreignPart, .newerSchema, .olderLayout, .noSuchItem, .noSuchFeed, .ambiguousFeed, .duplicateFeed,
      .badQuery, .badData,
      .other:
      false
    }
  }

  /// True if the cause may be a single record, so that the other records of its transaction can be stored.
  var mayConcernOneRecord: Bool { code == .other || code == .badData }

  /// True when a newer newsd has migrated the store, so that this version can never write to it again.
  public var requiresNewerVersion: Bool {
    if case .newerSchema = code { true } else { false }
  }
}
