public import NewsCore

/// What a search found: typed items for programs, lines with the matches marked for people.
public struct NewsSearchViewModel: HeadlineContent {
  public var isSearch: Bool { true }
  public var items: [ItemMatch]
  /// Empty where the view shows no lines.
  public var lines: [HeadlineLine]
  /// Nil: without pages; this follows what came before.
  public var page: PageInfo?
  public var notes: [DisplayText] = []
}
