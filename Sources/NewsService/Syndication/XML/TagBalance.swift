import NewsToolbox

/// Finds the element names of an ill-formed document that have as many end tags as start tags.
///
/// Children of such elements belong to them, because the elements were closed. Names are compared without prefix. The
/// document is read once; names beyond the limit count as left open.
struct TagBalance {
  /// Number of start tags without an end tag, by the hash of the name.
  private var open: [UInt64: Int] = [:]

  init(_ document: UnsafeBufferPointer<UInt8>, maximumNames: Int) {
    var position = 0
    while let tag = ByteText.firstIndex(of: UInt8(ascii: "<"), in: document, from: position) {
      position = tag + 1
      guard position < document.count else { return }
      let isEnd = document[position] == UInt8(ascii: "/")
      if isEnd { position += 1 }
      let start = position
      while position < document.count, ByteText.isNameByte(document[position]) { position += 1 }
      guard position > start else { continue }
      let name = Self.hash(document[start..<position])
      guard open[name] != nil || open.count < maximumNames else { continue }
      while position < document.count, document[position] != UInt8(ascii: ">"),
        document[position] != UInt8(ascii: "<")
      {
        position += 1
      }
      let isEmpty = !isEnd && document[position - 1] == UInt8(ascii: "/")
      open[name, default: 0] += isEnd ? -1 : isEmpty ? 0 : 1
    }
  }

  func isClosed(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    open[Self.hash(name[...])] == 0
  }

  /// Hashes the name without its prefix (FNV-1a).
  private static func hash(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
    var hash = FNV1a<UInt64>()
    for byte in name {
      if byte == UInt8(ascii: ":") { hash = FNV1a() } else { hash.add(byte) }
    }
    return hash.value
  }
}
