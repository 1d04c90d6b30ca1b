/// A text to split into the words that it is indexed or searched by.
public struct TokensRoute: Hashable, Sendable {
  public var text: String
  /// True: split the text as a query; false: as the text of an item.
  public var isQuery: Bool

  public init(text: String, isQuery: Bool = false) {
    self.text = text
    self.isQuery = isQuery
  }
}
