/// The difference from a later text to an earlier one: the lengths of the common prefix and suffix, and the bytes
/// between them. Most edits change one place.
package struct TextDelta {
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// A delta of the parts that `parts` returns; nil for lengths that cannot be.
  package init?(prefix: Int64, suffix: Int64, between: String) {
    guard (0..<Int64(1) << 48).contains(prefix), (0..<Int64(1) << 48).contains(suffix) else { return nil }
    bytes = []
    Self.write(Int(prefix), &bytes)
    Self.write(Int(suffix), &bytes)
    bytes += between.utf8
  }

  /// The lengths in bytes of what `later` and `earlier` have in common at both ends, and what `earlier` has between them,
  /// which is text of its own: the parts end at no byte within a letter.
  package static func parts(
    from later: String,
    to earlier: String
  ) -> (prefix: Int, suffix: Int, between: String) {
    let old = Array(earlier.utf8)
    var (prefix, suffix) = shared(Array(later.utf8), old)
    func isWithinLetter(_ place: Int) -> Bool { place < old.count && old[place] & 0xC0 == 0x80 }
    while prefix > 0, isWithinLetter(prefix) { prefix -= 1 }
    while suffix > 0, isWithinLetter(old.count - suffix) { suffix -= 1 }
    return (prefix, suffix, String(decoding: old[prefix..<old.count - suffix], as: UTF8.self))
  }

  /// Computes the delta that turns `later` into `earlier`.
  package init(from later: String, to earlier: String) {
    let new = Array(later.utf8)
    let old = Array(earlier.utf8)
    let (prefix, suffix) = Self.shared(new, old)
    bytes = []
    Self.write(prefix, &bytes)
    Self.write(suffix, &bytes)
    bytes += old[prefix..<old.count - suffix]
  }

  /// Returns the lengths of the common prefix and suffix in bytes; they do not overlap.
  private static func shared(_ one: [UInt8], _ other: [UInt8]) -> (prefix: Int, suffix: Int) {
    let shorter = min(one.count, other.count)
    var prefix = 0
    while prefix < shorter, one[prefix] == other[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix, one[one.count - 1 - suffix] == other[other.count - 1 - suffix] {
      suffix += 1
    }
    return (prefix, suffix)
  }

  /// Returns true if the common prefix and suffix make up at least half of the longer text. The change then counts as
  /// an edit, not as a different text.
  package static func isSmall(between one: String, and other: String) -> Bool {
    let (prefix, suffix) = shared(Array(one.utf8), Array(other.utf8))
    return (prefix + suffix) * 2 >= max(one.utf8.count, other.utf8.count)
  }

  /// Computes the earlier text. Returns nil if the delta does not fit `later`.
  package func applied(to later: String) -> String? {
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
