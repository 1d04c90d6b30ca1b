import Glibc
import NewsToolbox

/// The row of the table `file`, decoded from the bytes of its page, either in the store's file (ignoring the WAL) or in
/// a WAL (SQLite, "Database File Format" 1.6 and 4.1). All bytes are untrusted.
struct StoreFileRow: Hashable {
  /// The root page of the table `file`, the first table of the layout.
  static let page: UInt32 = 2

  var id: String
  var commits: Int64

  init(id: String, commits: Int64) {
    self.id = id
    self.commits = commits
  }

  /// Decodes the row from a page. Returns nil if the page is not a leaf with exactly one row.
  init?(page: [UInt8]) {
    var reader = PageReader(bytes: page)
    guard page.first == 0x0D, reader.integer(at: 3, 2) == 1, let cell = reader.integer(at: 8, 2) else {
      return nil
    }
    reader.position = Int(cell)
    // Skip the record size and the rowid.
    guard reader.varint() != nil, reader.varint() != nil else { return nil }
    let start = reader.position
    guard let headerSize = reader.varint(), (3...16).contains(headerSize), let idType = reader.varint(),
      let commitsType = reader.varint(), idType >= 13, idType % 2 == 1, idType < 256
    else { return nil }
    reader.position = start + Int(headerSize)
    guard let id = reader.take(Int(idType - 13) / 2) else { return nil }
    let sizes = [0, 1, 2, 3, 4, 6, 8, 0, 0, 0]
    guard commitsType < 10, commitsType != 7, let value = reader.take(sizes[Int(commitsType)]) else {
      return nil
    }
    self.id = String(decoding: id, as: UTF8.self)
    if commitsType >= 8 {
      commits = commitsType - 8
    } else {
      // Big-endian two's complement.
      let sign: Int64 = value.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
      commits = value.reduce(sign) { $0 << 8 | Int64($1) }
    }
  }

  /// Returns the first 100 bytes of a file; nil if it is shorter.
  static func header(of path: String) -> [UInt8]? { ReadableFile(path)?.read(100, at: 0) }

  /// Decodes the row in the store's file, ignoring the WAL. Returns nil if the row cannot be read.
  init?(inStore path: String) {
    guard let file = ReadableFile(path) else { return nil }
    self.init(reading: { file.read($0, at: $1) })
  }

  /// Decodes the row in a store's file, ignoring the WAL. Returns nil if the row cannot be read. `read`
  /// returns a number of bytes at an offset; nil if the file has fewer.
  init?(reading read: (_ count: Int, _ offset: Int) -> [UInt8]?) {
    guard let header = read(100, 0), header.starts(with: "SQLite format 3\0".utf8) else { return nil }
    let reader = PageReader(bytes: header)
    guard let size = reader.integer(at: 16, 2).map({ $0 == 1 ? 65_536 : Int($0) }), size >= 512,
      let page = read(size, (Int(Self.page) - 1) * size)
    else { return nil }
    self.init(page: page)
  }
}

/// The rows of the table `file` in a WAL, in write order, and the numbers of its pages (SQLite, "Database File Format" 4.1). Rows
/// are decoded when they are asked for, because each page of a large WAL would have to be looked at.
struct StoreFileRowsOfWAL {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  private let file: ReadableFile
  private let pageSize: Int
  private let salts: [UInt8]

  /// Opens a WAL. Nil if the file is not a WAL or cannot be read.
  init?(path: String) {
    guard let file = ReadableFile(path), let header = file.read(Self.headerSize, at: 0) else { return nil }
    let head = PageReader(bytes: header)
    guard let magic = head.integer(at: 0, 4), magic & ~1 == 0x377F_0682, let size = head.integer(at: 8, 4),
      (512...65_536).contains(size)
    else { return nil }
    self.file = file
    pageSize = Int(size)
    salts = Array(header[16..<24])
  }

  /// Returns the first row that fulfils the condition.
  func first(where isWanted: (StoreFileRow) -> Bool) -> StoreFileRow? {
    var index = 0
    while let frame = frame(index) {
      if let row = row(frame, index), isWanted(row) { return row }
      index += 1
    }
    return nil
  }

  /// Returns the last row that fulfils the condition.
  func last(where isWanted: (StoreFileRow) -> Bool) -> StoreFileRow? {
    for index in (0..<frameCount).reversed() {
      if let frame = frame(index), let row = row(frame, index), isWanted(row) { return row }
    }
    return nil
  }

  /// True if the WAL has each of these pages that the store has since the last commit: a restore or a repair may have made it
  /// smaller.
  func hasPages(_ pages: ClosedRange<Int64>) -> Bool {
    var present: Set<Int64> = []
    var size: Int64?
    for index in 0..<frameCount {
      guard let frame = frame(index).map({ PageReader(bytes: $0) }) else { continue }
      if let page = frame.integer(at: 0, 4) { present.insert(page) }
      // The size of the store in pages; 0 if the frame does not end a transaction.
      if let count = frame.integer(at: 4, 4), count > 0 { size = count }
    }
    guard let size else { return false }
    let first = pages.lowerBound
    return (first..<max(first, min(pages.upperBound, size) + 1)).allSatisfy(present.contains)
  }

  /// Number of frames since the WAL was restarted. A restart changes the salts, and frames are written from the start
  /// of the file, so frames with the header's salts precede all others.
  private var frameCount: Int {
    var present = 0
    var absent = 1
    while frame(absent - 1) != nil { (present, absent) = (absent, absent * 2) }
    while absent - present > 1 {
      let middle = (present + absent) / 2
      if frame(middle - 1) != nil { present = middle } else { absent = middle }
    }
    return present
  }

  private func offset(_ index: Int) -> Int { Self.headerSize + index * (Self.frameHeaderSize + pageSize) }

  /// The header of a frame; nil if the frame is missing or was written before the WAL was restarted.
  private func frame(_ index: Int) -> [UInt8]? {
    guard let frame = file.read(Self.frameHeaderSize, at: offset(index)), frame[8..<16].elementsEqual(salts)
    else { return nil }
    return frame
  }

  private func row(_ frame: [UInt8], _ index: Int) -> StoreFileRow? {
    guard PageReader(bytes: frame).integer(at: 0, 4) == Int64(StoreFileRow.page),
      let page = file.read(pageSize, at: offset(index) + Self.frameHeaderSize)
    else { return nil }
    return StoreFileRow(page: page)
  }
}

/// Decodes numbers of SQLite's file format with bounds checks.
private struct PageReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  func integer(at place: Int, _ count: Int) -> Int64? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    return bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int64($1) }
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard position >= 0, position + count <= bytes.count else { return nil }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  /// Reads a variable-length integer of at most four bytes, because the records of `file` have no longer ones.
  mutating func varint() -> Int64? {
    var value: Int64 = 0
    for _ in 0..<4 {
      guard let byte = take(1)?.first else { return nil }
      value = value << 7 | Int64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    return nil
  }
}

/// A file opened for reading at offsets.
private final class ReadableFile {
  private let descriptor: Int32

  init?(_ path: String) {
    guard let descriptor = try? FileBytes.open(path, flags: O_NONBLOCK) else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads bytes at an offset. Returns nil if fewer bytes are available.
  func read(_ count: Int, at offset: Int) -> [UInt8]? {
    guard let bytes = FileBytes.read(descriptor, upTo: count, at: offset), bytes.count == count else {
      return nil
    }
    return bytes
  }
}
