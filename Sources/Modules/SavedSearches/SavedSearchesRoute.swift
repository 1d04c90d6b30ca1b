/// An operation on the saved searches.
public enum SavedSearchesRoute: Hashable, Sendable {
  case list
  /// Saves the query under a name, which is then accepted wherever a feed's name is.
  case save(query: String, name: String)
  case remove(name: String)
}
