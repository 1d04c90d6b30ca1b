/// The prepared statements of a connection that are not in use, found by their text.
///
/// The table does not use Swift's hashing. A refresh takes and returns about twenty statements for each item; hashing
/// their texts took longer than running some of them.
struct StatementCache {
  /// Number of first slots; a power of two. It limits the number of kept statements, because the number of distinct queries
  /// is unbounded.
  private static let slots = 128
  /// Number of consecutive slots in which a statement may be.
  private static let reach = 4

  private struct Entry {
    var sql: String
    var statement: OpaquePointer
  }

  private var entries = [Entry?](repeating: nil, count: slots + reach)

  /// All kept statements.
  var statements: [OpaquePointer] { entries.compactMap { $0?.statement } }

  /// Removes and returns the statement with this text; nil if there is none.
  mutating func take(_ sql: String) -> OpaquePointer? {
    guard let slot = Self.reach(of: sql).first(where: { entries[$0]?.sql == sql }) else { return nil }
    let statement = entries[slot]?.statement
    entries[slot] = nil
    return statement
  }

  /// Keeps a statement for its next use, unless one with the same text is kept already. Returns the statement
  /// that the caller must finalize: the given or the replaced one; nil if there was room.
  mutating func keep(_ statement: OpaquePointer, sql: String) -> OpaquePointer? {
    let reach = Self.reach(of: sql)
    let slot = reach.first { slot in entries[slot].map { $0.sql == sql } ?? true } ?? reach.lowerBound
    let former = entries[slot]
    if former?.sql == sql { return statement }
    entries[slot] = Entry(sql: sql, statement: statement)
    return former?.statement
  }

  /// Returns the slots for a text. Length and last bytes differ enough between statements.
  private static func reach(of sql: String) -> Range<Int> {
    var sql = sql
    let mark = sql.withUTF8 { bytes in
      bytes.suffix(8).reduce(UInt64(bytes.count)) { $0 &* 257 &+ UInt64($1) }
    }
    let first = Int((mark ^ mark >> 32) % UInt64(slots))
    return first..<first + reach
  }
}
