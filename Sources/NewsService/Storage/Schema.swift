import CSQLite
import NewsCore

/// The layout of the store, and the steps that lead to it from older ones.
enum Schema {
  /// `user_version` of a store that this program writes.
  static let version = 6
  /// `application_id`: "news".
  static let applicationID: Int64 = 0x6E65_7773

  /// What one connection must know about a file before it uses it.
  enum State: Hashable { case empty, current, older(Int) }

  static func state(of connection: Connection) throws(StoreError) -> State {
    let found = Int(try connection.integer("PRAGMA user_version") ?? 0)
    if found == version { return .current }
    guard found <= version else {
      throw StoreError(
        code: .newerSchema(found: found, known: version),
        message: "the store \(connection.path) was written by a later newsd (schema \(found), this one knows "
          + "\(version)). It was not changed. Install that newsd, or name another file with --db"
      )
    }
    let isOurs = try connection.integer("PRAGMA application_id") == applicationID
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_master") == 0
    guard found == 0 ? isEmpty : isOurs else {
      throw StoreError(
        code: .corrupt,
        message: "\(connection.path) is a database of another program. It was not changed. "
          + "Name another file with --db"
      )
    }
    return found == 0 ? .empty : .older(found)
  }

  /// Brings the store to the current layout, in one transaction; tests stop at an earlier one.
  static func migrate(_ connection: Connection, to version: Int = version) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      // Another process may have been first.
      let first: Int
      switch try state(of: connection) {
      case .current: return
      case .empty: first = 0
      case .older(let found): first = found
      }
      for reached in first..<max(first, version) { try step(from: reached, connection) }
      // Before the third layout, identities told http from https.
      if (1..<3).contains(first) { try FeedIdentityState.renewAll(connection) }
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }
  }

  /// Leads from `reached` to the version after it. A step that a release has taken is never changed again.
  private static func step(from reached: Int, _ connection: Connection) throws(StoreError) {
    switch reached {
    case 0: try connection.execute(SchemaSteps.first)
    case 1: try connection.execute(SchemaSteps.second)
    case 2: try SchemaSteps.third(connection)
    case 3: try SchemaSteps.fourth(connection)
    case 4: try connection.execute(SchemaSteps.fifth)
    default: try SchemaSteps.sixth(connection)
    }
  }
}
