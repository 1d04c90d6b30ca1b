/// A list of subscriptions to take in.
public struct FeedListImportRoute: Hashable, Sendable {
  /// OPML, a newsboat `urls` file or an sfeedrc.
  public var list: [UInt8]
  /// Where entries without a folder go.
  public var folder: String?
  /// True: the list is the user's own; see `SubscriptionTransfer.importList`.
  public var isTrusted: Bool

  public init(_ list: [UInt8], folder: String? = nil, isTrusted: Bool = false) {
    self.list = list
    self.folder = folder
    self.isTrusted = isTrusted
  }
}
