extension String {
  /// Returns the text with spaces appended, at least `width` bytes long.
  public func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - utf8.count))
  }

  /// Returns the text with `sign` repeated before it, at least `width` bytes long.
  public func leftPadded(to width: Int, with sign: String = " ") -> String {
    String(repeating: sign, count: max(0, width - utf8.count)) + self
  }
}

extension BinaryInteger {
  /// Returns the number in at least `count` digits: `07`. Not for negative numbers.
  public func digits(_ count: Int) -> String { String(self).leftPadded(to: count, with: "0") }

  /// Returns the number in at least `count` hexadecimal digits: `0a`.
  public func hexDigits(_ count: Int) -> String { String(self, radix: 16).leftPadded(to: count, with: "0") }
}
