/// What to do with the saved searches.
public enum SavedSearchesRoute: Hashable, Sendable {
  case list
  /// Keeps the query under the name, which then is accepted wherever a feed's is.
  case save(query: String, name: String)
  case remove(name: String)
}
