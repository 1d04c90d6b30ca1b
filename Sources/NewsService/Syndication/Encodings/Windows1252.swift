import NewsToolbox

/// Decodes Windows-1252, the actual encoding of documents that declare ISO-8859-1, or that declare nothing
/// and are not UTF-8.
enum Windows1252 {
  /// Code points of the bytes 0x80 to 0x9F. The five unassigned bytes map to control characters, as in the WHATWG
  /// encoding standard.
  static let upperControls: [UInt16] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
    0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
  ]

  static func scalar(_ byte: UInt8) -> UInt16 {
    (0x80...0x9F).contains(byte) ? upperControls[Int(byte - 0x80)] : UInt16(byte)
  }

  /// Passes the text in pieces that end between characters, until `take` returns false.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ take: (UnsafeBufferPointer<UInt8>) -> Bool) {
    guard let base = bytes.baseAddress else { return }
    let size = 32 * 1024
    var piece = ByteBuffer(capacity: size * 3)
    var start = 0
    while start < bytes.count {
      let end = min(start + size, bytes.count)
      piece.removeAll()
      piece.reserve((end - start) * 3)
      var index = start
      while index < end {
        let byte = base[index]
        if byte < 0x80 {
          piece.append(byte)
        } else if byte >= 0xA0 {
          piece.append(0xC0 | byte &>> 6)
          piece.append(0x80 | byte & 0x3F)
        } else {
          let (encoded, count) = HTMLEntities.utf8(UInt32(upperControls[Int(byte - 0x80)]))
          piece.append(HTMLEntities.Reference(length: 0, bytes: encoded, byteCount: count))
        }
        index += 1
      }
      guard take(piece.bytes) else { return }
      start = end
    }
  }
}
