import Glibc
import NewsCore
import NewsToolbox

/// The first 100 bytes of a store's file (SQLite, "Database File Format" 1.3). Most of them are the same in every store,
/// so a damaged header can be rebuilt.
struct StoreHeader {
  static let pageSize = 8192

  /// The header as read. `rebuilt` is the header without damage.
  private let bytes: [UInt8]
  let rebuilt: [UInt8]

  /// Reads the header of a store. Returns nil if the second page shows that the file is no store, if the file
  /// has another layout, or if the header is that of another program's intact database. `read` returns a
  /// number of bytes at an offset; nil if the file has fewer.
  init?(size: Int64, reading read: (_ count: Int, _ offset: Int) -> [UInt8]?) {
    guard let bytes = read(100, 0), let page = read(Self.pageSize, Self.pageSize),
      let mark = StoreFileRow(page: page), mark.id.utf8.count == 32, mark.id.utf8.allSatisfy(Self.isHexDigit)
    else { return nil }
    var header = HeaderBytes(bytes: bytes)
    let layout = header.number(60)
    let isOwn = header.number(68) == Schema.applicationID
    // A store in which an import has begun is neither whole nor damaged.
    let unfinished = Int64(UInt32(bitPattern: Int32(-Schema.version)))
    if Self.otherLayout(of: bytes) != nil || (isOwn && layout == unfinished) { return nil }
    header.set(0, to: Array("SQLite format 3\0".utf8))
    header.set(16, to: [UInt8(Self.pageSize >> 8), 0])
    // Write and read format: 2 with a WAL, 1 without.
    if bytes[18] != bytes[19] || !(1...2).contains(bytes[18]) { header.set(18, to: [2, 2]) }
    // Rebuild four bytes: no reserved space, and the fixed fractions of a page's payload.
    header.set(20, to: [0, 64, 32, 32])
    let pages = size / Int64(Self.pageSize)
    let hasFreePages = header.number(32) <= pages && header.number(36) < pages
    if !hasFreePages { header.set(32, to: [UInt8](repeating: 0, count: 8)) }
    // Schema format 4, no suggested cache size, no automatic vacuum, UTF-8.
    header.set(44, to: [0, 0, 0, 4] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 1])
    header.set(64, to: 0)
    header.set(72, to: [UInt8](repeating: 0, count: 20))
    if !isOwn, header.bytes == bytes { return nil }
    // The tables tell of which layout a store is whose header does not.
    if !isOwn || layout != Schema.version {
      guard (try? SchemaPages(reading: read).mayBeOfThisLayout()) == true else { return nil }
    }
    header.set(60, to: Int64(Schema.version))
    header.set(68, to: Schema.applicationID)
    if header.bytes != bytes {
      // SQLite trusts the page count only if the change counter (offset 24) equals the number at offset 92: write the
      // count and make the two equal.
      header.set(28, to: pages)
      header.set(92, to: header.number(24))
    }
    self.bytes = bytes
    rebuilt = header.bytes
  }

  /// Reads the header of a file that this process has not opened with SQLite.
  init?(path: String) {
    guard let file = try? FileBytes.open(path, flags: O_NONBLOCK) else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return nil }
    self.init(size: Int64(status.st_size)) { count, offset in
      FileBytes.read(file, upTo: count, at: offset).flatMap { $0.count == count ? $0 : nil }
    }
  }

  /// Returns the pages that a file of this size lacks according to its header. Nil if it has all pages, or if the header is not
  /// that of a store.
  static func missingPages(
    _ header: [UInt8],
    of size: Int64
  ) -> (pages: ClosedRange<Int64>, message: String)? {
    func number(_ place: Int, _ count: Int) -> Int64 {
      header[place..<(place + count)].reduce(0) { $0 << 8 | Int64($1) }
    }
    let pageSize = number(16, 2) == 1 ? 65_536 : number(16, 2)
    let count = number(28, 4)
    guard header.starts(with: "SQLite format 3\0".utf8), number(68, 4) == Schema.applicationID, pageSize > 0,
      size < count * pageSize
    else { return nil }
    let message = "the file is truncated: it has \(size) of \(count * pageSize) bytes"
    return ((size / pageSize + 1)...count, message)
  }

  var isDamaged: Bool { bytes != rebuilt }

  /// The layout in the header of a store that another newsd wrote; nil for other files.
  static func otherLayout(of bytes: [UInt8]) -> Int? {
    let header = HeaderBytes(bytes: bytes)
    let layout = Int(header.number(60))
    let isOther = header.number(68) == Schema.applicationID && layout != Schema.version
    return isOther && Schema.possibleVersions.contains(layout) ? layout : nil
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}

/// Reads and changes big-endian numbers of a header.
private struct HeaderBytes {
  var bytes: [UInt8]

  func number(_ place: Int) -> Int64 { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int64($1) } }

  mutating func set(_ place: Int, to new: [UInt8]) {
    bytes.replaceSubrange(place..<(place + new.count), with: new)
  }

  mutating func set(_ place: Int, to number: Int64) {
    set(place, to: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
  }
}

