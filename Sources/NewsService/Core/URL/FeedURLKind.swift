import NewsToolbox

/// The kind of a feed's URL, which decides how the feed is read.
public enum FeedURLKind: Hashable, Sendable {
  /// `http:` or `https:`.
  case web
  case file
  /// `exec:`.
  case program
  /// `ingest:`: filled by `newsd ingest`.
  case ingested

  /// Classifies a URL; fails for a URL that no feed can have: another scheme, an invalid authority, control characters.
  public init?(_ url: String) {
    guard !url.hasControlCharacters else { return nil }
    if WebAddress.isWeb(url) {
      guard WebAddress(url) != nil else { return nil }
      self = .web
    } else if url.hasPrefix(bytesOf: "file:") {
      self = .file
    } else if url.hasPrefix(bytesOf: "exec:") {
      self = .program
    } else if url.hasPrefix(bytesOf: "ingest:") {
      self = .ingested
    } else {
      return nil
    }
  }

  /// Classifies the URL of a feed that another program has; fails also for a longer URL than newsd stores.
  static func imported(_ url: String) -> FeedURLKind? {
    url.utf8.count <= TypedAddress.longest ? FeedURLKind(url) : nil
  }
}

extension String {
  /// True if the text contains a C0 or C1 control character or DEL.
  public var hasControlCharacters: Bool {
    unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }
}
