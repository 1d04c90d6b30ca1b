/// An earlier text as its difference to a later one: most edits touch one place, so what both begin and end with is
/// only counted.
struct TextDelta {
  var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// How to get from `later` to `earlier`.
  init(from later: String, to earlier: String) {
    let new = Array(later.utf8)
    let old = Array(earlier.utf8)
    let shorter = min(new.count, old.count)
    var prefix = 0
    while prefix < shorter, new[prefix] == old[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix, new[new.count - 1 - suffix] == old[old.count - 1 - suffix] {
      suffix += 1
    }
    bytes = []
    Self.write(prefix, &bytes)
    Self.write(suffix, &bytes)
    bytes += old[prefix..<old.count - suffix]
  }

  /// The earlier text; nil when this was not made for `later`.
  func applied(to later: String) -> String? {
    let new = Array(later.utf8)
    var at = 0
    guard let prefix = Self.read(bytes, &at), let suffix = Self.read(bytes, &at),
      prefix <= new.count, suffix <= new.count - prefix
    else { return nil }
    return String(decoding: new[..<prefix] + bytes[at...] + new[(new.count - suffix)...], as: UTF8.self)
  }

  private static func write(_ value: Int, _ bytes: inout [UInt8]) {
    var rest = UInt64(value)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private static func read(_ bytes: [UInt8], _ at: inout Int) -> Int? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while at < bytes.count, shift < 56 {
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int(value) }
      shift += 7
    }
    return nil
  }
}
