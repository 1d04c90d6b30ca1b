/// Text in the Stream-Safe Text Format (UAX #15, section 13), but for surplus marks, which are left out instead of divided.
///
/// `==`, `<` and hash values of `String` sort the combining marks between two letters, in a time that grows with the square
/// of their number: two texts of one megabyte would take minutes. So each text that comes from outside is made here.
extension String {
  /// Decodes UTF-8. Ill-formed bytes are replaced, and of a run of combining marks the first 30 are kept.
  @inlinable
  public init(streamSafe bytes: some Collection<UInt8>) {
    self = String(decoding: bytes, as: UTF8.self).streamSafe
  }

  /// The text with at most the first 30 combining marks of each run.
  @inlinable public var streamSafe: String {
    utf8.count < MarkRun.shortestSurplus || !MarkRun.hasSurplus(self) ? self : MarkRun.limited(self)
  }
}

/// Runs of combining marks: scalars with a canonical combining class other than 0.
@usableFromInline
enum MarkRun {
  /// No language needs more (UAX #15, section 13).
  private static let longest = 30
  /// The size, in bytes, of the shortest run that is too long: a mark has at least two bytes.
  @usableFromInline static let shortestSurplus = 62

  @usableFromInline
  static func hasSurplus(_ text: String) -> Bool {
    let bytes = text.utf8
    let scalars = text.unicodeScalars
    // A run that is too long covers one of these places. Few of them have a mark, so most of the text is not decoded.
    var next = bytes.index(bytes.startIndex, offsetBy: shortestSurplus - 1, limitedBy: bytes.endIndex)
    while let place = next, place < bytes.endIndex {
      var end = place
      if bytes[place] >= 0x80, isMark(scalars[place]) {
        var count = 1
        var start = place
        while start > scalars.startIndex {
          start = scalars.index(before: start)
          guard isMark(scalars[start]) else { break }
          count += 1
        }
        end = scalars.index(after: place)
        while end < scalars.endIndex, isMark(scalars[end]) {
          count += 1
          end = scalars.index(after: end)
        }
        if count > longest { return true }
      }
      next = bytes.index(end, offsetBy: shortestSurplus, limitedBy: bytes.endIndex)
    }
    return false
  }

  @usableFromInline
  static func limited(_ text: String) -> String {
    var (result, count) = ("", 0)
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      count = isMark(scalar) ? count + 1 : 0
      if count <= longest { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.canonicalCombiningClass != .notReordered
  }
}
