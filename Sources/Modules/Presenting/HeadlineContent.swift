/// A list of headlines: records for programs, lines for people, and the page if the list has pages.
public protocol HeadlineContent: ItemContent {
  /// Empty if the view shows no lines.
  var lines: [HeadlineLine] { get }
  /// Nil: the list has no pages, and this part follows the previous one.
  var page: PageInfo? { get }
}
