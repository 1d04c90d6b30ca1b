/// The kind of words that can replace the last word of a command line. `prefix` is the kept part of the typed word:
/// `--feed=`, `id,title,`.
public enum CompletionRoute: Hashable, Sendable {
  public enum Names: Hashable, Sendable { case feeds, feedsAndSearches, searches, folders }

  case nothing
  case choices([CompletionCandidate])
  /// Like `choices`, but the word may continue after a choice, as after a comma or an equals sign.
  case unfinishedChoices([CompletionCandidate])
  case files(prefix: String)
  case directories(prefix: String)
  /// Names from the store.
  case names(Names, prefix: String)
  /// Names from the store as values of a query field, quoted for the query language.
  case queryNames(Names, prefix: String)
}

/// A word to offer.
public struct CompletionCandidate: Hashable, Sendable {
  public var text: String
  /// A description, for shells that show one.
  public var note: String

  public init(text: String, note: String = "") {
    self.text = text
    self.note = note
  }
}
