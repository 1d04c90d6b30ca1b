import NewsCore
import NewsToolbox

/// Identifiers of items that are the same in every output.
struct StableID: Hashable, Sendable {
  /// FNV-1a hash of an item's feed URL and its `derivedID` or guid, or of another text. Mailboxes and feeds
  /// contain it: never change it.
  let hash: UInt128

  init(_ item: NewsItem) {
    var hash = FNV1a<UInt128>()
    item.feedURL.withBytes { hash.add($0) }
    hash.add(0xFF)
    (item.derivedID ?? item.guid).withBytes { hash.add($0) }
    self.hash = hash.value
  }

  init(_ text: String) {
    hash = text.withBytes { FNV1a<UInt128>($0).value }
  }

  /// 32 hexadecimal digits.
  var hexadecimal: String { hash.hexDigits(32) }

  /// `urn:uuid:` with a UUID of version 8 (RFC 9562 section 5.8).
  var urn: String {
    var value = hash
    value = value & ~(0xF << 76) | 8 << 76
    value = value & ~(0x3 << 62) | 2 << 62
    let digits = Array(value.hexDigits(32).utf8)
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map {
      String(decoding: digits[$0], as: UTF8.self)
    }
    return "urn:uuid:" + groups.joined(separator: "-")
  }

  /// The id of an item in Atom and RSS. It is the guid if that is a unique IRI, because a republished entry keeps
  /// its id (RFC 4287 section 4.2.6); else a name derived from feed and guid.
  static func iri(of item: NewsItem) -> String {
    guard item.derivedID == nil, let (scheme, rest) = item.guid.cut(atFirst: ":"), isScheme(scheme),
      item.guid.utf8.count < 2000, !rest.isEmpty,
      item.guid.utf8.count(where: { $0 == UInt8(ascii: "#") }) < 2,
      item.guid.unicodeScalars.allSatisfy({ $0.value > 0x20 && !isForbidden($0) })
    else { return StableID(item).urn }
    return item.guid
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic,
      text.utf8.count > 1
    else { return false }
    return text.unicodeScalars.allSatisfy {
      $0.isASCII
        && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "+-.".unicodeScalars.contains($0))
    }
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    (0x7F...0x9F).contains(scalar.value) || "<>\"{}|\\^`%[]".unicodeScalars.contains(scalar)
      || (0x2028...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }
}
