import NewsCore
import NewsToolbox
import Testing

@Suite struct `Headers of pictures` {
  private static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
  private static func little(_ number: Int, _ count: Int) -> [UInt8] { big(number, count).reversed() }

  private static let ico =
    [0, 0, 1, 0, 2, 0]
    + ([16, 16, 0, 0, 1, 0, 32, 0] + little(4, 4) + little(38, 4))
    + ([0, 0, 0, 0, 1, 0, 32, 0] + little(2, 4) + little(42, 4)) + [UInt8](repeating: 7, count: 6)

  /// A picture of each type, with 48 by 32 pixels, except the ICO.
  private static let pictures: [(PictureType, [UInt8], width: Int, height: Int)] = [
    (.png, [0x89] + Array("PNG\r\n\u{1A}\n\0\0\0\rIHDR".utf8) + big(48, 4) + big(32, 4), 48, 32),
    (.gif, Array("GIF89a".utf8) + little(48, 2) + little(32, 2), 48, 32),
    (
      .jpeg,
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 11, 8] + big(32, 2) + big(48, 2), 48, 32
    ),
    (
      .webp,
      Array("RIFF____WEBPVP8 ____".utf8) + [0, 0, 0, 0x9D, 0x01, 0x2A] + little(48, 2) + little(32, 2), 48,
      32
    ),
    (.webp, Array("RIFF____WEBPVP8L____/".utf8) + little(47 | 31 << 14, 4), 48, 32),
    (.webp, Array("RIFF____WEBPVP8X________".utf8) + little(47, 3) + little(31, 3), 48, 32),
    (.ico, ico, 256, 256),
    (
      .avif,
      Array("\0\0\0\u{14}ftypavif\0\0\0\0mif1____ispe\0\0\0\0".utf8) + big(48, 4) + big(32, 4), 48, 32
    ),
  ]

  @Test func `The type and the size are read from the bytes`() throws {
    for (type, bytes, width, height) in Self.pictures {
      let header = try #require(PictureHeader(bytes), "\(type)")
      #expect(header.type == type)
      #expect(header.width == width, "\(type)")
      #expect(header.height == height, "\(type)")
    }
  }

  @Test func `Every beginning of a picture is refused or read without its end`() {
    for (type, bytes, width, _) in Self.pictures {
      for count in 0..<bytes.count {
        let header = PictureHeader(Array(bytes.prefix(count)))
        #expect(header == nil || header?.type == type && header?.width == width, "\(type) \(count)")
      }
    }
  }

  @Test(arguments: [
    "<html><body>not found</body></html>", "<svg xmlns='http://www.w3.org/2000/svg'/>", "GIF89a\0\0\0\0",
    "\0\0\u{1}\0\0\0", "BM______", "",
  ])
  func `Other content is not a picture`(_ text: String) { #expect(PictureHeader(Array(text.utf8)) == nil) }

  @Test func `The directory of an ICO must not lead beyond its end`() {
    #expect(PictureHeader(Self.ico.dropLast()) == nil)
    #expect(PictureHeader([0, 0, 1, 0, 255, 255] + [UInt8](repeating: 1, count: 64)) == nil)
  }
}
