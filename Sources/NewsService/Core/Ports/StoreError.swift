/// What goes wrong between newsd and its store.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    /// The file cannot be opened, read or created.
    case unreadable
    /// There is no file, and it is not to be made.
    case missing
    /// SQLite says that the file is not a database, or is damaged.
    case corrupt
    /// A later newsd has migrated it.
    case newerSchema(found: Int, known: Int)
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
  /// What was tried, on which file, what happened, what to do next.
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }

  /// A later newsd has brought the store up to date: this one will never write to it again.
  public var isOfLaterLayout: Bool {
    if case .newerSchema = code { true } else { false }
  }
}
