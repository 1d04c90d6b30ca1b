import NewsToolbox

/// The addresses at which the page finds pictures and recordings of items on newsd itself.
///
/// An address names the feed and the publisher's URL, and is signed with the store's secret, so that newsd fetches only
/// what its own pages refer to.
public struct MediaAddress: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable { case picture, recording, chapters }

  public var kind: Kind
  /// The feed whose item refers to the URL.
  public var feed: Feed.ID
  public var url: String

  public init(_ kind: Kind, _ feed: Feed.ID, _ url: String) {
    self.kind = kind
    self.feed = feed
    self.url = url
  }

  /// The first segment of the path.
  public static let folder = "media"
  /// The parameter with the publisher's URL.
  public static let parameter = "u"
  private static let tokenBytes = 16
  /// Maximum bytes of a URL.
  private static let maximumLength = 4000

  /// Returns the path below newsd's prefix; nil for a URL that is not on the web or too long.
  public func path(secret: [UInt8]) -> String? {
    guard WebAddress.isWeb(url), url.utf8.count <= Self.maximumLength else { return nil }
    let encoded = PercentCoding.encode(url, keeping: PercentCoding.isUnreserved)
    return "/\(Self.folder)/\(kind.rawValue)/\(feed.rawValue)/\(token(secret))?\(Self.parameter)=\(encoded)"
  }

  /// Reads the segments of a path and the URL of its parameter. Returns nil if the signature does not match.
  public init?(path: [String], url: String?, secret: [UInt8]) {
    guard path.count == 4, path[0] == Self.folder, let kind = Kind(rawValue: path[1]),
      let feed = Int64(path[2]), let url
    else { return nil }
    self.init(kind, Feed.ID(rawValue: feed), url)
    guard SecretComparison.areEqual(token(secret), path[3]) else { return nil }
  }

  private func token(_ secret: [UInt8]) -> String {
    let message = "media \(kind.rawValue) \(feed.rawValue) \(url)".utf8
    return Hex.encode(SecureHash.sha256.authenticate(message, key: secret).prefix(Self.tokenBytes))
  }
}

/// Makes the addresses of the media of one feed.
public struct MediaAddresses: Sendable {
  private let feed: Feed.ID
  private let secret: [UInt8]

  public init(feed: Feed.ID, secret: [UInt8]) {
    self.feed = feed
    self.secret = secret
  }

  /// Returns the path below newsd's prefix; nil for a URL that newsd does not fetch.
  public func path(_ kind: MediaAddress.Kind, _ url: String) -> String? {
    MediaAddress(kind, feed, url).path(secret: secret)
  }
}
