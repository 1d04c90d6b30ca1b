extension Layout {
  /// All tables and indexes of a store. Every text has the collation "C": order and comparison must not
  /// depend on the locale of the server. Times are seconds since 1970, except times of the server's clock
  /// (`timestamptz`). Flags are 0 or 1.
  static let tables = """
    -- One row. Each writing transaction locks it, and so hands out the numbers of the change log in the order of commits,
    -- without gaps. A transaction that stores a refresh locks it as late as it can. The numbers are in `counters` (see
    -- `StoreCounters`); here they are as of the last minute, for earlier versions.
    CREATE TABLE store (
      one boolean PRIMARY KEY DEFAULT true CHECK (one),
      layout integer NOT NULL,
      id text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text,
      feed bigint NOT NULL DEFAULT 0,
      item bigint NOT NULL DEFAULT 0,
      sequence bigint NOT NULL DEFAULT 0,
      items bigint NOT NULL DEFAULT 0,
      unread bigint NOT NULL DEFAULT 0,
      starred bigint NOT NULL DEFAULT 0,
      feed_list bigint NOT NULL DEFAULT 0,
      tokens bigint NOT NULL DEFAULT 0,
      commits bigint NOT NULL DEFAULT 0,
      -- The server's system identifier and its timeline, which a failover changes.
      incarnation text COLLATE "C"
    ) WITH (fillfactor = 10);
    INSERT INTO store (layout) VALUES (1);

    CREATE TABLE feeds (
      id bigint PRIMARY KEY,
      url text COLLATE "C" NOT NULL,
      user_title text COLLATE "C",
      own_title text COLLATE "C",
      site_url text COLLATE "C",
      folder text COLLATE "C",
      position bigint NOT NULL,
      items bigint NOT NULL DEFAULT 0,
      unread bigint NOT NULL DEFAULT 0,
      added bigint NOT NULL,
      settings text COLLATE "C",
      identity text COLLATE "C",
      etag text COLLATE "C",
      last_modified text COLLATE "C",
      validated_url text COLLATE "C",
      body_hash bigint,
      next_due bigint,
      next_due_reason text COLLATE "C",
      last_fetched bigint,
      last_status bigint,
      last_success bigint,
      failures bigint NOT NULL DEFAULT 0,
      failing_since bigint,
      last_error text COLLATE "C",
      interval bigint,
      ttl bigint,
      skip_hours bigint NOT NULL DEFAULT 0,
      skip_days bigint NOT NULL DEFAULT 0,
      update_interval bigint,
      update_base bigint,
      moved_url text COLLATE "C",
      moved_since bigint,
      moved_polls bigint,
      is_gone smallint NOT NULL DEFAULT 0,
      max_age bigint,
      hold_host text COLLATE "C",
      hold_until bigint,
      former_url text COLLATE "C",
      former_changed bigint,
      hub_url text COLLATE "C",
      topic_url text COLLATE "C",
      rejected_move text COLLATE "C"
    ) WITH (fillfactor = 80);
    -- An entry of a btree has 2.7 kB at most, a URL may have more.
    CREATE UNIQUE INDEX feeds_url ON feeds (md5(url));
    CREATE INDEX feeds_hub ON feeds (id) WHERE hub_url IS NOT NULL;

    -- Narrow, and without the words: marking an item as read adds an entry for it to every index of its
    -- table, and the index of words has a hundred entries for each item.
    CREATE TABLE items (
      id bigint PRIMARY KEY,
      feed bigint NOT NULL,
      -- Lists are in the order (sort, id), both descending.
      sort bigint NOT NULL,
      identity bigint NOT NULL,
      revision bigint NOT NULL,
      is_read smallint NOT NULL DEFAULT 0,
      is_starred smallint NOT NULL DEFAULT 0,
      has_enclosure smallint NOT NULL DEFAULT 0,
      published bigint,
      updated bigint,
      stored bigint NOT NULL,
      sequence bigint NOT NULL,
      change smallint NOT NULL,
      first_sequence bigint NOT NULL,
      cluster bigint,
      language text COLLATE "C",
      guid text COLLATE "C",  -- NULL: the same as url
      url text COLLATE "C",
      title text COLLATE "C" NOT NULL
    ) WITH (fillfactor = 90);
    ALTER TABLE items ALTER guid SET STORAGE MAIN, ALTER url SET STORAGE MAIN, ALTER title SET STORAGE MAIN;
    CREATE INDEX items_newest ON items (sort, id);
    CREATE INDEX items_feed ON items (feed, sort, id);
    CREATE INDEX items_identity ON items (feed, identity);
    CREATE INDEX items_sequence ON items (sequence);
    CREATE INDEX items_unread ON items (sort, id) WHERE is_read = 0;
    CREATE INDEX items_starred ON items (sort, id) WHERE is_starred = 1;
    CREATE INDEX items_cluster ON items (cluster) WHERE cluster IS NOT NULL;

    -- Ids of items are taken before the store is locked. `store.item` is the highest one in use.
    CREATE SEQUENCE item_ids;

    CREATE TABLE contents (
      id bigint PRIMARY KEY,
      author text COLLATE "C" NOT NULL,
      summary text COLLATE "C",
      details text COLLATE "C",
      text text COLLATE "C" NOT NULL,
      html text COLLATE "C"
    );

    -- newsd's own tokens with their positions; see TokenVector. `clipped` 1: positions are missing, phrases are looked for
    -- in the text. 2: words are missing, too. `length` is the number of words.
    CREATE TABLE words (
      id bigint PRIMARY KEY,
      sort bigint NOT NULL,
      clipped smallint NOT NULL DEFAULT 0,
      length bigint NOT NULL,
      words tsvector NOT NULL
    ) WITH (toast_tuple_target = 128, autovacuum_vacuum_insert_scale_factor = 0.02);
    CREATE INDEX words_newest ON words (sort, id);
    CREATE INDEX words_clipped ON words (sort, id) WHERE clipped > 0;
    CREATE INDEX words_index ON words USING gin (words) WITH (fastupdate = on, gin_pending_list_limit = 16384);

    -- The pages to which items link, as in the SQLite store.
    CREATE TABLE articles (
      item bigint PRIMARY KEY,
      state text COLLATE "C" NOT NULL,
      reason text COLLATE "C",
      attempts bigint NOT NULL DEFAULT 0,
      due bigint,
      fetched bigint,
      etag text COLLATE "C",
      last_modified text COLLATE "C",
      validated_url text COLLATE "C",
      feed_text text COLLATE "C",
      feed_html text COLLATE "C"
    );
    CREATE INDEX articles_due ON articles (due) WHERE due IS NOT NULL;

    CREATE TABLE item_tags (tag text COLLATE "C" NOT NULL, item bigint NOT NULL, PRIMARY KEY (tag, item));
    CREATE INDEX item_tags_item ON item_tags (item);

    -- The labels that the user gives to items.
    CREATE TABLE item_labels (label text COLLATE "C" NOT NULL, item bigint NOT NULL, PRIMARY KEY (label, item));
    CREATE INDEX item_labels_item ON item_labels (item);

    CREATE TABLE stories (item bigint PRIMARY KEY, sort bigint NOT NULL, fingerprint bytea NOT NULL);
    CREATE TABLE story_keys (
      days bigint NOT NULL, key bigint NOT NULL, sort bigint NOT NULL, item bigint NOT NULL,
      PRIMARY KEY (days, key, sort, item)
    );

    CREATE TABLE versions (
      item bigint NOT NULL,
      number bigint NOT NULL,
      time bigint NOT NULL,
      title text COLLATE "C" NOT NULL,
      delta bytea NOT NULL,
      PRIMARY KEY (item, number)
    );

    CREATE TABLE tombstones (
      sequence bigint PRIMARY KEY,
      id bigint NOT NULL,
      feed bigint NOT NULL,
      identity bigint NOT NULL,
      guid text COLLATE "C" NOT NULL,
      url text COLLATE "C"
    );
    CREATE INDEX tombstones_identity ON tombstones (feed, identity);

    CREATE TABLE searches (number bigint PRIMARY KEY, query text COLLATE "C" NOT NULL, time bigint NOT NULL);
    CREATE TABLE saved_searches (
      number bigint PRIMARY KEY, name text COLLATE "C" NOT NULL, query text COLLATE "C" NOT NULL
    );
    CREATE UNIQUE INDEX saved_searches_name ON saved_searches (lower(name));
    CREATE TABLE rules (number bigint PRIMARY KEY, query text COLLATE "C" NOT NULL, action text COLLATE "C" NOT NULL);

    CREATE TABLE feed_changes (feed bigint PRIMARY KEY, sequence bigint NOT NULL, url text COLLATE "C");
    CREATE INDEX feed_changes_sequence ON feed_changes (sequence);

    CREATE TABLE hub_subscriptions (
      feed bigint PRIMARY KEY,
      topic text COLLATE "C" NOT NULL,
      hub text COLLATE "C" NOT NULL,
      callback text COLLATE "C" NOT NULL,
      token text COLLATE "C" NOT NULL,
      secret text COLLATE "C" NOT NULL,
      lease_end bigint,
      failures bigint NOT NULL DEFAULT 0,
      due bigint NOT NULL,
      is_pending smallint NOT NULL DEFAULT 0,
      last_contact bigint,
      -- The transaction that changed it last: a node that has read an earlier one may not change it.
      revision bigint NOT NULL
    );

    -- `due` of an entry is when it is sent next; NULL: it was given up. Entries of one digest share `batch`. A node has
    -- an entry to itself until `taken`.
    CREATE TABLE hooks (
      name text COLLATE "C" PRIMARY KEY,
      is_active smallint NOT NULL,
      query text COLLATE "C",
      events text COLLATE "C" NOT NULL,
      failing_after bigint NOT NULL,
      takes_backlog smallint NOT NULL,
      delivered bigint NOT NULL DEFAULT 0,
      last_delivered bigint,
      last_error text COLLATE "C",
      last_error_time bigint,
      failures bigint NOT NULL DEFAULT 0,
      next_try bigint
    );
    CREATE TABLE outbox (
      hook text COLLATE "C" NOT NULL,
      sequence bigint NOT NULL,
      event text COLLATE "C" NOT NULL,
      time bigint NOT NULL,
      item bigint,
      notice text COLLATE "C",
      batch bigint,
      attempts bigint NOT NULL DEFAULT 0,
      first_try bigint,
      due bigint,
      error text COLLATE "C",
      taken timestamptz,
      PRIMARY KEY (hook, sequence)
    );
    CREATE INDEX outbox_due ON outbox (hook, due, sequence) WHERE due IS NOT NULL;
    CREATE INDEX outbox_item ON outbox (item) WHERE due IS NOT NULL;
    -- The processes that poll. A claim of a feed is valid as long as its owner's lease, which one heartbeat
    -- renews.
    CREATE TABLE nodes (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      version text COLLATE "C" NOT NULL,
      since timestamptz NOT NULL,
      beat timestamptz NOT NULL,
      until timestamptz NOT NULL
    );
    CREATE TABLE polls (
      feed bigint PRIMARY KEY,
      owner bigint,
      token bigint NOT NULL,
      asked timestamptz  -- when the last request was sent
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
    -- A taken slot of a site: its node, and the time at which it expires. `node` is NULL for a process that
    -- has not joined.
    CREATE TYPE slot AS (node bigint, until timestamptz);
    -- The limits of a site: its last request, and its slots that are taken.
    CREATE TABLE sites (
      site text COLLATE "C" PRIMARY KEY,
      last_start timestamptz NOT NULL DEFAULT 'epoch',
      busy slot[] NOT NULL DEFAULT '{}'
    ) WITH (fillfactor = 50);

    CREATE TABLE folder_settings (folder text COLLATE "C" PRIMARY KEY, settings text COLLATE "C" NOT NULL);

    -- The server's secret and the hash of the login password.
    CREATE TABLE secrets (name text COLLATE "C" PRIMARY KEY, value bytea NOT NULL);
    CREATE TABLE app_passwords (
      id bigint PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      hash bytea NOT NULL,
      fever_hash bytea NOT NULL,
      made bigint NOT NULL,
      used bigint
    );
    CREATE UNIQUE INDEX app_passwords_name ON app_passwords (lower(name));
    CREATE TABLE sessions (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      hash bytea NOT NULL UNIQUE,
      agent text COLLATE "C" NOT NULL,
      address text COLLATE "C" NOT NULL,
      made bigint NOT NULL,
      seen bigint NOT NULL
    );
    """
}
