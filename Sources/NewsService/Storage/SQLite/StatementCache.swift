/// The prepared statements of a connection that are not in use, found by their text.
///
/// A table without Swift's hashing: refreshing takes and returns some twenty statements for each item, and hashing their
/// texts took longer than some of them run.
struct StatementCache {
  /// A power of two. The number of distinct queries is unbounded, the number of kept statements is not.
  private static let slots = 128
  /// The number of slots in which a statement may be.
  private static let reach = 4

  private struct Entry {
    var sql: String
    var statement: OpaquePointer
  }

  private var entries = [Entry?](repeating: nil, count: slots)

  /// All kept statements.
  var statements: [OpaquePointer] { entries.compactMap { $0?.statement } }

  /// Removes and returns the statement with this text; nil if there is none.
  mutating func take(_ sql: String) -> OpaquePointer? {
    let first = Self.slot(of: sql)
    for step in 0..<Self.reach {
      let index = (first + step) % Self.slots
      guard let entry = entries[index], entry.sql == sql else { continue }
      entries[index] = nil
      return entry.statement
    }
    return nil
  }

  /// Keeps a statement. Returns the statement that it replaces and that is to be finalized; nil if there was room.
  mutating func keep(_ statement: OpaquePointer, sql: String) -> OpaquePointer? {
    let first = Self.slot(of: sql)
    for step in 0..<Self.reach {
      let index = (first + step) % Self.slots
      guard let entry = entries[index] else {
        entries[index] = Entry(sql: sql, statement: statement)
        return nil
      }
      if entry.sql == sql { return statement }
    }
    let replaced = entries[first]?.statement
    entries[first] = Entry(sql: sql, statement: statement)
    return replaced
  }

  /// The length and the last bytes tell statements apart well enough.
  private static func slot(of sql: String) -> Int {
    var sql = sql
    let mark = sql.withUTF8 { bytes in
      bytes.suffix(8).reduce(UInt64(bytes.count)) { $0 &* 257 &+ UInt64($1) }
    }
    return Int((mark ^ mark >> 32) % UInt64(slots))
  }
}
