public import NewsCore

/// What to subscribe to, and how.
public struct FeedAdditionRoute: Hashable, Sendable {
  /// A feed's URL or a page's, as typed.
  public var address: String
  public var options: FeedAdditionOptions

  public init(_ address: String, _ options: FeedAdditionOptions = FeedAdditionOptions()) {
    self.address = address
    self.options = options
  }
}
