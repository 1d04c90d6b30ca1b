import NewsToolbox

/// The icons of feeds as clients see them. Every feed has one: a feed without an icon has a plain picture.
///
/// Pictures are served without a log-in, because clients load them like any other address. The name in the address begins
/// with the picture's token, an HMAC with the store's secret: with a hash of the content, everybody could find out who reads
/// which feed. A signature of the token follows, so that newsd knows names that it has made without reading a store.
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
  private static let signatureBytes = 8

  /// Returns the path of each feed's icon, below newsd's prefix.
  public func paths(of feeds: [Feed.ID]) async throws(StoreError) -> [Feed.ID: String] {
    let secret = try await secrets.serverSecret()
    let plain = (0..<PlainIcon.count).map { Self.name(of: Self.token(ofPlain: $0, secret), secret) }
    let found = await found(feeds, secret)
    let paths = feeds.map {
      ($0, "/\(Self.folder)/" + (found[$0]?.token ?? plain[PlainIcon.number(of: $0)]))
    }
    return Dictionary(paths) { first, _ in first }
  }

  /// Returns the icons of the feeds that have one; their tokens are signed, as in addresses. If the stores cannot be read, no
  /// feed has one, because clients must get their answers nevertheless.
  public func found(_ feeds: [Feed.ID]) async -> [Feed.ID: PictureReference] {
    guard let secret = try? await secrets.serverSecret() else { return [:] }
    return await found(feeds, secret)
  }

  private func found(_ feeds: [Feed.ID], _ secret: [UInt8]) async -> [Feed.ID: PictureReference] {
    let stored = (try? await media.icons(of: feeds)) ?? [:]
    return stored.mapValues { reference in
      PictureReference(
        id: reference.id,
        token: Self.name(of: reference.token, secret),
        type: reference.type
      )
    }
  }

  public func picture(id: Int64) async throws(StoreError) -> Picture? { try await media.picture(id: id) }

  /// Returns the picture with the name in an address. The name may lack the signature, as in the addresses that clients have
  /// from former versions.
  public func picture(named name: String) async throws(StoreError) -> Picture? {
    guard let count = Hex.decode(name)?.count,
      [Self.tokenBytes, Self.tokenBytes + Self.signatureBytes].contains(count)
    else { return nil }
    let secret = try await secrets.serverSecret()
    guard count == Self.tokenBytes || Self.isName(name, signedWith: secret) else { return nil }
    let token = Self.token(in: name)
    if let picture = try await media.picture(token: token) { return picture }
    for number in 0..<PlainIcon.count {
      let own = Self.token(ofPlain: number, secret)
      guard SecretComparison.areEqual(own, token) else { continue }
      return Picture(PictureReference(id: 0, token: own, type: .png), bytes: PlainIcon.png(number))
    }
    return nil
  }

  /// True if a store with this secret has made the name.
  public static func isName(_ name: String, signedWith secret: [UInt8]) -> Bool {
    SecretComparison.areEqual(self.name(of: token(in: name), secret), name)
  }

  private static func name(of token: String, _ secret: [UInt8]) -> String {
    token + self.token("icon name \(token)".utf8, secret).prefix(2 * signatureBytes)
  }

  private static func token(in name: String) -> String {
    String(decoding: name.utf8.prefix(2 * tokenBytes), as: UTF8.self)
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

/// A square with round corners in one colour, for feeds without an icon.
///
/// Clients disagree about feeds without an icon: some need an address, and some fetch the icon from the site if there is
/// none. An address of a picture suits all.
enum PlainIcon {
  /// Medium shades, which can be seen on light and dark backgrounds.
  private static let colours: [[UInt8]] = [
    [0xC0, 0x56, 0x46], [0xB8, 0x74, 0x2E], [0x96, 0x86, 0x2C], [0x6A, 0x90, 0x3A], [0x3C, 0x92, 0x58],
    [0x2F, 0x8F, 0x86], [0x38, 0x86, 0xAE], [0x4A, 0x74, 0xBC], [0x70, 0x68, 0xBC], [0x93, 0x5F, 0xAE],
    [0xB0, 0x58, 0x8E], [0x80, 0x7A, 0x74],
  ]
  private static let side = 32
  private static let radius = 7

  /// Number of different pictures.
  static let count = colours.count

  /// Returns the number of the picture of a feed.
  static func number(of feed: Feed.ID) -> Int { Int(UInt64(bitPattern: feed.rawValue) % UInt64(count)) }

  /// Encodes a picture as PNG: one bit for each pixel, 1 for the colour, 0 for transparent.
  static func png(_ number: Int) -> [UInt8] {
    var rows: [UInt8] = []
    for row in 0..<side {
      rows.append(0)
      var bits: UInt32 = 0
      for column in 0..<side { bits = bits << 1 | (isInside(column, row) ? 1 : 0) }
      rows += bigEndian(bits)
    }
    // A zlib stream with one stored block (RFC 1950 and 1951).
    let length = UInt16(rows.count)
    let stored = [UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
    let packed = [0x78, 0x01, 0x01] + stored + stored.map { ~$0 } + rows + bigEndian(adler32(rows))
    return [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
      + chunk("IHDR", bigEndian(UInt32(side)) + bigEndian(UInt32(side)) + [1, 3, 0, 0, 0])
      + chunk("PLTE", [0, 0, 0] + colours[number % count]) + chunk("tRNS", [0]) + chunk("IDAT", packed)
      + chunk("IEND", [])
  }

  /// Compares in half pixels, because the centre of a corner lies between pixels.
  private static func isInside(_ column: Int, _ row: Int) -> Bool {
    func beyond(_ place: Int) -> Int {
      max(0, 2 * radius - (2 * place + 1), 2 * place + 1 - 2 * (side - radius))
    }
    let (x, y) = (beyond(column), beyond(row))
    return x * x + y * y <= 4 * radius * radius
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + data
    return bigEndian(UInt32(data.count)) + named + bigEndian(crc32(named))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    let (a, b) = bytes.reduce((UInt32(1), UInt32(0))) { sums, byte in
      let first = (sums.0 + UInt32(byte)) % 65_521
      return (first, (sums.1 + first) % 65_521)
    }
    return b << 16 | a
  }
}
