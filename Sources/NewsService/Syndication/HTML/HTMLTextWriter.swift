import NewsToolbox

/// Writes plain text: collapses white space and puts each block on its own line.
struct HTMLTextWriter: ~Copyable {
  private(set) var buffer = ByteBuffer(capacity: 1024)
  /// Line breaks to write before the next text: 0, 1 or 2.
  private var breaks = 0
  private var endsInSpace = true
  private var ruby = RubyText()
  /// Number of open elements that preserve white space.
  var preformatted = 0
  /// False to write a single line, as for titles.
  let keepsLines: Bool

  init(keepsLines: Bool = true) {
    self.keepsLines = keepsLines
  }

  /// Removes the text and frees a large buffer.
  mutating func clear() {
    removeAll()
    buffer.shrink(toAtMost: 1 << 18)
  }

  mutating func removeAll() {
    buffer.removeAll()
    breaks = 0
    endsInSpace = true
    preformatted = 0
    ruby.removeAll()
  }

  /// Begins a `ruby` or one of its parts.
  mutating func startRuby(_ element: HTMLElement) {
    ruby.start(element)
  }

  mutating func endRuby(_ element: HTMLElement) {
    if ruby.end(element) { writeReadings() }
  }

  private mutating func writeReadings() {
    var text = ruby.finish()
    text.withUTF8 { if let start = $0.baseAddress { append(start, $0.count) } }
  }

  /// Begins or ends a block. With `isSpaced`, an empty line separates the block from the text around it.
  @inline(__always)
  mutating func endLine(isSpaced: Bool) {
    if ruby.endBlock() { writeReadings() }
    breaks = max(breaks, isSpaced ? 2 : 1)
  }

  mutating func lineBreak() {
    if preformatted > 0 {
      flush()
      buffer.append(UInt8(ascii: "\n"))
    } else {
      breaks = min(breaks &+ 1, 2)
    }
  }

  /// Writes a space between two cells.
  mutating func space() {
    guard breaks == 0, !endsInSpace, !buffer.isEmpty else { return }
    buffer.append(UInt8(ascii: " "))
    endsInSpace = true
  }

  @inline(__always)
  private mutating func flush() {
    if breaks > 0 { writeBreaks() }
  }

  private mutating func writeBreaks() {
    if !buffer.isEmpty {
      if buffer.last == UInt8(ascii: " ") { buffer.truncate(to: buffer.count - 1) }
      if keepsLines {
        buffer.append(UInt8(ascii: "\n"))
        if breaks > 1 { buffer.append(UInt8(ascii: "\n")) }
      } else {
        buffer.append(UInt8(ascii: " "))
      }
    }
    breaks = 0
    endsInSpace = true
  }

  /// Appends text. Control characters count as white space.
  @inline(__always)
  mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
    if ruby.isInAnnotation {
      ruby.appendAnnotation(UnsafeBufferPointer(start: start, count: length))
      return
    }
    if preformatted > 0 {
      flush()
      buffer.append(start, length)
      return
    }
    var index = 0
    if breaks > 0 {
      while index < length, start[index] <= UInt8(ascii: " ") { index &+= 1 }
      if index == length { return }
      writeBreaks()
    }
    buffer.reserve(length &- index)
    let target = buffer.base + buffer.count
    var written = 0
    var previousIsSpace: UInt8 = endsInSpace ? 1 : 0
    while index < length {
      // Copy eight bytes at once while they contain no white space except single spaces.
      if previousIsSpace == 0 {
        while index &+ 9 <= length {
          let block = UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self)
          let next = UnsafeRawPointer(start + index + 1).loadUnaligned(as: UInt64.self)
          guard Self.belowSpace(block) | (Self.spaces(block) & Self.spaces(next)) == 0 else { break }
          UnsafeMutableRawPointer(target + written).storeBytes(of: block, as: UInt64.self)
          index &+= 8
          written &+= 8
        }
        previousIsSpace = written > 0 && target[written &- 1] == UInt8(ascii: " ") ? 1 : 0
      }
      // Branch-free: every space is written, and overwritten by the next byte unless it is the first of its run.
      let stop = min(length, index &+ 8)
      while index < stop {
        let byte = start[index]
        let isSpace: UInt8 = byte <= UInt8(ascii: " ") ? 1 : 0
        target[written] = isSpace != 0 ? UInt8(ascii: " ") : byte
        written &+= Int(1 &- (isSpace & previousIsSpace))
        previousIsSpace = isSpace
        index &+= 1
      }
    }
    endsInSpace = previousIsSpace != 0
    buffer.advance(written)
  }

  /// Sets the high bit of each byte below 0x20, and possibly of bytes above such a byte.
  @inline(__always)
  private static func belowSpace(_ word: UInt64) -> UInt64 {
    (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
  }

  /// Sets the high bit of each space, and possibly of bytes above a space.
  @inline(__always)
  private static func spaces(_ word: UInt64) -> UInt64 {
    let zero = word ^ 0x2020_2020_2020_2020
    return (zero &- 0x0101_0101_0101_0101) & ~zero & 0x8080_8080_8080_8080
  }

  @inline(__always)
  mutating func append(_ reference: HTMLEntities.Reference) {
    if reference.byteCount == 1 {
      var byte = UInt8(truncatingIfNeeded: reference.bytes)
      append(&byte, 1)
    } else if ruby.isInAnnotation {
      withUnsafeBytes(of: reference.bytes) {
        ruby.appendAnnotation($0.bindMemory(to: UInt8.self).extracting(0..<reference.byteCount))
      }
    } else {
      flush()
      buffer.append(reference)
      endsInSpace = false
    }
  }

  /// Writes pending ruby readings and removes trailing white space.
  mutating func complete() {
    if ruby.endBlock() { writeReadings() }
    while buffer.last <= UInt8(ascii: " "), !buffer.isEmpty { buffer.truncate(to: buffer.count - 1) }
  }

  /// Returns the text without trailing white space, and empties the writer.
  mutating func finish() -> String {
    complete()
    let result = buffer.takeString()
    buffer.shrink(toAtMost: 1 << 18)
    return result
  }
}
