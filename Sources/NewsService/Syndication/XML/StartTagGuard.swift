/// Looks over a document's markup before libxml2 does, which takes quadratic time for a start tag with very many
/// attributes and announces the tag only afterwards.
enum StartTagGuard {
  /// True when libxml2 may have the document as it is: no DOCTYPE, every tag closed and within the limits.
  ///
  /// One pass that jumps from `<` to `<`; what is ill-formed otherwise is left to the parser.
  static func allows(_ bytes: UnsafeBufferPointer<UInt8>, limits: ParseLimits) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    let end = base + bytes.count
    var position = base
    while let open = ByteScan.find(0x3C, position, end) {
      let rest = end - open
      guard rest >= 2 else { return false }
      switch open[1] {
      case 0x2F:
        position = open + 2
      case 0x21:
        guard let next = afterDeclaration(open, end) else { return false }
        position = next
      case 0x3F:
        guard let next = afterInstruction(open, end) else { return false }
        position = next
      default:
        guard let next = afterStartTag(open, end, limits) else { return false }
        position = next
      }
    }
    return true
  }

  /// Behind a comment or CDATA section; nil for a DOCTYPE and for what does not end.
  private static func afterDeclaration(
    _ open: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    let rest = end - open
    if rest >= 7, open[2] == 0x2D, open[3] == 0x2D {
      return after(0x2D, 0x2D, from: open + 4, end)
    }
    if rest >= 12, open[2] == 0x5B, open[3] == 0x43 {
      return after(0x5D, 0x5D, from: open + 9, end)
    }
    return nil
  }

  /// Behind the first `>` that has `first` and `second` right before it.
  private static func after(
    _ first: UInt8,
    _ second: UInt8,
    from start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var position = start
    while let found = ByteScan.find(first, position, end) {
      if end - found >= 3, found[1] == second, found[2] == 0x3E { return found + 3 }
      position = found + 1
    }
    return nil
  }

  private static func afterInstruction(
    _ open: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var position = open + 2
    while let found = ByteScan.find(0x3E, position, end) {
      if found[-1] == 0x3F { return found + 1 }
      position = found + 1
    }
    return nil
  }

  /// Behind a start tag; nil when it is too long, has too many attributes, or does not end.
  private static func afterStartTag(
    _ open: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ limits: ParseLimits
  ) -> UnsafePointer<UInt8>? {
    let limit = end - open <= limits.maximumTagBytes ? end : open + limits.maximumTagBytes
    var position = open + 1
    var attributes = 0
    while position < limit {
      switch position.pointee {
      case 0x3E:
        return attributes <= limits.maximumAttributes ? position + 1 : nil
      case 0x22, 0x27:
        guard let close = ByteScan.find(position.pointee, position + 1, limit) else { return nil }
        attributes += 1
        position = close + 1
      default:
        position += 1
      }
    }
    return nil
  }
}
