import NewsStoresShared
import CSQLite
public import NewsCore

/// Reads the databases of other readers: newsboat, FreshRSS, yarr, NetNewsWire and Liferea.
public struct ReaderDatabase: Sendable {
  public init() {}

  public func feeds(inDatabase path: String) throws(StoreError) -> [ImportedFeed] {
    try feeds(try Connection(path: path, access: .reading, busyTimeout: 2_000), name: path)
  }

  /// Reads a database in memory. `name` is for messages.
  public func feeds(inBytes bytes: [UInt8], name: String) throws(StoreError) -> [ImportedFeed] {
    let connection = try Connection(path: ":memory:", access: .creating, busyTimeout: 0)
    guard bytes.count >= 100, let copy = sqlite3_malloc64(UInt64(bytes.count)) else {
      throw StoreError(code: .badQuery, message: "\(name) cannot be imported: it is truncated")
    }
    bytes.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: bytes.count) }
    let content = copy.assumingMemoryBound(to: UInt8.self)
    // The versions of the format for writing and reading: SQLite opens no database in memory that declares a WAL.
    (content[18], content[19]) = (1, 1)
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
    let size = Int64(bytes.count)
    // SQLite frees the copy, also if this fails.
    guard sqlite3_deserialize(connection.raw, "main", content, size, size, flags) == SQLITE_OK else {
      throw StoreError(code: .badQuery, message: "\(name) cannot be imported: SQLite cannot read it")
    }
    do throws(StoreError) { return try feeds(connection, name: name) } catch {
      guard error.code != .badQuery else { throw error }
      throw StoreError(code: .badQuery, message: "\(name) cannot be imported: \(error.message)")
    }
  }

  private func feeds(_ connection: Connection, name: String) throws(StoreError) -> [ImportedFeed] {
    let tables = try ReaderTables(connection, name: name)
    do throws(StoreError) {
      let names = try tables.names()
      guard let format = ReaderFormat.all.first(where: { $0.tables.isSubset(of: names) }) else {
        let known = ReaderFormat.all.map(\.reader).joined(separator: ", ")
        throw StoreError(
          code: .badQuery,
          message: "\(name) is a database of no reader that newsd can import from: \(known)"
        )
      }
      return try connection.snapshot { () throws(StoreError) in try format.read(tables) }
    } catch  where tables.isSpent || error.code == .other {
      let reason = tables.isSpent ? "reading it takes too long for its size" : error.message
      throw StoreError(code: .badQuery, message: "\(name) cannot be imported: \(reason)")
    }
  }
}
