public import NewsCore
import NewsStoresShared
import NewsToolbox

/// The accounts on a server: each schema `newsd_NAME` is the store of the account NAME. A comment on the schema means that
/// the account is disabled. Other schemas with
/// that prefix, such as stores of removed accounts, are ignored.
public final class AccountSchemas: AccountKeeping {
  private let address: String
  private let uri: StoreURI
  private let pool: ConnectionPool

  private static let prefix = "newsd_"
  /// Upper-case letters keep schemas from being accounts: those of accounts that are being made, and of removed ones.
  private static let draft = "_DRAFT"
  private static let removed = "newsd_removed_"
  private static let mark = "newsd: disabled"
  /// The tables that every store has, in the notation of an array.
  private static let tables = "{\(Layout.tableNames.joined(separator: ","))}"

  /// - Parameters:
  ///   - address: The address of the server, without a schema.
  ///   - pool: The connections that the stores of the accounts share.
  /// - Throws: `unreadable` if the address is none of PostgreSQL.
  package init(_ address: String, _ pool: ConnectionPool) throws(StoreError) {
    self.address = address
    self.pool = pool
    uri = try StoreURI(address)
  }

  public var place: String { uri.redacted }

  public func accounts() async throws(StoreError) -> [Account] {
    try await perform { [uri, address] (connection) throws(StoreError) in
      // One query for all stores, because a daemon asks every five seconds. Materialized: a server without statistics of many
      // schemas would join row by row, which takes ten times as long.
      try connection.query(
        """
        WITH present AS MATERIALIZED (
          SELECT relnamespace AS schema, array_agg(relname::text) AS names FROM pg_class
          WHERE relkind = 'r' AND relname = ANY ('\(Self.tables)'::name[]) GROUP BY relnamespace)
        SELECT n.nspname::text, r.rolname::text,
          r.rolname = 'pg_database_owner' OR \(SchemaOwner.isTrusted("r", owner: "$1")),
          obj_description(n.oid, 'pg_namespace'), p.names IS NULL, coalesce('store' = ANY (p.names), false),
          CASE WHEN cardinality(p.names) < \(Layout.tableNames.count) THEN (
            SELECT string_agg(t, ', ') FROM unnest('\(Self.tables)'::text[]) AS t WHERE t <> ALL (p.names)) END
        FROM pg_namespace AS n JOIN pg_roles AS r ON r.oid = n.nspowner LEFT JOIN present AS p ON p.schema = n.oid
        WHERE starts_with(n.nspname::text, '\(Self.prefix)') ORDER BY n.nspname
        """,
        uri.owner
      ).compactMap { (row) -> Account? in
        let schema = row.string(0)
        let name = String(decoding: schema.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
        guard Account.isName(name) else { return nil }
        let store = StoreURI.address(address, schema: schema)
        var state = row.optionalString(3) == Self.mark ? Account.State.disabled : .active
        if !row.bool(2) {
          state = .unusable(SchemaOwner.refusal(schema, uri, row.string(1)).message)
        } else if !row.bool(5) {
          state = .unusable("the schema \(schema) has no store of newsd")
        } else if let missing = row.optionalString(6), state == .active {
          state = .unusable(
            "the store in the schema \(schema) lacks tables (\(missing)); restore a dump of it with pg_restore"
          )
        }
        return Account(name: name, store: store, state: state, isForeign: !row.bool(2) || row.bool(4))
      }
    }
  }

  public func add(_ name: String, fill: @Sendable (_ path: String) async throws -> Void) async throws {
    let schema = Self.prefix + name
    let isTaken = try await perform { (connection) throws(StoreError) in
      try connection.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", schema).isEmpty == false
    }
    guard !isTaken else {
      throw FileError(code: .cannotOpen, message: "there is a schema \(schema) already in \(place)")
    }
    // A copy that was interrupted stays there, and the same command continues it.
    let draft = schema + Self.draft
    try await fill(StoreURI.address(address, schema: draft))
    try await rename(draft, to: schema)
  }

  public func setDisabled(_ isDisabled: Bool, _ account: Account) async throws(StoreError) {
    let mark = isDisabled ? "'\(Self.mark)'" : "NULL"
    try await perform { (connection) throws(StoreError) in
      try connection.execute("COMMENT ON SCHEMA \"\(Self.prefix)\(account.name)\" IS \(mark)")
    }
  }

  public func setAside(_ account: Account, at time: Timestamp) async throws(StoreError) -> String {
    let digits = time.rfc3339.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    // With the longest name, these are the 63 bytes that a name may have.
    let aside = "\(Self.removed)\(account.name)_\(String(decoding: digits, as: UTF8.self))"
    try await rename(Self.prefix + account.name, to: aside)
    return "the schema \(aside)"
  }

  private func perform<Result: Sendable>(
    isTransaction: Bool = false,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await pool.write(uri) { (lane) async throws(StoreError) in
      try await lane.perform(on: uri, isTransaction: isTransaction, body)
    }
  }

  /// Renames a schema, and ends its disabled state. `account.name` passes `Account.isName`, so the names need no escapes.
  private func rename(_ schema: String, to name: String) async throws(StoreError) {
    try await perform(isTransaction: true) { (connection) throws(StoreError) in
      try connection.execute(
        "ALTER SCHEMA \"\(schema)\" RENAME TO \"\(name)\"; COMMENT ON SCHEMA \"\(name)\" IS NULL"
      )
      // The function finds its tables by the name of the schema.
      let function = "\"\(name)\".\(StoreCounters.function)"
      let isThere = try connection.query("SELECT to_regprocedure($1) IS NOT NULL", function).first?.bool(0)
      if isThere == true {
        try connection.execute("ALTER FUNCTION \(function) SET search_path = \"\(name)\"")
      }
    }
  }
}
