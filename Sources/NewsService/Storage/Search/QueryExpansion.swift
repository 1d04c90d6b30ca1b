import Glibc
import NewsCore

/// Replaces references to saved searches by their queries.
enum QueryExpansion {
  /// Throws `badQuery` for an unknown name and for circular references.
  static func expand(_ query: Query, _ connection: Connection) throws(StoreError) -> Query {
    var budget = 256
    return try expand(query, connection, depth: 0, &budget)
  }

  private static func expand(_ query: Query, _ connection: Connection, depth: Int, _ budget: inout Int)
    throws(StoreError) -> Query
  {
    switch query {
    case .and(let parts): return .and(try expand(parts, connection, depth, &budget))
    case .or(let parts): return .or(try expand(parts, connection, depth, &budget))
    case .not(let inner): return .not(try expand(inner, connection, depth: depth, &budget))
    case .saved(let name):
      // Limit the total: nested searches that each refer to several others would grow exponentially.
      budget -= 1
      guard depth < 16, budget >= 0 else {
        throw StoreError(
          code: .badQuery,
          message: "the saved search \"\(name)\" names itself, or too many others"
        )
      }
      guard let text = try self.query(savedAs: name, connection) else {
        throw StoreError(code: .badQuery, message: "no search is saved as \"\(name)\"")
      }
      return try expand(try read(text), connection, depth: depth + 1, &budget)
    default: return query
    }
  }

  private static func expand(
    _ parts: [Query],
    _ connection: Connection,
    _ depth: Int,
    _ budget: inout Int
  ) throws(StoreError) -> [Query] {
    var expanded: [Query] = []
    for part in parts { expanded.append(try expand(part, connection, depth: depth, &budget)) }
    return expanded
  }

  static func query(savedAs name: String, _ connection: Connection) throws(StoreError) -> String? {
    let statement = try connection.prepare("SELECT query FROM saved_searches WHERE name = ?")
    try statement.bind(1, name)
    return try statement.step() ? statement.string(0) : nil
  }

  /// Parses a stored query. Relative times such as `since:3d` are relative to now.
  static func read(_ text: String, now: Timestamp? = nil) throws(StoreError) -> Query {
    do {
      return try QueryParser.parse(text, now: now ?? Timestamp(seconds: Int64(time(nil)))).query
    } catch {
      throw StoreError(code: .badQuery, message: error.message)
    }
  }
}
