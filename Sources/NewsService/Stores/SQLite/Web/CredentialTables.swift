import NewsCore

/// The tables of the web account. Stores created by an earlier version get the tables when a process opens
/// them for writing.
enum CredentialTables {
  /// The statements, which must be the same text for new and older stores, because `check` compares it.
  static let all = [
    // The server's secret and the hash of the login password.
    "CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE app_passwords (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      hash BLOB NOT NULL,
      fever_hash BLOB NOT NULL,
      made INTEGER NOT NULL,
      used INTEGER
    )
    """,
    """
    CREATE TABLE sessions (
      id INTEGER PRIMARY KEY,
      hash BLOB NOT NULL UNIQUE,
      agent TEXT NOT NULL,
      address TEXT NOT NULL,
      made INTEGER NOT NULL,
      seen INTEGER NOT NULL
    )
    """,
  ]

  /// The same statements for stores that may already have the tables.
  static let laterTables =
    all.map { "CREATE TABLE IF NOT EXISTS" + $0.dropFirst("CREATE TABLE".count) + ";" }.joined(
      separator: "\n"
    )
}
