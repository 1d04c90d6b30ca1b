public import NewsCore

/// A feed document to check for its publisher.
public struct PublisherCheckRoute: Hashable, Sendable {
  /// Name of the document in the report.
  public var name: String
  public var document: FeedDocument

  public init(_ document: FeedDocument, name: String) {
    self.document = document
    self.name = name
  }
}
