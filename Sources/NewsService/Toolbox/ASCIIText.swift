import Glibc

/// Searches, splits and escapes text at ASCII characters by its bytes.
///
/// A `Character` includes combining marks: `"` followed by U+0301 is one Character, which does not equal `"`. Browsers,
/// libcurl, SQLite and shells read bytes, so code that escapes, quotes or splits text must do the same.
extension StringProtocol where SubSequence == Substring {
  @inlinable public func contains(ascii sign: Unicode.Scalar) -> Bool {
    utf8.contains(UInt8(ascii: sign))
  }

  /// True when the bytes of `part` occur in this text.
  @inlinable public func contains(bytesOf part: some StringProtocol) -> Bool {
    let found = utf8.withContiguousStorageIfAvailable { text in
      part.utf8.withContiguousStorageIfAvailable { ASCII.contains(text, $0) }
    }
    if let found, let found { return found }
    // No native text comes here.
    return Array(utf8).withUnsafeBufferPointer { text in
      Array(part.utf8).withUnsafeBufferPointer { ASCII.contains(text, $0) }
    }
  }

  @inlinable public func hasPrefix(bytesOf prefix: some StringProtocol) -> Bool {
    utf8.starts(with: prefix.utf8)
  }

  @inlinable public func hasSuffix(bytesOf suffix: some StringProtocol) -> Bool {
    utf8.count >= suffix.utf8.count && self[...].utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// True when both texts have the same bytes. For `==`, é is also equal to e with a combining accent.
  @inlinable public func isEqual(bytesOf other: some StringProtocol) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// True when both texts have the same bytes, with ASCII capitals and small letters taken as equal.
  @inlinable public func isEqual(ignoringASCIICase other: some StringProtocol) -> Bool {
    let bytes = utf8
    let others = other.utf8
    guard bytes.count == others.count else { return false }
    let isEqual = bytes.withContiguousStorageIfAvailable { bytes in
      others.withContiguousStorageIfAvailable { ASCII.areEqual($0, bytes) }
    }
    return (isEqual ?? nil) ?? zip(bytes, others).allSatisfy { ASCII.lowercase($0) == ASCII.lowercase($1) }
  }

  /// The text with ASCII capitals as small letters.
  public var asciiLowercased: String { String(decoding: utf8.map(ASCII.lowercase), as: UTF8.self) }

  /// Returns the text before and after the first `sign`; nil when there is none.
  @inlinable public func cut(atFirst sign: Unicode.Scalar) -> (before: Substring, after: Substring)? {
    utf8.firstIndex(of: UInt8(ascii: sign)).map { (self[..<$0], self[utf8.index(after: $0)...]) }
  }

  /// Returns the text before and after the last `sign`; nil when there is none.
  @inlinable public func cut(atLast sign: Unicode.Scalar) -> (before: Substring, after: Substring)? {
    self[...].utf8.lastIndex(of: UInt8(ascii: sign)).map { (self[..<$0], self[utf8.index(after: $0)...]) }
  }

  /// Returns the text at a range of its UTF-8 bytes. The range must not split the bytes of a scalar.
  public func slice(_ bytes: Range<Int>) -> Substring {
    let start = utf8.index(startIndex, offsetBy: bytes.lowerBound)
    return self[start..<utf8.index(start, offsetBy: bytes.count)]
  }

  /// Returns the text from a UTF-8 byte on.
  public func slice(_ bytes: PartialRangeFrom<Int>) -> Substring {
    self[utf8.index(startIndex, offsetBy: bytes.lowerBound)...]
  }

  /// Calls `body` with the UTF-8 bytes; copies them only if the text has no contiguous storage. The compiler
  /// specializes loops over them, but not those over `utf8` of any text, which take ten times as long.
  @inlinable @inline(__always)
  public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(utf8).withUnsafeBufferPointer(body)
  }

  public func split(
    ascii separator: Unicode.Scalar,
    maxSplits: Int = .max,
    omittingEmptySubsequences: Bool = true
  ) -> [Substring] {
    let parts = withBytes {
      $0.split(
        separator: UInt8(ascii: separator),
        maxSplits: maxSplits,
        omittingEmptySubsequences: omittingEmptySubsequences
      )
      .map { $0.startIndex..<$0.endIndex }
    }
    return parts.map(slice)
  }

  /// Returns the first parts that are not empty: an array of short parts takes many times the memory of the text.
  public func split(ascii separator: Unicode.Scalar, atMost most: Int) -> [Substring] {
    Array(split(ascii: separator, maxSplits: most).prefix(most))
  }

  /// Returns the text before the first byte that is in `signs`.
  public func prefix(upToAny signs: StaticString) -> Substring {
    slice(0..<withBytes { bytes in bytes.firstIndex { signs.holds($0) } ?? bytes.count })
  }

  /// True when the text contains one of the ASCII `signs`.
  public func containsAny(_ signs: StaticString) -> Bool {
    withBytes { bytes in bytes.contains { signs.holds($0) } }
  }

  public func replacing(ascii sign: Unicode.Scalar, with replacement: String) -> String {
    guard contains(ascii: sign) else { return String(self) }
    return split(ascii: sign, omittingEmptySubsequences: false).joined(separator: replacement)
  }

  /// Replaces each occurrence of `text`, also one before a combining mark.
  public func replacing(scalarsOf text: String, with replacement: String) -> String {
    String(String(self).unicodeScalars.replacing(text.unicodeScalars, with: replacement.unicodeScalars))
  }

  /// Returns a copy with a backslash before each of the ASCII `signs`.
  public func backslashing(_ signs: StaticString) -> String {
    guard containsAny(signs) else { return String(self) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + 8)
    for byte in utf8 {
      if signs.holds(byte) { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text without leading and trailing spaces and tabs.
  public var trimmingBlanks: Substring {
    var bytes = self[...].utf8
    while let first = bytes.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
      bytes.removeFirst()
    }
    while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
      bytes.removeLast()
    }
    return self[bytes.startIndex..<bytes.endIndex]
  }
}

extension StaticString {
  /// True when the ASCII literal contains this byte.
  fileprivate func holds(_ byte: UInt8) -> Bool {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).contains(byte)
  }
}

extension [UInt8] {
  /// The number of line feeds. Compares many bytes at a time.
  public var lineCount: Int {
    withUnsafeBytes { bytes in
      guard var position = bytes.baseAddress else { return 0 }
      let end = position + bytes.count
      var count = 0
      while position < end, let found = memchr(position, Int32(UInt8(ascii: "\n")), end - position) {
        count += 1
        position = UnsafeRawPointer(found) + 1
      }
      return count
    }
  }
}
