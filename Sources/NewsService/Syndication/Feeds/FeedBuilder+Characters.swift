/// Text on its way into a field.
extension FeedBuilder {
  /// Takes text as it stands in the document, without references that XML does not know.
  @inline(__always)
  mutating func text(_ event: MarkupEvents.Event) {
    if walk != nil { show(event) }
    guard capture != .ignore, skipDepth == 0, depth > 0 else { return }
    take(event)
  }

  private mutating func take(_ event: MarkupEvents.Event) {
    offset = event.offset
    let text = fitting(event.text)
    let hasReferences = event.kind == .textWithReferences
    let hasReturns = normalizesLineEnds && ByteText.firstIndex(of: 0x0D, in: text) != nil
    if pendingDepth != 0 { takePending() }
    if text.count >= LongText.size { pages?.giveBack() }
    guard hasReferences || hasReturns else {
      if isDocumentStable, capture == .raw, buffer.count == frames[depth &- 1].textStart {
        pending = text
        pendingDepth = depth
      } else {
        append(text)
      }
      return
    }
    if capture == .raw {
      if text.count >= LongText.size {
        decodeLong(text, hasReferences: hasReferences, hasReturns: hasReturns)
      } else {
        Self.decode(text, hasReferences: hasReferences, hasReturns: hasReturns, into: &buffer)
      }
    } else {
      decoded.removeAll()
      Self.decode(text, hasReferences: hasReferences, hasReturns: hasReturns, into: &decoded)
      if let base = UnsafePointer(decoded.bytes.baseAddress) {
        Self.escape(base, decoded.count, into: &buffer)
      }
    }
  }

  /// In pieces, so that the document's pages can be given back in between.
  @inline(never)
  private mutating func decodeLong(
    _ text: UnsafeBufferPointer<UInt8>,
    hasReferences: Bool,
    hasReturns: Bool
  ) {
    var start = 0
    while start < text.count {
      var end = min(start + LongText.pieceSize, text.count)
      if end < text.count { end = Self.cut(text, near: end) }
      let piece = UnsafeBufferPointer(rebasing: text[start..<end])
      Self.decode(piece, hasReferences: hasReferences, hasReturns: hasReturns, into: &buffer)
      pages?.giveBack()
      start = end
    }
  }

  /// Within no reference and no line end; references are short here.
  private static func cut(_ text: UnsafeBufferPointer<UInt8>, near end: Int) -> Int {
    var cut = end
    while cut > end - 32, text[cut] != 0x26 { cut -= 1 }
    if text[cut] != 0x26 { cut = end }
    // A line end of two bytes is whole; any other return is a line end by itself.
    return text[cut - 1] == 0x0D && text[cut] == 0x0A ? cut + 1 : cut
  }

  /// Something follows in the field: its text has to be put together after all.
  @inline(never)
  mutating func takePending() {
    pendingDepth = 0
    if let base = pending.baseAddress { buffer.append(base, pending.count) }
  }

  /// Takes text that libxml2 has read.
  @inline(__always)
  mutating func characters(_ text: UnsafePointer<UInt8>, _ length: Int) {
    walk?.pointee.characters(UnsafeBufferPointer(start: text, count: length))
    guard capture != .ignore, skipDepth == 0, depth > 0 else { return }
    append(fitting(UnsafeBufferPointer(start: text, count: length)))
  }

  @inline(never)
  private mutating func show(_ event: MarkupEvents.Event) {
    decoded.removeAll()
    Self.decode(
      event.text,
      hasReferences: event.kind == .textWithReferences,
      hasReturns: normalizesLineEnds,
      into: &decoded
    )
    walk?.pointee.characters(decoded.bytes)
  }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard let base = text.baseAddress else { return }
    if capture == .raw {
      buffer.append(base, text.count)
    } else {
      Self.escape(base, text.count, into: &buffer)
    }
  }

  /// As much of the text as its field has room for.
  @inline(__always)
  private mutating func fitting(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let waiting = pendingDepth == 0 ? 0 : pending.count
    let room = limits.maximumFieldBytes &- (buffer.count &- frames[depth &- 1].fieldStart) &- waiting
    return text.count <= room ? text : shortened(text, to: max(room, 0))
  }

  private mutating func shortened(
    _ text: UnsafeBufferPointer<UInt8>,
    to room: Int
  ) -> UnsafeBufferPointer<UInt8> {
    noteLongField()
    var end = room
    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    return UnsafeBufferPointer(rebasing: text[..<end])
  }

  /// More of the open field's text would be left out, as some was already.
  var isFieldFull: Bool {
    guard limitsHit.contains(.fieldBytes), skipDepth == 0, depth > 0, pendingDepth == 0 else { return false }
    return buffer.count &- frames[depth &- 1].fieldStart >= limits.maximumFieldBytes &- 4
  }

  mutating func noteLongField() {
    note(.fieldBytes, "A field is longer than \(limits.maximumFieldBytes) bytes; its end was left out.")
  }

  /// Fills in predefined and numeric references; line ends become line feeds (XML 1.0 section 2.11).
  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>,
    hasReferences: Bool,
    hasReturns: Bool,
    into output: inout ByteBuffer
  ) {
    guard var position = text.baseAddress else { return }
    let end = position + text.count
    output.reserve(text.count)
    while hasReferences, let ampersand = ByteScan.find(0x26, position, end) {
      appendLines(position, ampersand, hasReturns, into: &output)
      let (character, length) = XMLReference.read(ampersand, end)
      if length == 0 {
        output.append(0x26)
        position = ampersand + 1
        continue
      }
      if character < 0x80 {
        output.append(UInt8(truncatingIfNeeded: character))
      } else {
        let (bytes, count) = HTMLEntities.utf8(character)
        output.append(HTMLEntities.Reference(length: 0, bytes: bytes, byteCount: count))
      }
      position = ampersand + length
    }
    appendLines(position, end, hasReturns, into: &output)
  }

  @inline(__always)
  private static func appendLines(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ hasReturns: Bool,
    into output: inout ByteBuffer
  ) {
    var position = start
    while hasReturns, let found = ByteScan.find(0x0D, position, end) {
      output.append(position, found - position)
      position = found + 1
      if position == end || position.pointee != 0x0A { output.append(0x0A) }
    }
    output.append(position, end - position)
  }
}
