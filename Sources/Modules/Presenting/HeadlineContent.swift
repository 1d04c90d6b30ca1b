/// A list of headlines as a view model: typed items for programs, lines for people, a page where there are pages.
public protocol HeadlineContent: ItemContent {
  /// Empty where the view shows no lines.
  var lines: [HeadlineLine] { get }
  /// Nil: without pages; this follows what came before.
  var page: PageInfo? { get }
}
