package import NewsCore
import NewsSearch
import Glibc

/// Replaces references to saved searches by their queries.
package enum QueryExpansion {
  /// Expands a query. Throws `badQuery` for an unknown name or a circular reference. `saved` returns the text of a
  /// saved search.
  package static func expand(
    _ query: Query,
    saved: (String) throws(StoreError) -> String?
  ) throws(StoreError) -> Query {
    var budget = 256
    return try expand(query, saved, depth: 0, &budget)
  }

  private static func expand(
    _ query: Query,
    _ saved: (String) throws(StoreError) -> String?,
    depth: Int,
    _ budget: inout Int
  ) throws(StoreError) -> Query {
    switch query {
    case .and(let parts): return .and(try expand(parts, saved, depth, &budget))
    case .or(let parts): return .or(try expand(parts, saved, depth, &budget))
    case .not(let inner): return .not(try expand(inner, saved, depth: depth, &budget))
    case .saved(let name):
      // Limit the total number of expansions: nested searches that each name several others would grow exponentially.
      budget -= 1
      guard depth < 16, budget >= 0 else {
        throw StoreError(
          code: .badQuery,
          message: "the saved search '\(name)' names itself, or too many others"
        )
      }
      guard let text = try saved(name) else {
        throw StoreError(code: .badQuery, message: "no search is saved as '\(name)'")
      }
      return try expand(try read(text), saved, depth: depth + 1, &budget)
    default: return query
    }
  }

  private static func expand(
    _ parts: [Query],
    _ saved: (String) throws(StoreError) -> String?,
    _ depth: Int,
    _ budget: inout Int
  ) throws(StoreError) -> [Query] {
    var expanded: [Query] = []
    for part in parts { expanded.append(try expand(part, saved, depth: depth, &budget)) }
    return expanded
  }

  /// Parses a stored query. Relative times such as `since:3d` count back from `now`.
  package static func read(_ text: String, now: Timestamp? = nil) throws(StoreError) -> Query {
    do {
      return try QueryParser.parse(text, now: now ?? Timestamp(seconds: Int64(time(nil)))).query
    } catch {
      throw StoreError(code: .badQuery, message: error.message)
    }
  }
}
