import Glibc

extension String {
  /// The text with U+0000 replaced by U+FFFD. Texts of feeds rarely contain U+0000, so the usual cost is one
  /// scan.
  public var withoutNUL: String {
    var text = self
    let hasNUL = text.withUTF8 { bytes in
      bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    }
    guard hasNUL else { return self }
    var replaced = String.UnicodeScalarView()
    for scalar in unicodeScalars { replaced.append(scalar.value == 0 ? "\u{FFFD}" : scalar) }
    return String(replaced)
  }
}
