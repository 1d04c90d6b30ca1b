import NewsCore
import NewsStoresShared

extension Schema {
  /// The one view of a store: the columns of the full-text index.
  static let searchableView = """
    CREATE VIEW searchable AS
      SELECT i.key AS key, c.text AS text, i.title AS title, c.author AS author
      FROM items AS i JOIN contents AS c ON c.id = i.id
    """

  /// All tables, indexes and views of a store. `file` comes first, so that its root is page 2 (see `ForeignWAL`).
  static let tables = [
    file, counters, feeds, items, contents, articles, tags, stories, versions, tombstones, searchHistory,
    saved, feedChanges, hubSubscriptions, credentials, searchIndex, ItemLabels.tables, laterTables,
  ].joined(separator: "\n")

  /// The row that identifies the file. `id` is random, and every backup gets its own id. `commits` increases with every
  /// transaction, and `restored` with every restore.
  private static let file = """
    CREATE TABLE file (id TEXT NOT NULL, commits INTEGER NOT NULL, restored INTEGER NOT NULL);
    INSERT INTO file VALUES (lower(hex(randomblob(16))), 0, 0);
    """

  /// The last numbers assigned (feed, item, sequence), the totals, and the version of the list of feeds.
  private static let counters = """
    CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO counters VALUES
      ('feed', 0), ('item', 0), ('sequence', 0), ('items', 0), ('unread', 0), ('starred', 0),
      ('feedList', 0);
    """

  /// Subscriptions, each with its fetch state.
  private static let feeds = """
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
      former_changed INTEGER,
      hub_url TEXT,
      topic_url TEXT,
      rejected_move TEXT
    );
    CREATE INDEX feeds_position ON feeds (position);
    CREATE INDEX feeds_hub ON feeds (id) WHERE hub_url IS NOT NULL;
    """

  /// The columns of items that lists show, without the texts. `key` is an `ItemKey`. An index sorts rows with equal
  /// values by key, so the partial indexes are lists, newest last.
  private static let items = """
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
    CREATE INDEX items_unread ON items (is_read) WHERE is_read = 0;
    CREATE INDEX items_starred ON items (is_starred) WHERE is_starred = 1;
    CREATE INDEX items_cluster ON items (cluster) WHERE cluster IS NOT NULL;
    """

  /// The texts of items, by id instead of key: new texts are appended, so each page is written once.
  private static let contents = """
    CREATE TABLE contents (
      id INTEGER PRIMARY KEY REFERENCES items (id),
      author TEXT NOT NULL,
      summary TEXT,
      details TEXT,
      text TEXT NOT NULL,
      html
    );
    """

  /// The pages to which items link. `state` is waiting, fetched or refused; `due` is the time of the next request.
  /// After the page is fetched, `contents` has the article and this row has the feed's own text.
  private static let articles = """
    CREATE TABLE articles (
      item INTEGER PRIMARY KEY REFERENCES items (id),
      state TEXT NOT NULL,
      reason TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      due INTEGER,
      fetched INTEGER,
      etag TEXT,
      last_modified TEXT,
      validated_url TEXT,
      feed_text TEXT,
      feed_html TEXT
    );
    CREATE INDEX articles_due ON articles (due) WHERE due IS NOT NULL;
    """

  /// Tags of items.
  private static let tags = """
    CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE item_tags (
      tag INTEGER NOT NULL REFERENCES tags (id),
      item INTEGER NOT NULL REFERENCES items (key),
      PRIMARY KEY (tag, item)
    ) WITHOUT ROWID;
    """

  /// Fingerprints that find items with the same story (`ItemFingerprint`). Keys begin with the number of the
  /// 24-day period (`StoryPeriod`), so that storing an item changes only pages of recent items.
  private static let stories = """
    CREATE TABLE stories (item INTEGER PRIMARY KEY REFERENCES items (key), fingerprint BLOB NOT NULL);
    CREATE TABLE story_keys (
      days INTEGER NOT NULL, key INTEGER NOT NULL, item INTEGER NOT NULL,
      PRIMARY KEY (days, key, item)
    ) WITHOUT ROWID;
    """

