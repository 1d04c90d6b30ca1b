import NewsToolbox

/// A fingerprint of an item, to find other items that tell the same story; 35 bytes when stored.
public struct ItemFingerprint: Hashable, Sendable {
  /// Hash of the canonical URL; nil: the item has no URL, or its URL is that of a whole site.
  public var url: UInt64?
  /// SimHash of the text, and of the title if the text is short. Texts that differ in few words have hashes
  /// that differ in few bits.
  public var similarity: UInt64
  /// Hash of the words with digits in the text, in order.
  public var figures: UInt64
  /// Hash of the first `leadLength` words of the text; nil: the text is shorter.
  public var lead: UInt64?
  /// Number of words that went into `similarity`, at most `measuredLength`.
  public var length: Int

  /// Maximum number of words hashed; the rest of a long text adds little.
  static let measuredLength = 256
  static let leadLength = 16
  /// With at least this many words of text, the title is not hashed.
  static let sufficientLength = 40

  /// Computes the fingerprint; `text` is plain text.
  public init(title: TokenStream, text: TokenStream, url: String?) {
    let key = url.flatMap(CanonicalURL.key(of:))
    self.url = key.flatMap { CanonicalURL.isSite($0) ? nil : StableText.hash($0) }
    var builder = FingerprintBuilder()
    builder.add(text, isText: true)
    // Several papers print the same text under different headlines, so a long text is hashed without its title.
    if builder.count < Self.sufficientLength { builder.add(title, isText: false) }
    similarity = builder.similarity
    figures = builder.figures
    lead = builder.leadCount == Self.leadLength ? builder.lead : nil
    length = builder.count
  }

  /// Lookup keys, meant for an index: two items that tell the same story nearly always share one. Texts
  /// without a common URL or lead whose hashes differ in 4 to 6 bits may share none. All keys of an item are
  /// different.
  public var keys: [Int64] {
    var keys = keysOfURL
    guard length >= 6 else { return keys }
    // Two hashes that differ in up to three bits are equal in at least one quarter. The key includes the number of the
    // quarter; its lowest bit is 0, that of a URL's key is 1.
    for band in 0..<4 {
      let bits = similarity >> UInt64(band * 16) & 0xFFFF
      keys.append(Int64(bitPattern: (bits << 2 | UInt64(band)) << 1))
    }
    if let lead { keys.append(Int64(bitPattern: (lead | 1 << 63) & ~1)) }
    return keys
  }

  /// The key of the page's URL; empty without a URL.
  var keysOfURL: [Int64] { url.map { [Int64(bitPattern: $0 | 1)] } ?? [] }

  /// Returns the number of different bits in the two similarity hashes, 0 to 64.
  public func distance(to other: ItemFingerprint) -> Int { (similarity ^ other.similarity).nonzeroBitCount }

  // MARK: As bytes

  private static let byteCount = 35

  /// The stored form, equal on every machine.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = [(url == nil ? 0 : 1) | (lead == nil ? 0 : 2)]
    for value in [url ?? 0, similarity, figures, lead ?? 0] {
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift * 8))) }
    }
    bytes.append(UInt8(truncatingIfNeeded: length))
    bytes.append(UInt8(truncatingIfNeeded: length >> 8))
    return bytes
  }

  /// Decodes the stored form; fails unless there are exactly 35 bytes.
  public init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    func value(_ number: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 1 + number * 8, as: UInt64.self))
    }
    url = bytes[0] & 1 == 0 ? nil : value(0)
    similarity = value(1)
    figures = value(2)
    lead = bytes[0] & 2 == 0 ? nil : value(3)
    length = Int(bytes[33]) | Int(bytes[34]) << 8
  }
}

/// Hashes that must never change, because the store contains them.
enum StableText {
  static func hash(_ text: String) -> UInt64 {
    text.withBytes { FNV1a($0).value }
  }

  /// Spreads the bits of a hash (the finalizer of SplitMix64).
  @inline(__always)
  static func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Computes a SimHash over pairs of adjacent words.
private struct FingerprintBuilder {
  private(set) var count = 0
  private(set) var figures: UInt64 = 0
  private(set) var lead: UInt64 = 0
  private(set) var leadCount = 0
  private var previous: UInt64 = 0
  private var features = 0
  /// 64 bit-sliced counters: plane n holds bit n of each counter.
  private var planes: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

  mutating func add(_ text: TokenStream, isText: Bool) {
    previous = 0
    text.replay { token, isColocated in
      if isColocated { return true }
      add(token, isText: isText)
      return count < ItemFingerprint.measuredLength
    }
  }

  private mutating func add(_ token: UnsafeBufferPointer<UInt8>, isText: Bool) {
    let hash = FNV1a<UInt64>(token).value
    count += 1
    if isText {
      if leadCount < ItemFingerprint.leadLength {
        lead = StableText.mixed(lead &+ hash)
        leadCount += 1
      }
      if token.contains(where: { $0 &- 0x30 < 10 }) { figures = StableText.mixed(figures &+ hash) }
    }
    addFeature(StableText.mixed(hash &+ previous &* 3))
    previous = hash
  }

  private mutating func addFeature(_ feature: UInt64) {
    features += 1
    withUnsafeMutableBytes(of: &planes) { raw in
      let planes = raw.bindMemory(to: UInt64.self)
      var carry = feature
      var number = 0
      while carry != 0, number < planes.count {
        let next = planes[number] & carry
        planes[number] ^= carry
        carry = next
        number += 1
      }
    }
  }

  var similarity: UInt64 {
    var copy = planes
    return withUnsafeMutableBytes(of: &copy) { raw in
      let planes = raw.bindMemory(to: UInt64.self)
      var result: UInt64 = 0
      for bit in 0..<64 {
        var votes = 0
        for number in 0..<planes.count { votes |= Int(planes[number] >> UInt64(bit) & 1) << number }
        if votes * 2 > features { result |= 1 << UInt64(bit) }
      }
      return result
    }
  }
}
