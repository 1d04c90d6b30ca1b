/// A text to split into the words that it is indexed or searched by.
public struct TokensRoute: Hashable, Sendable {
  public var text: String
  /// True: as the words of a query.
  public var isQuery: Bool

  public init(text: String, isQuery: Bool = false) {
    self.text = text
    self.isQuery = isQuery
  }
}