  /// Earlier texts of edited items, each as a delta from the next one (`TextDelta`).
  private static let versions = """
    CREATE TABLE versions (
      item INTEGER NOT NULL REFERENCES items (id),
      number INTEGER NOT NULL,
      time INTEGER NOT NULL,
      title TEXT NOT NULL,
      delta BLOB NOT NULL,
      PRIMARY KEY (item, number)
    );
    """

  /// Removed items, each with its last entry in the change log. A tombstone prevents a removed item from being stored
  /// again.
  private static let tombstones = """
    CREATE TABLE tombstones (
      sequence INTEGER PRIMARY KEY,
      id INTEGER NOT NULL,
      feed INTEGER NOT NULL,
      identity INTEGER NOT NULL,
      guid TEXT NOT NULL,
      url TEXT
    );
    CREATE INDEX tombstones_identity ON tombstones (feed, identity);
    """

  /// Recent searches.
  private static let searchHistory = """
    CREATE TABLE searches (number INTEGER PRIMARY KEY, query TEXT NOT NULL UNIQUE, time INTEGER NOT NULL);
    """

  /// Saved searches and rules.
  private static let saved = """
    CREATE TABLE saved_searches (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE COLLATE NOCASE,
      query TEXT NOT NULL
    );
    CREATE TABLE rules (number INTEGER PRIMARY KEY, query TEXT NOT NULL, action TEXT NOT NULL);
    """

  /// The number of each feed's last change in the change log. For a removed feed, also its URL.
  private static let feedChanges = """
    CREATE TABLE feed_changes (feed INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, url TEXT);
    CREATE INDEX feed_changes_sequence ON feed_changes (sequence);
    """

