import NewsStoresShared
import NewsCore

/// The tables and indexes that later versions added to the layout. A store without them gets them when this version opens
/// it; earlier versions do not know the tables.
enum LaterTables {
  /// A table or an index, with the statement that creates it.
  private struct Part {
    var name: String
    var sql: String
    /// False: newsd only works faster with it.
    var isNeeded = true
  }

  private static let all = [
    Part(name: "counters", sql: StoreCounters.table),
    // The keys of the last transaction of each writing connection; see `CommitKey`.
    Part(
      name: "commit_keys",
      sql:
        "CREATE TABLE commit_keys (key bigint PRIMARY KEY, made timestamptz NOT NULL DEFAULT clock_timestamp())"
    ),
    // Numbers that concern the whole store, by name: `compatible` is the lowest layout whose newsd may use the store;
    // `table` is the identifier of the table `store` (see `Incarnation`).
    Part(
      name: "store_settings",
      sql: "CREATE TABLE store_settings (name text COLLATE \"C\" PRIMARY KEY, value bigint NOT NULL)"
    ),
    Part(
      name: "change_times",
      sql: """
        CREATE TABLE change_times (time bigint PRIMARY KEY, sequence bigint NOT NULL);
        CREATE INDEX change_times_sequence ON change_times (sequence);
        INSERT INTO change_times SELECT \(now), sequence FROM counters WHERE \(StoreCounters.isLast)
        """
    ),
    Part(
      name: "quiet_edits",
      sql: "CREATE TABLE quiet_edits (item bigint PRIMARY KEY, sequence bigint NOT NULL)"
    ),
    Part(
      name: "late_marks",
      sql: "CREATE TABLE late_marks (item bigint PRIMARY KEY, sequence bigint NOT NULL, time bigint NOT NULL)"
    ),
    // The items that were edited since a time.
    Part(name: "versions_time", sql: "CREATE INDEX versions_time ON versions (time)", isNeeded: false),
    // The addresses of pictures that the documents of feeds name.
    Part(
      name: "feed_icons",
      sql: "CREATE TABLE feed_icons (feed bigint PRIMARY KEY, url text COLLATE \"C\" NOT NULL)"
    ),
    // The numbers of enclosures, and how far they have been played.
    Part(
      name: "enclosures",
      sql: """
        CREATE TABLE enclosures (
          item bigint NOT NULL,
          number bigint NOT NULL,
          url text COLLATE "C" NOT NULL,
          position bigint NOT NULL DEFAULT 0,
          is_played bigint NOT NULL DEFAULT 0,
          changed bigint,
          PRIMARY KEY (item, number)
        )
        """
    ),
    // Until when rules apply, and how many items they matched.
    Part(
      name: "rule_facts",
      sql: """
        CREATE TABLE rule_facts (
          number bigint PRIMARY KEY, until bigint, hits bigint NOT NULL DEFAULT 0
        )
        """
    ),
    // Where interrupted imports continue.
    Part(
      name: "import_places",
      sql: """
        CREATE TABLE import_places (source text COLLATE "C" PRIMARY KEY, place text COLLATE "C" NOT NULL)
        """
    ),
    // The hooks that were added on the page, with what was filled in, also secrets.
    Part(
      name: "page_hooks",
      sql: """
        CREATE TABLE page_hooks (
          name text COLLATE "C" PRIMARY KEY, preset text COLLATE "C" NOT NULL, query text COLLATE "C",
          filled text COLLATE "C" NOT NULL
        )
        """
    ),
    Part(name: "pictures", sql: MediaTables.pictures(number: "bigint", bytes: "bytea")),
    Part(name: "icons", sql: MediaTables.icons(number: "bigint")),
    Part(name: "kept_pictures", sql: MediaTables.keptPictures(number: "bigint", bytes: "bytea")),
    Part(name: "icons_picture", sql: MediaTables.index),
    // The hidden feeds, which each page asks for.
    Part(
      name: "feeds_hidden",
      sql: "CREATE INDEX feeds_hidden ON feeds (id, unread) WHERE \(FeedSettings.hiddenCondition)",
      isNeeded: false
    ),
    Part(name: "feeds_folder", sql: "CREATE INDEX feeds_folder ON feeds (folder)", isNeeded: false),
    // The order of lists of feeds. With 100,000 feeds, a page of them takes 0.1 ms instead of 17 ms.
    Part(name: "feeds_position", sql: "CREATE INDEX feeds_position ON feeds (position, id)", isNeeded: false),
  ]

  /// The current time in seconds.
  static let now = "floor(extract(epoch FROM clock_timestamp()))::bigint"

  /// True for a table that a store which this role cannot change may lack.
  static func includes(_ name: String) -> Bool { all.contains { $0.name == name } }

  enum State {
    case complete
    /// Tables are missing, and this role can create them.
    case creatable
    /// Tables are missing, and this role cannot create them, or the server is a replica. The store can be read.
    case missing
  }

  static func state(_ connection: Connection) throws(StoreError) -> State {
    let missing = try missing(connection)
    guard !missing.isEmpty else { return .complete }
    let mayCreate = try connection.query(
      "SELECT has_schema_privilege(current_schema(), 'CREATE') AND NOT pg_is_in_recovery()"
    ).first?.bool(0)
    if mayCreate == true { return .creatable }
    return missing.contains(where: \.isNeeded) ? .missing : .complete
  }

  /// Creates the missing parts in the current transaction. Other processes may use the store meanwhile.
  static func create(_ connection: Connection) throws(StoreError) {
    for part in try missing(connection) { try connection.execute(part.sql) }
  }

  private static func missing(_ connection: Connection) throws(StoreError) -> [Part] {
    let present = Set(
      try connection.query(
        """
        SELECT relname::text FROM pg_class
        WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relname = ANY($1::text[])
        """,
        StoreValue.array(all.map { Optional($0.name) })
      ).map { $0.string(0) }
    )
    let missing = all.filter { !present.contains($0.name) }
    guard missing.contains(where: { !$0.isNeeded }) else { return missing }
    // Only the owner of a table may create its indexes.
    let isOwner = try connection.query(
      "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('feeds')"
    ).first?.bool(0)
    return isOwner == true ? missing : missing.filter(\.isNeeded)
  }

  /// A number of the table `store_settings`; nil without it, or if the table is missing.
  static func setting(_ name: String, _ connection: Connection) throws(StoreError) -> Int64? {
    guard try connection.query("SELECT to_regclass('store_settings') IS NOT NULL").first?.bool(0) == true
    else {
      return nil
    }
    return try connection.number("SELECT value FROM store_settings WHERE name = $1", name)
  }

  /// Why a store without the tables cannot be written.
  static func refusal(_ uri: StoreURI) -> StoreError {
    StoreError(
      code: .unreadable,
      message:
        "cannot write to the store \(uri.redacted): it lacks tables that this newsd needs, and this role "
        + "cannot create them on this server. Run 'newsd check' once on the primary server with the role that owns "
        + "the schema"
    )
  }
}
