import NewsToolbox

/// A list of headlines: records for programs, lines for people, and the page if the list has pages.
public protocol HeadlineContent: ItemContent {
  /// The lines for people; empty if the view shows no lines.
  var lines: [HeadlineLine] { get }
  /// The shown page; nil: the list has no pages, and this part follows the previous one.
  var page: PageInfo? { get }
}

extension HeadlineContent {
  public var nothing: DisplayText? {
    guard let page, page.total > 0, page.number > page.pageCount else {
      return DisplayText("no item matches")
    }
    return DisplayText(
      line: "there is no page \(page.number): the list has \(Plural.of(page.pageCount, "page"))"
    )
  }
}
