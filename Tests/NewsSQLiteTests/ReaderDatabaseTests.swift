import CSQLite
import NewsCore
import NewsSQLite
import NewsStoresShared
import SearchCases
import Testing

/// Small databases with the tables of other readers, as their sources create them.
@Suite struct `Databases of other readers` {
  private let temporary: TemporaryStore

  init() throws { temporary = try TemporaryStore() }

  private func feeds(_ script: String) throws -> [ImportedFeed] {
    let path = temporary.path + ".other"
    var database: OpaquePointer?
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    #expect(
      sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK,
      "\(String(cString: sqlite3_errmsg(database)))"
    )
    return try ReaderDatabase().feeds(inDatabase: path)
  }

  private static let freshRSS = """
    CREATE TABLE `category` (`id` INTEGER PRIMARY KEY, `name` VARCHAR(191) NOT NULL);
    CREATE TABLE `feed` (`id` INTEGER PRIMARY KEY, `url` VARCHAR(32768) NOT NULL, `category` INTEGER DEFAULT 0,
      `name` VARCHAR(191) NOT NULL, `website` VARCHAR(32768));
    CREATE TABLE `entry` (`id` BIGINT NOT NULL PRIMARY KEY, `guid` VARCHAR(767) NOT NULL, `title` VARCHAR(8192) NOT NULL,
      `author` VARCHAR(1024), `content` TEXT, `link` VARCHAR(16383) NOT NULL, `date` BIGINT, `lastSeen` BIGINT DEFAULT 0,
      `hash` BINARY(16), `is_read` BOOLEAN NOT NULL DEFAULT 0, `is_favorite` BOOLEAN NOT NULL DEFAULT 0,
      `id_feed` INTEGER, `tags` VARCHAR(2048), `attributes` TEXT);
    CREATE TABLE `tag` (`id` INTEGER PRIMARY KEY, `name` VARCHAR(191) NOT NULL);
    CREATE TABLE `entrytag` (`id_tag` INTEGER, `id_entry` BIGINT, PRIMARY KEY (`id_tag`,`id_entry`));
    CREATE INDEX entrytag_id_entry_index ON `entrytag` (`id_entry`);
    INSERT INTO category VALUES (1, 'Uncategorized'), (2, 'Q &amp; A');
    INSERT INTO feed VALUES (1, 'https://f.example/?a=1&amp;b=2', 2, 'News &amp; more', 'https://f.example/'),
      (2, 'https://g.example/', 1, 'G', NULL);
    INSERT INTO entry VALUES (1700000000000001, 'g1', 'A &lt;b&gt; &amp;amp;', '; Ann; Bob', '<p>x</p>',
      'https://f.example/1?a=1&amp;b=2', 1700000000, 0, x'00', 1, 0, 1, '#one #two words', NULL),
      (1700000000000002, 'https://f.example/2', 'B', '', 'y', 'https://f.example/2', 1700000100, 0, x'00', 0, 1, 1, '', NULL);
    INSERT INTO tag VALUES (1, 'later'), (2, 'to read');
    INSERT INTO entrytag VALUES (1, 1700000000000001), (2, 1700000000000001);
    """

  @Test func `FreshRSS: folders, states, labels, and texts that are escaped once`() throws {
    let feeds = try feeds(Self.freshRSS)
    #expect(feeds.map(\.feed.url) == ["https://f.example/?a=1&b=2", "https://g.example/"])
    #expect(feeds.map(\.feed.folder) == ["Q & A", nil])
    #expect(feeds[0].feed.title == "News & more")
    let items = feeds[0].items
    #expect(items.map(\.item.title) == ["B", "A <b> &amp;"])
    #expect(items.map(\.item.id) == [nil, "g1"])
    #expect(items.map(\.isRead) == [false, true])
    #expect(items.map(\.isStarred) == [true, false])
    #expect(items[1].labels.sorted() == ["later", "to read"])
    #expect(items[1].item.tags.map(\.term) == ["one", "two words"])
    #expect(items[1].item.url == "https://f.example/1?a=1&b=2")
    #expect(items[1].item.authors.map(\.name) == ["Ann; Bob"])
    #expect(items[1].item.published == Timestamp(seconds: 1_700_000_000))
    #expect(items[1].stored == Timestamp(seconds: 1_700_000_000))
  }

  @Test func `yarr: status 1 is read, status 2 is starred, and times are text`() throws {
    let feeds = try feeds(
      """
      CREATE TABLE folders (id integer primary key autoincrement, title text not null);
      CREATE TABLE "feeds" (id integer primary key autoincrement, folder_id references folders(id), title text not null,
        description text, link text, feed_link text not null, icon blob);
      CREATE TABLE "items" (id integer primary key autoincrement, guid string not null, feed_id references feeds(id),
        title text, link text, description text, content text, author text, date datetime, date_updated datetime,
        date_arrived datetime, status integer, image text, search_rowid integer, podcast_url text);
      INSERT INTO folders VALUES (1, 'Daily');
      INSERT INTO feeds VALUES (1, 1, 'Y', '', 'https://y.example/', 'https://y.example/feed', NULL);
      INSERT INTO items (guid, feed_id, title, link, content, date, date_arrived, status) VALUES
        ('a', 1, 'New', 'https://y.example/a', 'x', '2023-11-14 22:13:20.5+00:00', '2023-11-15 00:00:00+00:00', 0),
        ('b', 1, 'Read', 'https://y.example/b', 'x', '2023-11-14 22:13:19+00:00', NULL, 1),
        ('c', 1, 'Star', 'https://y.example/c', 'x', 0, NULL, 2);
      """
    )
    #expect(
      feeds.map(\.feed) == [
        NewFeed(url: "https://y.example/feed", title: "Y", siteURL: "https://y.example/", folder: "Daily")
      ]
    )
    #expect(feeds[0].items.map(\.item.title) == ["New", "Read", "Star"])
    #expect(feeds[0].items.map(\.isRead) == [false, true, true])
    #expect(feeds[0].items.map(\.isStarred) == [false, false, true])
    #expect(feeds[0].items.map(\.item.published?.seconds) == [1_700_000_000, 1_699_999_999, nil])
  }

  @Test func `NetNewsWire: an id that it computed is no guid`() throws {
    let feeds = try feeds(
      """
      CREATE TABLE articles (articleID TEXT NOT NULL PRIMARY KEY, feedID TEXT NOT NULL, uniqueID TEXT NOT NULL,
        title TEXT, contentHTML TEXT, contentText TEXT, markdown TEXT, url TEXT, externalURL TEXT, summary TEXT,
        imageURL TEXT, bannerImageURL TEXT, datePublished DATE, dateModified DATE, searchRowID INTEGER, authors TEXT);
      CREATE TABLE statuses (articleID TEXT NOT NULL PRIMARY KEY, read BOOL NOT NULL DEFAULT 0,
        starred BOOL NOT NULL DEFAULT 0, dateArrived DATE NOT NULL DEFAULT 0);
      CREATE VIRTUAL TABLE search using fts4(title, body);
      INSERT INTO articles (articleID, feedID, uniqueID, title, contentHTML, url, datePublished) VALUES
        ('1', 'https://n.example/feed', 'tag:1', 'One', '<p>x</p>', 'https://n.example/1', 1700000000.25),
        ('2', 'https://n.example/feed', '0123456789abcdef0123456789abcdef', 'Two', NULL, 'https://n.example/2', NULL);
      INSERT INTO statuses VALUES ('1', 1, 1, 1700000001.0);
      """
    )
    #expect(feeds.map(\.feed.url) == ["https://n.example/feed"])
    #expect(feeds[0].items.map(\.item.id) == ["tag:1", nil])
    #expect(feeds[0].items.map(\.isRead) == [true, false])
    #expect(feeds[0].items.map(\.isStarred) == [true, false])
    #expect(feeds[0].items[0].stored == Timestamp(seconds: 1_700_000_001))
  }

  @Test func `Liferea: the folder is the parent, the author is in the metadata, and comments are left out`()
    throws
  {
    let feeds = try feeds(
      """
      CREATE TABLE items (item_id INTEGER, parent_item_id INTEGER, node_id TEXT, parent_node_id TEXT, title TEXT,
        read INTEGER, updated INTEGER, popup INTEGER, marked INTEGER, source TEXT, source_id TEXT, valid_guid INTEGER,
        description TEXT, date INTEGER, comment_feed_id TEXT, comment INTEGER, PRIMARY KEY (item_id));
      CREATE TABLE metadata (item_id INTEGER, nr INTEGER, key TEXT, value TEXT, PRIMARY KEY (item_id, nr));
      CREATE TABLE subscription (node_id STRING, source STRING, PRIMARY KEY (node_id));
      CREATE TABLE node (node_id STRING, parent_id STRING, title STRING, type INTEGER, PRIMARY KEY (node_id));
      INSERT INTO node VALUES ('f', 'root', 'Daily', 0), ('n', 'f', 'L', 1), ('p', 'root', 'Program', 1);
      INSERT INTO subscription VALUES ('n', 'https://l.example/feed'), ('p', '|ls');
      INSERT INTO items VALUES
        (1, 0, 'n', 'n', 'One', 1, 0, 0, 1, 'https://l.example/1', 'g1', 1, '<p>x</p>', 1700000000, NULL, 0),
        (2, 0, 'n', 'n', 'Two', 0, 0, 0, 0, 'https://l.example/2', 'x', 0, '', 1700000001, NULL, 0),
        (3, 1, 'n', 'n', 'Comment', 0, 0, 0, 0, 'https://l.example/3', 'g3', 1, '', 1700000002, NULL, 1);
      INSERT INTO metadata VALUES (1, 0, 'author', 'Ann');
      """
    )
    #expect(feeds.map(\.feed.url) == ["https://l.example/feed", "|ls"])
    #expect(feeds.map(\.feed.folder) == ["Daily", nil])
    #expect(feeds[0].items.map(\.item.title) == ["Two", "One"])
    #expect(feeds[0].items.map(\.item.id) == [nil, "g1"])
    #expect(feeds[0].items[1].item.authors.map(\.name) == ["Ann"])
    #expect(feeds[0].items.map(\.isStarred) == [false, true])
  }

  @Test func `Liferea: an author is that of one item, even if others have its id`() throws {
    let feeds = try feeds(
      """
      CREATE TABLE items (item_id INTEGER, node_id TEXT, title TEXT, read INTEGER, marked INTEGER, source TEXT,
        source_id TEXT, valid_guid INTEGER, description TEXT, date INTEGER, comment INTEGER);
      CREATE TABLE metadata (item_id INTEGER, key TEXT, value TEXT);
      CREATE TABLE subscription (node_id STRING, source STRING);
      CREATE TABLE node (node_id STRING, parent_id STRING, title STRING);
      INSERT INTO subscription VALUES ('n', 'https://l.example/feed');
      INSERT INTO items VALUES
        (1, 'n', 'One', 0, 0, 'https://l.example/1', 'g1', 1, 'x', 1700000000, 0),
        (1, 'n', 'Two', 0, 0, 'https://l.example/2', 'g2', 1, 'x', 1700000001, 0);
      INSERT INTO metadata VALUES (1, 'author', 'Ann');
      """
    )
    #expect(feeds.first?.items.flatMap(\.item.authors).map(\.name) == ["Ann"])
  }

  @Test func `An import adds marks to stored items, and takes none away`() async throws {
    let feeds = try feeds(Self.freshRSS)
    _ = try await temporary.store.importFeeds(feeds, at: Timestamp(seconds: 1_700_001_000))
    var other = feeds
    for place in other[0].items.indices {
      other[0].items[place].isRead.toggle()
      other[0].items[place].isStarred.toggle()
    }
    let report = try await temporary.store.importFeeds(other, at: Timestamp(seconds: 1_700_002_000))
    #expect(report == ImportReport(unchanged: 2))
    #expect(try await temporary.titles(.isRead(true)).count == 2)
    #expect(try await temporary.titles(.isStarred(true)).count == 2)
    #expect(try await temporary.store.check().isEmpty)
  }

  @Test(arguments: [
    // A view instead of a table, and a database of no reader.
    "CREATE TABLE rss_feed (rssurl); CREATE VIEW rss_item AS SELECT 1 AS guid;",
    "CREATE TABLE feeds (id); CREATE TABLE items (id);",
    // A reader's tables without its columns.
    "CREATE TABLE feeds (id); CREATE TABLE items (id); CREATE TABLE folders (id); INSERT INTO feeds VALUES (1);",
    // A generated column that computes more text than the file has: sorting alone would fill the disk.
    """
    CREATE TABLE articles (articleID, feedID, uniqueID, title AS (hex(zeroblob(1000000))), contentHTML, contentText, url,
      externalURL, datePublished);
    CREATE TABLE statuses (articleID, read, starred, dateArrived);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO articles SELECT i, 'https://f', i, NULL, NULL, 'u', NULL, i FROM n;
    """,
  ])
  func `A hostile or unknown database is refused`(script: String) throws {
    let error = #expect(throws: StoreError.self) { try feeds(script) }
    #expect(error?.code == .badQuery)
    #expect(error?.message.contains("more texts than") == false)
  }

  @Test func `Flags that newsboat does not have become no tags, and none twice`() throws {
    let feeds = try feeds(
      """
      CREATE TABLE rss_feed (rssurl, url, title);
      CREATE TABLE rss_item (id INTEGER PRIMARY KEY, guid, title, author, url, feedurl, pubDate, content, unread,
        enclosure_url, enclosure_type, flags, deleted);
      INSERT INTO rss_feed VALUES ('https://n.example/feed', 'https://n.example/', 'N');
      INSERT INTO rss_item VALUES (1, 'g1', 'One', '', 'https://n.example/1', 'https://n.example/feed', 1700000000, 'c', 1,
        NULL, NULL, 'sx1é' || replace(hex(zeroblob(10000)), '00', 'sX'), 0);
      """
    )
    #expect(feeds[0].items.map(\.tags) == [["flag-s", "flag-x", "flag-X"]])
  }

  @Test func `Of tags and labels, the first 512 are taken`() throws {
    let feeds = try feeds(
      Self.freshRSS
        + """
        UPDATE entry SET tags = replace(hex(zeroblob(50000)), '00', ' #a');
        WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
          INSERT INTO tag SELECT i, 'l' || i FROM n;
        INSERT INTO entrytag SELECT id, 1700000000000002 FROM tag;
        """
    )
    #expect(feeds[0].items.map(\.item.tags.count) == [512, 512])
    #expect(feeds[0].items.map(\.labels.count) == [512, 2])
  }

  @Test func `A file of little but names is refused`() throws {
    let error = #expect(throws: StoreError.self) {
      try feeds(
        Self.freshRSS
          + """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO entry (id, guid, title, link, id_feed, hash, tags)
            SELECT i, '', '', '', 1, '', '#1#2#3#4#5#6#7#8#9#1#2#3#4#5#6#7#8#9' FROM n;
          """
      )
    }
    #expect(error?.code == .badQuery)
    #expect(error?.message.contains("more texts than") == true)
  }

  @Test func `A long text with many rows that belong to it is read once`() throws {
    let feeds = try feeds(
      """
      CREATE TABLE articles (articleID, feedID, uniqueID, title, contentHTML, contentText, url, externalURL, datePublished);
      CREATE TABLE statuses (articleID, read, starred, dateArrived);
      INSERT INTO articles VALUES (1, 'https://f', 'x', hex(zeroblob(500000)), NULL, NULL, 'u', NULL, 1);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO statuses SELECT 1, 1, 0, i FROM n;
      """
    )
    #expect(feeds.map(\.items.count) == [1])
    #expect(feeds[0].items[0].isRead)
  }

  @Test(arguments: [
    "CREATE TABLE other (\((0..<300).map { "c\($0)" }.joined(separator: ", ")));",
    "CREATE TABLE other (a /*\(String(repeating: "x", count: 70_000))*/);",
  ])
  func `A schema of many columns or long statements is refused`(script: String) {
    #expect(throws: StoreError.self) { try feeds(Self.freshRSS + script) }
  }

  @Test func `A cancelled import ends`() async throws {
    let path = temporary.path + ".other"
    _ = try feeds(Self.freshRSS)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try ReaderDatabase().feeds(inDatabase: path)
    }
    await #expect(throws: StoreError.self) { _ = try await task.value }
  }
}
