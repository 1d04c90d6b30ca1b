import NewsCore

/// The content of a `TextScreen`.
enum TextSubject: Sendable {
  case keys(KeyContext)
  case versions(NewsItem.ID)
  case difference(NewsItem.ID)
}
