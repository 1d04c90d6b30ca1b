public import NewsCore

/// A document whose publisher wants to know what to mend.
public struct PublisherCheckRoute: Hashable, Sendable {
  /// As findings name it.
  public var name: String
  public var document: FeedDocument

  public init(_ document: FeedDocument, name: String) {
    self.document = document
    self.name = name
  }
}
