import NewsCore
import NewsFiles
import NewsToolbox
import Testing

@Suite struct `ZIP archives` {
  /// `a.json`, deflated: `[`, 300 spaces, `]`; and `b.json`, stored: `[1]`. Made by Python's zipfile.
  private static let archive: [UInt8] = Array(
    ("UEsDBBQAAAAIAAAAIQA0J4jHCAAAAC4BAAAGAAAAYS5qc29ui1YYBUSDWABQSwMEFAAAAAAAAAAhALgyL0wDAAAAAwAAAAYAAABi"
      + "Lmpzb25bMV1QSwECFAMUAAAACAAAACEANCeIxwgAAAAuAQAABgAAAAAAAAAAAAAAgAEAAAAAYS5qc29uUEsBAhQDFAAAAAAAAAAh"
      + "ALgyL0wDAAAAAwAAAAYAAAAAAAAAAAAAAIABLAAAAGIuanNvblBLBQYAAAAAAgACAGgAAABTAAAAAAA=").utf8
  ).withUnsafeBufferPointer { Base64.decode($0)?.withBytes { Array($0) } ?? [] }
  /// Where the directory begins.
  private static let directory = 0x53

  @Test func `Deflated and stored files are unpacked`() throws {
    #expect(ZipArchive.isLikely(Self.archive))
    let archive = try ZipArchive(Self.archive)
    #expect(archive.entries.map(\.name) == ["a.json", "b.json"])
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 300)
    #expect(
      try archive.contents(of: archive.entries[0]) == [UInt8(ascii: "[")] + spaces + [UInt8(ascii: "]")]
    )
    #expect(try archive.contents(of: archive.entries[1]) == Array("[1]".utf8))
  }

  @Test(arguments: [
    // The declared size of a.json: one byte less and more than the stream has, and 1 GiB.
    (24, [0x2D, 1, 0, 0]), (24, [0x2F, 1, 0, 0]), (24, [0, 0, 0, 0x40]),
    // Encrypted; an unknown method; a packed size and an offset beyond the end.
    (8, [1, 0]), (10, [12, 0]), (20, [0, 0, 0, 1]), (42, [0xF0, 0xFF, 0xFF, 0]),
  ])
  func `A directory that lies is refused`(offset: Int, bytes: [UInt8]) throws {
    var changed = Self.archive
    changed.replaceSubrange(Self.directory + offset..<Self.directory + offset + bytes.count, with: bytes)
    #expect(throws: FileError.self) {
      let archive = try ZipArchive(changed)
      _ = try archive.contents(of: archive.entries[0])
    }
  }

  @Test func `Files that unpack to far more than the archive has bytes are refused before they are unpacked`()
  {
    var changed = Self.archive
    for entry in [Self.directory, Self.directory + 52] {
      changed.replaceSubrange(entry + 24..<entry + 28, with: [0, 0, 0, 0x08])
    }
    let error = #expect(throws: FileError.self) { try ZipArchive(changed) }
    #expect(error?.message.contains("too large") == true)
  }

  @Test func `Every truncated archive is refused`() {
    for count in 0..<Self.archive.count {
      #expect(throws: FileError.self) { try ZipArchive(Array(Self.archive.prefix(count))) }
    }
  }
}
