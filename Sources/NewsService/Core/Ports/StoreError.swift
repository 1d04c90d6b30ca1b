/// A failure of the store.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    /// The file cannot be opened, read or created.
    case unreadable
    /// The file does not exist and must not be created.
    case missing
    /// SQLite says that the file is not a database, or is damaged.
    case corrupt
    /// A later newsd has written it.
    case newerSchema(found: Int, known: Int)
    /// A newsd before the first release has written it.
    case olderLayout
    /// Another file has taken the place of the open one.
    case replaced
    case full
    /// Another process held the store for longer than any transaction of newsd takes.
    case busy
    case noSuchItem
    case noSuchFeed
    /// More than one feed fits what was typed.
    case ambiguousFeed
    case duplicateFeed
    /// The query cannot be answered: a field without meaning, a broken regular expression.
    case badQuery
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

  /// The store itself could not be used, whatever was asked of it, and may be usable later: the disk is full, another process
  /// holds the lock, the file system is read-only.
  var mayPass: Bool {
    switch code {
    case .full, .busy, .unreadable, .missing, .corrupt, .replaced: true
    case .newerSchema, .olderLayout, .noSuchItem, .noSuchFeed, .ambiguousFeed, .duplicateFeed, .badQuery,
      .other:
      false
    }
  }

  /// A later newsd has brought the store up to date: this one will never write to it again.
  public var isOfLaterLayout: Bool {
    if case .newerSchema = code { true } else { false }
  }
}
