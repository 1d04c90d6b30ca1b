import NewsToolbox

/// Reads the attributes of a start tag again, because the table does not keep them.
struct TagReader {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ page: UnsafePointer<UInt8>, _ element: PageTable.Element) {
    let length = max(Int(element.contentStart - element.start) - 1, 0)
    bytes = UnsafeBufferPointer(start: page + Int(element.start) + min(length, 1), count: max(length - 1, 0))
  }

  private func endOfName() -> Int {
    var end = 0
    while end < bytes.count, !ASCII.isSpace(bytes[end]), bytes[end] != UInt8(ascii: "/") { end += 1 }
    return end
  }

  /// True if the tag has this name, which must be in lower case.
  func isNamed(_ name: [UInt8]) -> Bool {
    let end = endOfName()
    guard end == name.count else { return false }
    for index in 0..<end where ASCII.lowercase(bytes[index]) != name[index] { return false }
    return true
  }

  var nameHash: UInt64 {
    var hash = FNV1a<UInt64>()
    for index in 0..<endOfName() { hash.add(ASCII.lowercase(bytes[index])) }
    return hash.value | 0x100
  }

  func value(_ name: StaticString) -> [UInt8]? {
    value(Array(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)))
  }

  /// Returns the value of the first attribute with this name (in lower case), with its references decoded.
  func value(_ name: [UInt8]) -> [UInt8]? {
    var position = endOfName()
    while position < bytes.count {
      let byte = bytes[position]
      if ASCII.isSpace(byte) || byte == UInt8(ascii: "/") {
        position += 1
        continue
      }
      let start = position
      repeat { position += 1 } while position < bytes.count && !Self.endsName(bytes[position])
      let end = position
      while position < bytes.count, ASCII.isSpace(bytes[position]) { position += 1 }
      var value = 0..<0
      if position < bytes.count, bytes[position] == UInt8(ascii: "=") {
        position += 1
        while position < bytes.count, ASCII.isSpace(bytes[position]) { position += 1 }
        value = readValue(&position)
      }
      if end - start == name.count,
        (0..<name.count).allSatisfy({ ASCII.lowercase(bytes[start + $0]) == name[$0] })
      {
        return decoded(value)
      }
    }
    return nil
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "=") || byte == UInt8(ascii: "/") || ASCII.isSpace(byte)
  }

  private func readValue(_ position: inout Int) -> Range<Int> {
    guard position < bytes.count else { return position..<position }
    let quote = bytes[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = position + 1
      position = bytes[start...].firstIndex(of: quote) ?? bytes.count
      defer { position += 1 }
      return start..<position
    }
    let start = position
    while position < bytes.count, !ASCII.isSpace(bytes[position]) { position += 1 }
    return start..<position
  }

  private func decoded(_ range: Range<Int>) -> [UInt8] {
    guard bytes[range].contains(UInt8(ascii: "&")) else { return Array(bytes[range]) }
    var output = ByteBuffer(capacity: range.count + 8)
    HTMLEntities.shared.decode(UnsafeBufferPointer(rebasing: bytes[range]), into: &output, inAttribute: true)
    return Array(output.bytes)
  }
}
