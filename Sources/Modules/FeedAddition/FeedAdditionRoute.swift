public import NewsCore

/// The address to subscribe to, and the options.
public struct FeedAdditionRoute: Hashable, Sendable {
  /// URL of a feed or of a web page, as typed.
  public var address: String
  public var options: FeedAdditionOptions

  public init(_ address: String, _ options: FeedAdditionOptions = FeedAdditionOptions()) {
    self.address = address
    self.options = options
  }
}
