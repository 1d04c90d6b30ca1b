/// A file of items to import.
public struct StoreImportRoute: Hashable, Sendable {
  /// Path of the file; `-` is standard input.
  public var path: String
  /// The feed that the items of an sfeed file belong to; nil: it is named after the file.
  public var feed: String?
  /// True: the file is an export of the user's own store.
  public var isTrusted: Bool

  public init(path: String, feed: String? = nil, isTrusted: Bool = false) {
    self.path = path
    self.feed = feed
    self.isTrusted = isTrusted
  }
}
