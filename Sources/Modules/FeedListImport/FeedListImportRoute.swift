/// A list of subscriptions to import.
public struct FeedListImportRoute: Hashable, Sendable {
  /// Bytes of an OPML document, a newsboat `urls` file or an sfeedrc.
  public var list: [UInt8]
  /// The folder for entries without a folder.
  public var folder: String?
  /// True: the list is trusted, so its credentials, headers and proxies are kept; see
  /// `SubscriptionTransfer.importList`.
  public var isTrusted: Bool
  /// True: report what would be added, and add nothing.
  public var isDryRun: Bool

  public init(_ list: [UInt8], folder: String? = nil, isTrusted: Bool = false, isDryRun: Bool = false) {
    self.list = list
    self.folder = folder
    self.isTrusted = isTrusted
    self.isDryRun = isDryRun
  }
}