extension Connection {
  /// Returns the state of the schema. If SQLite cannot read the file, or reads it as that of another program, the bytes
  /// of its header decide: a store of another layout is not called damaged, and a damaged one is.
  func schemaState() throws(StoreError) -> Schema.State {
    do {
      return try Schema.state(of: self)
    } catch {
      guard error.code == .corrupt else { throw error }
      if let layout = readFile(100, at: 0).flatMap(StoreHeader.otherLayout) {
        throw .otherLayout(of: path, found: layout, known: Schema.version, isFile: true)
      }
      var status = stat()
      guard stat(path, &status) == 0,
        let header = StoreHeader(size: Int64(status.st_size), reading: { readFile($0, at: $1) }),
        header.isDamaged
      else { throw error }
      throw .damagedHeader(path)
    }
  }

  /// Checks the header of the file, its size and the page of the table `file`. Returns an error if one of them is damaged. SQLite
  /// would not notice, because it may have these pages in memory or in the WAL.
  ///
  /// While a checkpoint writes the page, or a copy the whole file, the result may be wrong.
  func visibleDamage() -> StoreError? {
    guard let bytes = readFile(100, at: 0), bytes.starts(with: "SQLite format 3\0".utf8) else {
      return .damagedHeader(path)
    }
    let header = HeaderBytes(bytes: bytes)
    let isOwn = header.number(68) == Schema.applicationID
    // The first transactions of a new store are in its WAL only.
    if !isOwn, header.number(68) == 0, header.number(28) <= 1 { return nil }
    guard isOwn else { return .damagedHeader(path) }
    if let truncation = truncation(header: bytes) { return truncation }
    guard known.wasRead, fileMark() == nil else { return nil }
    return .damaged(path, "page \(StoreFileRow.page) of the file cannot be read")
  }

  /// False if a checkpoint would destroy a file that was copied onto the store's, or hide damage: SQLite gives a file that lacks up
  /// to 64 KiB its full length again, with zeros.
  var mayCheckpoint: Bool {
    !wasOverwritten() && readFile(100, at: 0).flatMap { truncation(header: $0) } == nil
  }

  /// Returns an error if the file, which has this header, is a store and lacks pages.
  private func truncation(header: [UInt8]) -> StoreError? {
    // After the header: a checkpoint writes the number of pages first. A killed checkpoint leaves pages in the WAL only.
    guard let size = fileSize(), let missing = StoreHeader.missingPages(header, of: size),
      StoreFileRowsOfWAL(path: path + "-wal")?.hasPages(missing.pages) != true
    else { return nil }
    return .damaged(path, missing.message)
  }
}

extension StoreError {
  /// The error for a store whose header names no layout, and whose tables are not those of this layout.
  static func unknownLayout(_ path: String) -> StoreError {
    StoreError(
      code: .corrupt,
      message: "the header of the store \(path) names no layout, and its tables are not those of layout "
        + "\(Schema.version). It was not changed. Run 'newsd check --repair' with the newsd that wrote it, "
        + "or put a backup in its place with 'newsd restore FILE'"
    )
  }

  static func unfinished(_ path: String) -> StoreError {
    StoreError(
      code: .unreadable,
      message: "the store \(path) is unfinished, because 'newsd copy' or 'newsd import' was interrupted. "
        + "Run the same command again, or remove the file"
    )
  }

  static func damagedHeader(_ path: String) -> StoreError {
    StoreError(
      code: .corrupt,
      message: "the header of the store \(path) is damaged. It was not changed. "
        + "Run 'newsd check --repair', or put a backup in its place with 'newsd restore FILE'"
    )
  }
}

/// The pages of a store's file that hold its schema, read without SQLite (SQLite, "Database File Format" 1.6).
struct SchemaPages {
  private let text: String

  /// - Parameter read: Returns a number of bytes at an offset; nil if the file has fewer.
  init(reading read: (_ count: Int, _ offset: Int) -> [UInt8]?) {
    var bytes = read(StoreHeader.pageSize, 0) ?? []
    for (_, page) in Self.references(onFirst: bytes).prefix(Self.limit) where page > 0 {
      bytes += read(StoreHeader.pageSize, (page - 1) * StoreHeader.pageSize) ?? []
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// A store's schema has two or three pages; a damaged page may name thousands.
  private static let limit = 32

  /// True if the schema has every table of this layout, column for column, and if no table is readable: then the layout
  /// is unknown.
  func mayBeOfThisLayout() throws(StoreError) -> Bool {
    guard text.contains(bytesOf: "CREATE TABLE ") else { return true }
    return try Schema.firstTables().allSatisfy { text.contains(bytesOf: $0) }
  }

  /// The offsets on page 1 that contain the numbers of the schema's other pages, and these numbers. Empty if the whole
  /// schema is on page 1.
  static func references(onFirst page: [UInt8]) -> [(place: Int, page: Int)] {
    func number(_ place: Int, _ count: Int) -> Int {
      page.dropFirst(place).prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
    // An interior b-tree page.
    guard page.count >= StoreHeader.pageSize, page[100] == 0x05 else { return [] }
    let places = (0..<number(103, 2)).map { number(112 + 2 * $0, 2) } + [108]
    return places.map { ($0, number($0, 4)) }
  }
}
