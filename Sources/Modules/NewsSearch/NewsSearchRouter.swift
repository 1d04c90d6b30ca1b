/// Where a search leads.
public struct NewsSearchRouter: Sendable {
  public init() {}

  /// To the item that the list of matches shows as number `ordinal`.
  ///
  /// - Throws: A usage error when the list has no such number.
  public func open(_ ordinal: Int, in found: NewsSearchViewModel) throws(UserMessage) -> Route {
    try HeadlineSelection.open(ordinal, on: found.page, in: found.items)
  }
}