  /// Subscriptions at WebSub hubs.
  private static let hubSubscriptions = """
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

  /// The tables of the web server's account.
  private static let credentials = CredentialTables.all.map { $0 + ";" }.joined(separator: "\n")

  /// The full-text index. The longest column comes first, because FTS5 marks every other column in each posting. A
  /// large hash collects more words before it is written, so that fewer words are written repeatedly. Segments are
  /// merged in groups of 24, so that a first refresh of many feeds merges none; over 60 transactions, groups of 16 took
  /// the same time and space. A search takes about 50 microseconds for each segment.
  private static let searchIndex = """
    \(searchableView);
    CREATE VIRTUAL TABLE search USING fts5 (
      text, title, author,
      content = 'searchable', content_rowid = 'key', tokenize = 'newsd'
    );
    INSERT INTO search (search, rank) VALUES ('hashsize', 16777216);
    INSERT INTO search (search, rank) VALUES ('automerge', 24);
    INSERT INTO search (search, rank) VALUES ('crisismerge', 24);
    """

  /// Tables that later versions added. They come last in the list, and are created if missing.
  static let laterTables = """
    \(hookTables)
    \(folderSettings)
    \(changeTimes)
    \(feedIcons)
    \(enclosures)
    \(ruleFacts)
    \(importPlaces)
    \(feedIndexes)
    \(pageHooks)
    """

  /// The hooks that were added on the page, with what was filled in, also secrets.
  private static let pageHooks = """
    CREATE TABLE IF NOT EXISTS page_hooks (
      name TEXT PRIMARY KEY, preset TEXT NOT NULL, query TEXT, filled TEXT NOT NULL
    );
    """

  /// The hidden feeds, which each page asks for: with 10,000 feeds, finding them takes 0.02 ms instead of 1.4 ms. And the
  /// names of folders.
  private static let feedIndexes = """
    CREATE INDEX IF NOT EXISTS feeds_hidden ON feeds (id, unread) WHERE \(FeedSettings.hiddenCondition);
    CREATE INDEX IF NOT EXISTS feeds_folder ON feeds (folder);
    """

  /// Where interrupted imports continue. See `ImportTables`.
  private static let importPlaces =
    "CREATE TABLE IF NOT EXISTS import_places (source TEXT PRIMARY KEY, place TEXT NOT NULL);"

  /// Until when rules apply, and how many items they matched. See `RuleTables`.
  private static let ruleFacts = """
    CREATE TABLE IF NOT EXISTS rule_facts (
      number INTEGER PRIMARY KEY, until INTEGER, hits INTEGER NOT NULL DEFAULT 0
    );
    """

  /// The numbers of enclosures, and how far they have been played. See `EnclosureTables`.
  private static let enclosures = """
    CREATE TABLE IF NOT EXISTS enclosures (
      item INTEGER NOT NULL REFERENCES items (id),
      number INTEGER NOT NULL,
      url TEXT NOT NULL,
      position INTEGER NOT NULL DEFAULT 0,
      is_played INTEGER NOT NULL DEFAULT 0,
      changed INTEGER,
      PRIMARY KEY (item, number)
    ) WITHOUT ROWID;
    """

  /// The current time in seconds.
  static let now = "CAST(strftime('%s', 'now') AS INTEGER)"

  /// When the change log reached which number, and what clients need to know of edits.
  private static let changeTimes = """
    CREATE TABLE IF NOT EXISTS change_times (time INTEGER PRIMARY KEY, sequence INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS change_times_sequence ON change_times (sequence);
    CREATE INDEX IF NOT EXISTS versions_time ON versions (time);
    CREATE TABLE IF NOT EXISTS quiet_edits (item INTEGER PRIMARY KEY, sequence INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS late_marks (
      item INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, time INTEGER NOT NULL
    );
    INSERT INTO change_times SELECT \(now), (SELECT value FROM counters WHERE name = 'sequence')
      WHERE NOT EXISTS (SELECT 1 FROM change_times);
    """

  /// The addresses of pictures that the documents of feeds name.
  private static let feedIcons =
    "CREATE TABLE IF NOT EXISTS feed_icons (feed INTEGER PRIMARY KEY, url TEXT NOT NULL);"

  /// Settings for articles that a feed inherits when it is put into a folder; also the tables of labels and
  /// of the web account.
  private static let folderSettings = """
    CREATE TABLE IF NOT EXISTS folder_settings (folder TEXT PRIMARY KEY, settings TEXT NOT NULL);

    \(ItemLabels.laterTables)
    \(CredentialTables.laterTables)
    """

  /// Hooks and their outbox.
  ///
  /// Hooks are in the store because the transactions of every process must know them. `due` is the time of an entry's
  /// next attempt; NULL if no further attempt will be made. Entries of one digest share `batch`, the number in the
  /// digest's key.
  static let hookTables = """
    CREATE TABLE IF NOT EXISTS hooks (
      name TEXT PRIMARY KEY,
      is_active INTEGER NOT NULL,
      query TEXT,
      events TEXT NOT NULL,
      failing_after INTEGER NOT NULL,
      takes_backlog INTEGER NOT NULL,
      delivered INTEGER NOT NULL DEFAULT 0,
      last_delivered INTEGER,
      last_error TEXT,
      last_error_time INTEGER,
      failures INTEGER NOT NULL DEFAULT 0,
      next_try INTEGER
    );
    CREATE TABLE IF NOT EXISTS outbox (
      hook TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      event TEXT NOT NULL,
      time INTEGER NOT NULL,
      item INTEGER,
      notice TEXT,
      batch INTEGER,
      attempts INTEGER NOT NULL DEFAULT 0,
      first_try INTEGER,
      due INTEGER,
      error TEXT,
      PRIMARY KEY (hook, sequence)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS outbox_due ON outbox (hook, due, sequence) WHERE due IS NOT NULL;
    CREATE INDEX IF NOT EXISTS outbox_item ON outbox (item) WHERE due IS NOT NULL;
    """
}

/// The labels that the user gives to items. They are independent of the tags of feeds and rules. A label exists as long
/// as an item has it.
enum ItemLabels {
  /// The statement has no line break after the table's name, so that SQLite stores the same text in every store.
  static let tables = """
    CREATE TABLE \(definition);
    CREATE INDEX \(index);
    """
  /// The same statements for stores created by versions without labels.
  static let laterTables =
    "CREATE TABLE IF NOT EXISTS \(definition); CREATE INDEX IF NOT EXISTS \(index);"
  private static let definition = """
    item_labels (
      label TEXT NOT NULL,
      item INTEGER NOT NULL REFERENCES items (id),
      PRIMARY KEY (label, item)
    ) WITHOUT ROWID
    """
  private static let index = "item_labels_item ON item_labels (item)"
}

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
