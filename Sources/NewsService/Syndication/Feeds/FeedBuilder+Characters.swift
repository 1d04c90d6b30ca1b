import NewsToolbox

/// Collects the text of fields.
extension FeedBuilder {
  /// Receives text of the document. Its references are predefined or numeric.
  @inline(__always)
  mutating func text(_ event: MarkupEvents.Event) {
    if settings.walk != nil { show(event) }
    guard place.capture != .ignore, place.skipDepth == 0, place.depth > 0 else { return }
    take(event)
  }

  private mutating func take(_ event: MarkupEvents.Event) {
    place.offset = event.offset
    let text = fitting(event.text)
    let hasReferences = event.kind == .textWithReferences
    let hasReturns = input.normalizesLineEnds && ByteText.firstIndex(of: UInt8(ascii: "\r"), in: text) != nil
    if pending.depth != 0 { takePending() }
    if text.count >= LongText.size { settings.pages?.release() }
    guard hasReferences || hasReturns else {
      if input.isStable, place.capture == .raw, buffer.count == frames[place.depth &- 1].textStart {
        pending = FeedState.PendingText(bytes: text, depth: place.depth)
      } else {
        append(text)
      }
      return
    }
    if place.capture == .raw {
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

  /// Decodes a long text in pieces and releases its pages in between.
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
      settings.pages?.release()
      start = end
    }
  }

  /// Returns an index near `end` at which to split the text: not within a reference, which is short here, or a line
  /// end.
  private static func cut(_ text: UnsafeBufferPointer<UInt8>, near end: Int) -> Int {
    var cut = end
    while cut > end - 32, text[cut] != UInt8(ascii: "&") { cut -= 1 }
    if text[cut] != UInt8(ascii: "&") { cut = end }
    // CR LF is one line end; a lone CR is one too.
    return text[cut - 1] == UInt8(ascii: "\r") && text[cut] == UInt8(ascii: "\n") ? cut + 1 : cut
  }

  /// Copies the pending text, because more content follows in the field.
  @inline(never)
  mutating func takePending() {
    pending.depth = 0
    if let base = pending.bytes.baseAddress { buffer.append(base, pending.bytes.count) }
  }

  /// Receives text that libxml2 reports.
  @inline(__always)
  mutating func characters(_ text: UnsafePointer<UInt8>, _ length: Int) {
    settings.walk?.pointee.characters(UnsafeBufferPointer(start: text, count: length))
    guard place.capture != .ignore, place.skipDepth == 0, place.depth > 0 else { return }
    append(fitting(UnsafeBufferPointer(start: text, count: length)))
  }

  @inline(never)
  private mutating func show(_ event: MarkupEvents.Event) {
    decoded.removeAll()
    Self.decode(
      event.text,
      hasReferences: event.kind == .textWithReferences,
      hasReturns: input.normalizesLineEnds,
      into: &decoded
    )
    settings.walk?.pointee.characters(decoded.bytes)
  }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard let base = text.baseAddress else { return }
    if place.capture == .raw {
      buffer.append(base, text.count)
    } else {
      Self.escape(base, text.count, into: &buffer)
    }
  }

  /// Returns as much of the text as fits into its field.
  @inline(__always)
  private mutating func fitting(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let waiting = pending.depth == 0 ? 0 : pending.bytes.count
    let room = limits.maximumFieldBytes &- (buffer.count &- frames[place.depth &- 1].fieldStart) &- waiting
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

  mutating func noteLongField() {
    note(.fieldBytes, "a field is longer than \(limits.maximumFieldBytes) bytes; its end was left out")
  }

  /// Replaces references, and line ends by line feeds (XML 1.0 section 2.11).
  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>,
    hasReferences: Bool,
    hasReturns: Bool,
    into output: inout ByteBuffer
  ) {
    guard var position = text.baseAddress else { return }
    let end = position + text.count
    output.reserve(text.count)
    while hasReferences, let ampersand = ByteScan.find(UInt8(ascii: "&"), position, end) {
      appendLines(position, ampersand, hasReturns, into: &output)
      let (character, length) = XMLReference.read(ampersand, end)
      if length == 0 {
        output.append(UInt8(ascii: "&"))
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
    while hasReturns, let found = ByteScan.find(UInt8(ascii: "\r"), position, end) {
      output.append(position, found - position)
      position = found + 1
      if position == end || position.pointee != UInt8(ascii: "\n") { output.append(UInt8(ascii: "\n")) }
    }
    output.append(position, end - position)
  }

  /// Passes a processing instruction to the check.
  func instruction(_ target: UnsafePointer<UInt8>) {
    settings.walk?.pointee.instruction(String(cString: target))
  }
}
