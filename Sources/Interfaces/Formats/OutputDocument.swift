public import NewsCore

/// The title and identity of a whole document: the feed, page or mailbox that holds the items.
public struct OutputDocument: Hashable, Sendable {
  public var title: String
  /// Identifies the document in every run: feed readers recognize it by an id derived from this.
  public var identity: String
  /// URL of the document's home page, for formats that require one.
  public var homeURL: String
  /// Creation time.
  public var time: Timestamp

  /// Without an identity, the title is also the identity.
  public init(
    title: String = "newsd",
    identity: String? = nil,
    homeURL: String = "https://newsd.invalid/",
    time: Timestamp
  ) {
    self.title = title
    self.identity = identity ?? title
    self.homeURL = homeURL
    self.time = time
  }
}
