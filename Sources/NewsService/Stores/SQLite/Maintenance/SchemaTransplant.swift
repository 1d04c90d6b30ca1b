import NewsStoresShared
import CSQLite
import Glibc
import NewsCore
import NewsToolbox

/// Makes a store readable whose schema is destroyed but whose file header is intact. Root pages are the same in every
/// store that was never compacted, and in every compacted store. Therefore the schema of a new store, compacted or not,
/// may fit: the better match is used.
enum SchemaTransplant {
  /// Returns `source`, or a connection to the copy at `scratch` if the schema of `source` is unreadable.
  /// `other` is another connection to the damaged store, outside a transaction.
  static func readable(
    _ source: Connection,
    copying other: Connection,
    scratch: String
  ) throws(StoreError) -> Connection {
    guard !hasSchema(source) else { return source }
    do {
      let copy = try Connection(path: scratch, access: .creating, busyTimeout: 0, toleratesDamage: true)
      try NewsStore.copyPages(other, to: copy)
    } catch {
      guard error.code != .full else { throw error }
      return source
    }
    // Root pages of a compacted store differ from those of a store that was never compacted.
    let models = [
      try Model(beside: scratch, isCompacted: false), try Model(beside: scratch, isCompacted: true),
    ]
    guard let file = PatchedFile(scratch),
      let model = models.max(by: { file.matches($0) < file.matches($1) })
    else { return source }
    file.write(model)
    return try Connection(path: scratch, access: .writing, busyTimeout: 0, toleratesDamage: true)
  }

  private static func hasSchema(_ connection: Connection) -> Bool {
    let first = ExportTable.all.filter { !$0.isLater }.map(\.name)
    return (first + ["items", "contents", "articles", "versions"]).allSatisfy { table in
      do {
        _ = try connection.number("SELECT 1 FROM \(table) LIMIT 0")
        return true
      } catch {
        return false
      }
    }
  }

  /// The file content of an empty store.
  fileprivate struct Model {
    static let pageSize = 8192

    var bytes: [UInt8] = []
    /// See `SchemaPages.references`.
    var references: [(place: Int, page: Int)] = []
    /// Root pages of tables and indexes, each with its possible page types.
    var roots: [(page: Int, kinds: [UInt8])] = []

    init(beside path: String, isCompacted: Bool) throws(StoreError) {
      let path = path + ".model"
      defer { unlink(path) }
      do {
        let connection = try Connection(path: path, access: .creating, busyTimeout: 0)
        try connection.execute("PRAGMA page_size = \(Self.pageSize)")
        try Schema.create(connection)
        if isCompacted { try connection.execute("VACUUM") }
        roots = try connection.rows("SELECT rootpage, type, sql FROM sqlite_master WHERE rootpage > 1") {
          row in
          let isIndex =
            row.string(1) == "index" || row.string(2).utf8.suffix(13).elementsEqual("WITHOUT ROWID".utf8)
          return (row.int(0), isIndex ? [0x02, 0x0A] : [0x05, 0x0D])
        }
      }
      bytes = (try? FileBytes.read(path)) ?? []
      references = SchemaPages.references(onFirst: Array(bytes.prefix(Self.pageSize)))
    }
  }

  /// A file patched page by page while no connection has it open.
  fileprivate final class PatchedFile {
    private let descriptor: Int32

    init?(_ path: String) {
      descriptor = open(path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Counts the roots of `model` that have a plausible page type in this file.
    func matches(_ model: Model) -> Int {
      model.roots.count { page, kinds in
        var kind: UInt8 = 0
        return pread(descriptor, &kind, 1, off_t((page - 1) * Model.pageSize)) == 1 && kinds.contains(kind)
      }
    }

    /// Overwrites the schema on page 1 and appends the schema's other pages: a compacted store may have items on the
    /// pages that the model uses. Keeps the file header except for the page count.
    func write(_ model: Model) {
      guard model.bytes.count >= Model.pageSize else { return }
      var first = Array(model.bytes[..<Model.pageSize])
      func put(_ number: Int, at place: Int) {
        for index in 0..<4 { first[place + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
      }
      var count = Int(lseek(descriptor, 0, SEEK_END)) / Model.pageSize
      for (place, page) in model.references where page * Model.pageSize <= model.bytes.count {
        count += 1
        put(count, at: place)
        let start = (page - 1) * Model.pageSize
        write(model.bytes[start..<(start + Model.pageSize)], at: (count - 1) * Model.pageSize)
      }
      put(count, at: Self.pageCountPlace)
      write(first[100...], at: 100)
      write(first[Self.pageCountPlace..<(Self.pageCountPlace + 4)], at: Self.pageCountPlace)
    }

    /// The offset of the "in-header database size" (SQLite, "Database File Format" 1.3.9).
    private static let pageCountPlace = 28

    private func write(_ bytes: ArraySlice<UInt8>, at place: Int) {
      bytes.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, $0.count, off_t(place)) }
    }

  }
}
