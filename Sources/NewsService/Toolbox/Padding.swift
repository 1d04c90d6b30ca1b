extension String {
  /// With spaces after it, to at least `width` bytes.
  public func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - utf8.count))
  }

  /// With `sign` before it, to at least `width` bytes.
  public func leftPadded(to width: Int, with sign: String = " ") -> String {
    String(repeating: sign, count: max(0, width - utf8.count)) + self
  }
}

extension BinaryInteger {
  /// The number in at least `count` digits: `07`. Not for negative numbers.
  public func digits(_ count: Int) -> String { String(self).leftPadded(to: count, with: "0") }

  /// The number in at least `count` hexadecimal digits: `0a`.
  public func hexDigits(_ count: Int) -> String { String(self, radix: 16).leftPadded(to: count, with: "0") }
}
