import NewsToolbox

/// The icons of feeds as clients see them. Every feed has one: a feed without an icon has a plain picture.
///
/// Pictures are served without a log-in, because clients load them like any other address. The name in the address is an
/// HMAC with the store's secret: with a hash of the content, everybody could find out who reads which feed.
public struct FeedIcons: Sendable {
  private let media: any MediaKeeping
  private let secrets: any CredentialKeeping

  public init(media: any MediaKeeping, secrets: any CredentialKeeping) {
    self.media = media
    self.secrets = secrets
  }

  /// The first segment of a picture's path.
  public static let folder = "icons"
  private static let tokenBytes = 16

  /// Returns the path of each feed's icon, below newsd's prefix.
  public func paths(of feeds: [Feed.ID]) async throws(StoreError) -> [Feed.ID: String] {
    let secret = try await secrets.serverSecret()
    let plain = (0..<PlainIcon.count).map { Self.token(ofPlain: $0, secret) }
    let found = await found(feeds)
    let paths = feeds.map {
      ($0, "/\(Self.folder)/" + (found[$0]?.token ?? plain[PlainIcon.number(of: $0)]))
    }
    return Dictionary(paths) { first, _ in first }
  }

  /// Returns the icons of the feeds that have one. If the media store cannot be read, no feed has one, because clients
  /// must get their answers nevertheless.
  public func found(_ feeds: [Feed.ID]) async -> [Feed.ID: PictureReference] {
    (try? await media.icons(of: feeds)) ?? [:]
  }

  public func picture(id: Int64) async throws(StoreError) -> Picture? { try await media.picture(id: id) }

  /// Returns the picture with the name in an address.
  public func picture(token: String) async throws(StoreError) -> Picture? {
    guard let bytes = Hex.decode(token), bytes.count == Self.tokenBytes else { return nil }
    if let picture = try await media.picture(token: token) { return picture }
    let secret = try await secrets.serverSecret()
    for number in 0..<PlainIcon.count {
      let own = Self.token(ofPlain: number, secret)
      guard SecretComparison.areEqual(own, token) else { continue }
      return Picture(PictureReference(id: 0, token: own, type: .png), bytes: PlainIcon.png(number))
    }
    return nil
  }

  private static func token(ofPlain number: Int, _ secret: [UInt8]) -> String {
    token("plain icon \(number)".utf8, secret)
  }

  /// Names a picture. Equal pictures have the same name, so that they are stored once.
  static func reference(_ bytes: [UInt8], _ type: PictureType, _ secret: [UInt8]) -> PictureReference {
    let token = token(Array("picture ".utf8) + bytes, secret)
    // Some clients read numbers of 32 bits with a sign. 0 means no icon.
    let number = Int64(token.prefix(8), radix: 16) ?? 0
    return PictureReference(id: max(1, number & 0x7FFF_FFFF), token: token, type: type)
  }

  private static func token(_ message: some Collection<UInt8>, _ secret: [UInt8]) -> String {
    Hex.encode(SecureHash.sha256.authenticate(message, key: secret).prefix(tokenBytes))
  }
}
