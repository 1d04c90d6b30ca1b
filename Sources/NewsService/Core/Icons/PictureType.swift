/// A type of pictures that newsd serves. SVG is not one of them, because it can contain scripts.
public enum PictureType: String, Hashable, Sendable, CaseIterable {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"
  case ico = "image/x-icon"
  case avif = "image/avif"
}

/// The type and size of a picture, read from its bytes. What the server says is not trusted.
public struct PictureHeader: Hashable, Sendable {
  public var type: PictureType
  /// In pixels. For an ICO, those of its largest picture.
  public var width: Int
  public var height: Int

  /// Returns nil if the bytes are not a picture of a known type, or if its size is missing.
  public init?(_ bytes: [UInt8]) {
    guard let (type, size) = Self.read(PictureReader(bytes: bytes)), size.width > 0, size.height > 0 else {
      return nil
    }
    self.type = type
    (width, height) = size
  }

  private static func read(_ picture: PictureReader) -> (PictureType, PictureReader.Size)? {
    for type in PictureType.allCases {
      let size =
        switch type {
        case .png: picture.png
        case .jpeg: picture.jpeg
        case .gif: picture.gif
        case .webp: picture.webp
        case .ico: picture.ico
        case .avif: picture.avif
        }
      if let size { return (type, size) }
    }
    return nil
  }
}

/// Reads sizes from the headers of pictures. All bytes are untrusted.
private struct PictureReader {
  typealias Size = (width: Int, height: Int)

  let bytes: [UInt8]

  private func has(_ text: StaticString, at offset: Int) -> Bool {
    text.withUTF8Buffer { expected in
      offset >= 0 && offset + expected.count <= bytes.count
        && bytes[offset..<offset + expected.count].elementsEqual(expected)
    }
  }

  /// A big-endian number of `count` bytes; nil beyond the end.
  private func big(_ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private func little(_ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// PNG 1.2, 11.2.2.
  var png: Size? {
    guard bytes.first == 0x89, has("PNG\r\n\u{1A}\n", at: 1), has("IHDR", at: 12), let width = big(16, 4),
      let height = big(20, 4)
    else { return nil }
    return (width, height)
  }

  /// GIF89a, 18.
  var gif: Size? {
    guard has("GIF87a", at: 0) || has("GIF89a", at: 0), let width = little(6, 2), let height = little(8, 2)
    else { return nil }
    return (width, height)
  }

  /// The size in the first frame header (ITU-T T.81, B.2.2).
  var jpeg: Size? {
    guard big(0, 2) == 0xFFD8 else { return nil }
    var offset = 2
    while let marker = big(offset, 2), marker > 0xFF00 {
      // Markers may be preceded by any number of fill bytes.
      if marker == 0xFFFF {
        offset += 1
        continue
      }
      let isFrame = (0xFFC0...0xFFCF).contains(marker) && ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker)
      if isFrame, let height = big(offset + 5, 2), let width = big(offset + 7, 2) { return (width, height) }
      guard let length = big(offset + 2, 2), length >= 2 else { return nil }
      offset += 2 + length
    }
    return nil
  }

  /// RFC 9649, 2.5 to 2.7, and RFC 6386, 9.1.
  var webp: Size? {
    guard has("RIFF", at: 0), has("WEBP", at: 8) else { return nil }
    if has("VP8X", at: 12), let width = little(24, 3), let height = little(27, 3) {
      return (width + 1, height + 1)
    }
    if has("VP8L", at: 12), little(20, 1) == 0x2F, let bits = little(21, 4) {
      return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
    if has("VP8 ", at: 12), big(23, 3) == 0x9D012A, let width = little(26, 2), let height = little(28, 2) {
      return (width & 0x3FFF, height & 0x3FFF)
    }
    return nil
  }

  /// The largest picture of the directory. A side of 256 pixels is written as 0.
  var ico: Size? {
    guard little(0, 4) == 0x0001_0000, let count = little(4, 2), (1...64).contains(count) else { return nil }
    var largest: Size = (0, 0)
    for entry in 0..<count {
      let start = 6 + 16 * entry
      guard let width = little(start, 1), let height = little(start + 1, 1),
        let length = little(start + 8, 4),
        let offset = little(start + 12, 4), length > 0, offset + length <= bytes.count
      else { return nil }
      let size = (width == 0 ? 256 : width, height == 0 ? 256 : height)
      if size.0 > largest.width { largest = size }
    }
    return largest
  }

  /// The largest of the boxes `ispe` (ISO/IEC 23008-12, 6.5.3), which are near the start. The boxes around them are not
  /// read.
  var avif: Size? {
    guard has("ftypavif", at: 4) || has("ftypavis", at: 4) else { return nil }
    var largest: Size?
    for offset in 8..<max(8, min(bytes.count, 4096)) where has("ispe", at: offset) {
      guard let width = big(offset + 8, 4), let height = big(offset + 12, 4) else { continue }
      if width > largest?.width ?? 0 { largest = (width, height) }
    }
    return largest
  }
}
