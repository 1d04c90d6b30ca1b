import CSQLite
import NewsService

/// The layout of the store, and the steps that lead to it from older ones.
enum Schema {
  /// `user_version` of a store that this program writes.
  static let version = 2
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

  /// Brings the store to the current layout, in one transaction.
  static func migrate(_ connection: Connection) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      // Another process may have been first.
      var reached: Int
      switch try state(of: connection) {
      case .current: return
      case .empty: reached = 0
      case .older(let found): reached = found
      }
      while reached < version {
        try connection.execute(steps[reached])
        reached += 1
      }
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }
  }

  /// `steps[n]` leads from version n to n + 1.
  private static let steps = [firstStep, secondStep]

  private static let firstStep = """
    -- Numbers that are given once (feed, item, sequence) and totals that no list should have to count.
    CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO counters VALUES
      ('feed', 0), ('item', 0), ('sequence', 0), ('items', 0), ('unread', 0), ('starred', 0),
      ('feedList', 0);

    CREATE TABLE feeds (
      id INTEGER PRIMARY KEY,
      url TEXT NOT NULL UNIQUE,
      user_title TEXT,
      own_title TEXT,
      site_url TEXT,
      folder TEXT,
      position INTEGER NOT NULL,
      items INTEGER NOT NULL DEFAULT 0,
      unread INTEGER NOT NULL DEFAULT 0,
      added INTEGER NOT NULL,
      settings TEXT,
      identity TEXT,
      etag TEXT,
      last_modified TEXT,
      validated_url TEXT,
      body_hash INTEGER,
      next_due INTEGER,
      next_due_reason TEXT,
      last_fetched INTEGER,
      last_status INTEGER,
      last_success INTEGER,
      failures INTEGER NOT NULL DEFAULT 0,
      failing_since INTEGER,
      last_error TEXT,
      interval INTEGER,
      ttl INTEGER,
      skip_hours INTEGER NOT NULL DEFAULT 0,
      skip_days INTEGER NOT NULL DEFAULT 0,
      update_interval INTEGER,
      update_base INTEGER,
      moved_url TEXT,
      moved_since INTEGER,
      moved_polls INTEGER,
      is_gone INTEGER NOT NULL DEFAULT 0,
      max_age INTEGER,
      hold_host TEXT,
      hold_until INTEGER,
      former_url TEXT,
      former_changed INTEGER
    );
    CREATE INDEX feeds_position ON feeds (position);

    -- What lists show, without the texts. See ItemKey for `key`.
    CREATE TABLE items (
      key INTEGER PRIMARY KEY,
      id INTEGER NOT NULL,
      feed INTEGER NOT NULL REFERENCES feeds (id),
      identity INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      is_read INTEGER NOT NULL DEFAULT 0,
      is_starred INTEGER NOT NULL DEFAULT 0,
      has_enclosure INTEGER NOT NULL DEFAULT 0,
      published INTEGER,
      updated INTEGER,
      stored INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      change INTEGER NOT NULL,
      first_sequence INTEGER NOT NULL,
      cluster INTEGER,
      language TEXT,
      guid TEXT,  -- NULL: the same as url
      url TEXT,
      title TEXT NOT NULL
    );
    CREATE UNIQUE INDEX items_id ON items (id);
    CREATE INDEX items_sequence ON items (sequence);
    CREATE INDEX items_feed ON items (feed);
    CREATE INDEX items_identity ON items (feed, identity);
    -- Equal values are in the order of the key, so these are lists, newest last.
    CREATE INDEX items_unread ON items (is_read) WHERE is_read = 0;
    CREATE INDEX items_starred ON items (is_starred) WHERE is_starred = 1;
    CREATE INDEX items_cluster ON items (cluster) WHERE cluster IS NOT NULL;

    CREATE TABLE contents (
      key INTEGER PRIMARY KEY REFERENCES items (key),
      author TEXT NOT NULL,
      summary TEXT,
      details TEXT,
      text TEXT NOT NULL,
      html
    );

    CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE item_tags (
      tag INTEGER NOT NULL REFERENCES tags (id),
      item INTEGER NOT NULL REFERENCES items (key),
      PRIMARY KEY (tag, item)
    ) WITHOUT ROWID;

    -- By what items that tell the same story are found; see ItemFingerprint.
    CREATE TABLE stories (item INTEGER PRIMARY KEY REFERENCES items (key), fingerprint BLOB NOT NULL);
    CREATE TABLE story_keys (key INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (key, item)) WITHOUT ROWID;

    -- Earlier texts of edited items, each as its difference to the next one; see TextDelta.
    CREATE TABLE versions (
      item INTEGER NOT NULL REFERENCES items (id),
      number INTEGER NOT NULL,
      time INTEGER NOT NULL,
      title TEXT NOT NULL,
      delta BLOB NOT NULL,
      PRIMARY KEY (item, number)
    );

    -- Removed items: what keeps them from coming back, and their last entry in the change log.
    CREATE TABLE tombstones (
      sequence INTEGER PRIMARY KEY,
      id INTEGER NOT NULL,
      feed INTEGER NOT NULL,
      identity INTEGER NOT NULL,
      guid TEXT NOT NULL,
      url TEXT
    );
    CREATE INDEX tombstones_identity ON tombstones (feed, identity);

    CREATE TABLE searches (number INTEGER PRIMARY KEY, query TEXT NOT NULL UNIQUE, time INTEGER NOT NULL);

    CREATE TABLE saved_searches (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      query TEXT NOT NULL
    );
    CREATE TABLE rules (number INTEGER PRIMARY KEY, query TEXT NOT NULL, action TEXT NOT NULL);

    CREATE VIEW searchable AS
      SELECT i.key AS key, i.title AS title, c.author AS author, c.text AS text
      FROM items AS i JOIN contents AS c ON c.key = i.key;
    CREATE VIRTUAL TABLE search USING fts5 (
      title, author, text,
      content = 'searchable', content_rowid = 'key', tokenize = 'newsd'
    );
    -- More words are gathered before they are written, and segments are merged in larger groups: less is written twice.
    INSERT INTO search (search, rank) VALUES ('hashsize', 16777216);
    INSERT INTO search (search, rank) VALUES ('automerge', 8);
    """

  /// Hubs that push feeds (W3C WebSub): what publishers offer, and what was agreed. Moves that the user took back.
  private static let secondStep = """
    ALTER TABLE feeds ADD COLUMN hub_url TEXT;
    ALTER TABLE feeds ADD COLUMN topic_url TEXT;
    ALTER TABLE feeds ADD COLUMN rejected_move TEXT;
    CREATE INDEX feeds_hub ON feeds (id) WHERE hub_url IS NOT NULL;

    CREATE TABLE hub_subscriptions (
      feed INTEGER PRIMARY KEY,
      topic TEXT NOT NULL,
      hub TEXT NOT NULL,
      callback TEXT NOT NULL,
      token TEXT NOT NULL,
      secret TEXT NOT NULL,
      lease_end INTEGER,
      failures INTEGER NOT NULL DEFAULT 0,
      due INTEGER NOT NULL
    );
    """
}
