import CSQLite
import Glibc
import NewsCore

/// Makes a store readable whose schema is destroyed, but not the header before it: the tables of every store begin at the same
/// pages, so that the schema can be taken from a new one.
enum SchemaTransplant {
  /// - Parameters:
  ///   - source: The damaged store.
  ///   - other: Another connection to it, outside of a transaction.
  ///   - scratch: Where a copy with another schema may be made.
  /// - Returns: `source`, or a connection to the copy where the schema of `source` cannot be read.
  /// - Throws: `full` when there is no room for the copy.
  static func readable(
    _ source: Connection,
    copying other: Connection,
    scratch: String
  ) throws(StoreError) -> Connection {
    guard !hasSchema(source) else { return source }
    do {
      let copy = try Connection(path: scratch, access: .creating, patience: 0, toleratesDamage: true)
      try NewsStore.copyPages(other, to: copy)
    } catch {
      guard error.code != .full else { throw error }
      return source
    }
    // The tables of a compacted store begin at other pages.
    let models = [
      try Model(beside: scratch, isCompacted: false), try Model(beside: scratch, isCompacted: true),
    ]
    guard let file = PatchedFile(scratch),
      let model = models.max(by: { file.matches($0) < file.matches($1) })
    else { return source }
    file.write(model)
    return try Connection(path: scratch, access: .writing, patience: 0, toleratesDamage: true)
  }

  private static func hasSchema(_ connection: Connection) -> Bool {
    (ExportTable.all.map(\.name) + ["items", "contents", "articles", "versions"]).allSatisfy { table in
      do {
        _ = try connection.integer("SELECT 1 FROM \(table) LIMIT 0")
        return true
      } catch {
        return false
      }
    }
  }

  /// An empty store, as bytes.
  fileprivate struct Model {
    static let pageSize = 8192

    var bytes: [UInt8] = []
    /// Pages of the schema, page 1 among them.
    var schemaPages: [Int] = []
    /// First pages of tables and indexes, with the kinds of page that may be there.
    var roots: [(page: Int, kinds: [UInt8])] = []

    init(beside path: String, isCompacted: Bool) throws(StoreError) {
      let path = path + ".model"
      unlink(path)
      defer { unlink(path) }
      do {
        let connection = try Connection(path: path, access: .creating, patience: 0)
        try connection.execute("PRAGMA page_size = \(Self.pageSize)")
        try Schema.create(connection)
        if isCompacted { try connection.execute("VACUUM") }
        let row = try connection.prepare("SELECT rootpage, type, sql FROM sqlite_master WHERE rootpage > 1")
        while try row.step() {
          let isIndex =
            row.string(1) == "index" || row.string(2).utf8.suffix(13).elementsEqual("WITHOUT ROWID".utf8)
          roots.append((row.int(0), isIndex ? [0x02, 0x0A] : [0x05, 0x0D]))
        }
      }
      bytes = PatchedFile.contents(of: path)
      schemaPages = [1]
      // Page 1 is an interior page of the schema when that does not fit into one (SQLite, "Database File Format" 1.6).
      guard bytes.count > Self.pageSize, bytes[100] == 0x05 else { return }
      let file = bytes
      func number(_ place: Int, _ count: Int) -> Int {
        file[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
      }
      for cell in 0..<number(103, 2) { schemaPages.append(number(number(112 + 2 * cell, 2), 4)) }
      schemaPages.append(number(108, 4))
    }
  }

  /// A file that is written page by page; no connection has it open.
  fileprivate final class PatchedFile {
    private let descriptor: Int32

    init?(_ path: String) {
      descriptor = open(path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// How many tables and indexes may begin where they do in `model`.
    func matches(_ model: Model) -> Int {
      model.roots.count { page, kinds in
        var kind: UInt8 = 0
        return pread(descriptor, &kind, 1, off_t((page - 1) * Model.pageSize)) == 1 && kinds.contains(kind)
      }
    }

    /// Overwrites the schema. The file's header stays: it counts the pages.
    func write(_ model: Model) {
      for page in model.schemaPages {
        let start = (page - 1) * Model.pageSize
        let skipped = page == 1 ? 100 : 0
        guard start >= 0, start + Model.pageSize <= model.bytes.count else { continue }
        model.bytes.withUnsafeBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          _ = pwrite(descriptor, base + start + skipped, Model.pageSize - skipped, off_t(start + skipped))
        }
      }
    }

    static func contents(of path: String) -> [UInt8] {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return [] }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return [] }
      var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
      let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
      return count == bytes.count ? bytes : []
    }
  }
}
