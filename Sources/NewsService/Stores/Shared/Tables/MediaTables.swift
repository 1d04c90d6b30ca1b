package import NewsCore

// The tables of the media store, and the addresses of icons that feeds name.

/// The layout of the media store: a file of its own beside a store in a file, tables of the store on PostgreSQL.
package enum MediaTables {
  /// `token` is the name in the picture's address.
  package static func pictures(number: String, bytes: String) -> String {
    """
    CREATE TABLE pictures (
      id \(number) PRIMARY KEY,
      token TEXT NOT NULL UNIQUE,
      type TEXT NOT NULL,
      size \(number) NOT NULL,
      bytes \(bytes) NOT NULL
    )
    """
  }

  /// `source` is the address of the picture, `named` the address in the feed's document, `due` the time of the next
  /// look-up.
  package static func icons(number: String) -> String {
    """
    CREATE TABLE icons (
      feed \(number) PRIMARY KEY,
      feed_hash \(number) NOT NULL,
      due \(number) NOT NULL,
      named TEXT,
      source TEXT,
      etag TEXT,
      last_modified TEXT,
      picture \(number)
    )
    """
  }

  /// The pictures of starred and labelled items.
  package static func keptPictures(number: String, bytes: String) -> String {
    """
    CREATE TABLE IF NOT EXISTS kept_pictures (
      feed \(number) NOT NULL,
      url TEXT NOT NULL,
      type TEXT NOT NULL,
      size \(number) NOT NULL,
      bytes \(bytes) NOT NULL,
      PRIMARY KEY (feed, url)
    )
    """
  }

  package static let index = "CREATE INDEX icons_picture ON icons (picture)"
}

/// A store of pictures. Its SQL must be valid on SQLite and on PostgreSQL.
package protocol MediaStore: MediaKeeping {
  associatedtype MediaSession: StoreSession
  /// Runs `body` in one snapshot.
  func readMedia<Result: Sendable>(
    _ body: @Sendable (MediaSession) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result
  /// Runs `body` in one write transaction.
  func writeMedia<Result: Sendable>(
    _ body: @Sendable (MediaSession) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result
}

private let pictureColumns = "p.id, p.token, p.type"
private let stateColumns =
  pictureColumns + ", i.feed, i.feed_hash, i.due, i.named, i.source, i.etag, i.last_modified"
private let states = "icons AS i LEFT JOIN pictures AS p ON p.id = i.picture"
/// Number of numbers that are tried for a picture.
private let attempts: Int64 = 16

extension PictureReference {
  /// Reads the first columns of a row. Returns nil for NULL, and for a type that this newsd does not know.
  fileprivate init?(_ row: borrowing some StoreRow & ~Copyable) {
    guard let type = row.optionalString(2).flatMap(PictureType.init(rawValue:)) else { return nil }
    self.init(id: row.int64(0), token: row.string(1), type: type)
  }
}

extension IconState {
  /// Reads the columns of `stateColumns`.
  fileprivate init(_ row: borrowing some StoreRow & ~Copyable) {
    self.init(feedHash: row.int64(4), due: row.time(5) ?? Timestamp(seconds: 0))
    named = row.optionalString(6)
    picture = PictureReference(row)
    guard picture != nil, let source = row.optionalString(7) else { return }
    validators = Validators(etag: row.optionalString(8), lastModified: row.optionalString(9), url: source)
  }
}

extension StoreSession {
  fileprivate func picture(
    where condition: String,
    _ value: any StoreValueConvertible
  ) throws(StoreError) -> Picture? {
    try first("SELECT \(pictureColumns), p.bytes FROM pictures AS p WHERE \(condition)", value) { row in
      PictureReference(row).map { Picture($0, bytes: row.bytes(3)) }
    } ?? nil
  }

  fileprivate func keep(_ record: IconRecord, limit: Int64) throws(StoreError) {
    let former = try number("SELECT picture FROM icons WHERE feed = $1", record.feedID)
    var (picture, validators): (Int64?, Validators?) = (nil, nil)
    switch record.outcome {
    case .missing: break
    case .found(let found, let values):
      picture = try insert(found, limit: limit)
      validators = values
    case .unchanged:
      try run(
        """
        INSERT INTO icons (feed, feed_hash, due, named) VALUES ($1, $2, $3, $4)
        ON CONFLICT (feed) DO UPDATE SET due = excluded.due, named = excluded.named,
          feed_hash = excluded.feed_hash
        """,
        record.feedID,
        record.feedHash,
        record.due,
        record.named
      )
      return
    }
    try run(
      """
      INSERT INTO icons (feed, feed_hash, due, named, source, etag, last_modified, picture)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (feed) DO UPDATE SET feed_hash = excluded.feed_hash, due = excluded.due,
        named = excluded.named, source = excluded.source, etag = excluded.etag,
        last_modified = excluded.last_modified, picture = excluded.picture
      """,
      record.feedID,
      record.feedHash,
      record.due,
      record.named,
      picture == nil ? nil : validators?.url,
      validators?.etag,
      validators?.lastModified,
      picture
    )
    if let former, former != picture { try removeUnused("id = $1", former) }
  }

  /// Returns the number of a picture that is stored now; nil if there is no room for it.
  private func insert(_ picture: Picture, limit: Int64) throws(StoreError) -> Int64? {
    let reference = picture.reference
    if let id = try number("SELECT id FROM pictures WHERE token = $1", reference.token) { return id }
    guard try bytesOfIcons() + Int64(picture.bytes.count) <= limit else { return nil }
    // Another picture may have the number, which has 31 bits only.
    for id in reference.id..<reference.id + attempts {
      let isNew = try count(
        """
        INSERT INTO pictures (id, token, type, size, bytes) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT DO NOTHING RETURNING 1
        """,
        id,
        reference.token,
        reference.type.rawValue,
        picture.bytes.count,
        StoreValue.bytes(picture.bytes)
      )
      if isNew > 0 { return id }
    }
    return nil
  }

  fileprivate func bytesOfIcons() throws(StoreError) -> Int64 {
    Counter.clamped(try number("SELECT CAST(coalesce(sum(size), 0) AS bigint) FROM pictures") ?? 0)
  }

  /// Deletes pictures that no feed has.
  fileprivate func removeUnused(
    _ condition: String,
    _ values: any StoreValueConvertible...
  ) throws(StoreError) {
    try run(
      """
      DELETE FROM pictures WHERE \(condition)
        AND NOT EXISTS (SELECT 1 FROM icons WHERE icons.picture = pictures.id)
      """,
      values: values.map(\.storeValue)
    )
  }
}

extension MediaStore {
  package func icons(of feeds: [Feed.ID]) async throws(StoreError) -> [Feed.ID: PictureReference] {
    try await readMedia { (session) throws(StoreError) in
      let found = try session.rows(
        """
        SELECT \(pictureColumns), i.feed FROM icons AS i JOIN pictures AS p ON p.id = i.picture
        WHERE i.feed \(MediaSession.isOne(of: "$1"))
        """,
        StoreValue.integers(feeds.map(\.rawValue))
      ) { row in PictureReference(row).map { (Feed.ID(rawValue: row.int64(3)), $0) } }
      return Dictionary(found.compactMap { $0 }) { first, _ in first }
    }
  }

  package func iconStates(of feeds: [Feed.ID]) async throws(StoreError) -> [Feed.ID: IconState] {
    try await readMedia { (session) throws(StoreError) in
      let found = try session.rows(
        "SELECT \(stateColumns) FROM \(states) WHERE i.feed \(MediaSession.isOne(of: "$1"))",
        StoreValue.integers(feeds.map(\.rawValue))
      ) { (Feed.ID(rawValue: $0.int64(3)), IconState($0)) }
      return Dictionary(found) { first, _ in first }
    }
  }

  package func records(after feed: Feed.ID?, limit: Int) async throws(StoreError) -> [IconRecord] {
    try await readMedia { (session) throws(StoreError) in
      try session.rows(
        "SELECT \(stateColumns), p.bytes FROM \(states) WHERE i.feed > $1 ORDER BY i.feed LIMIT $2",
        feed?.rawValue ?? .min,
        limit
      ) { row in
        let state = IconState(row)
        var outcome = IconRecord.Outcome.missing
        if let picture = state.picture, let validators = state.validators {
          outcome = .found(Picture(picture, bytes: row.bytes(10)), validators)
        }
        return IconRecord(
          feedID: Feed.ID(rawValue: row.int64(3)),
          feedHash: state.feedHash,
          named: state.named,
          due: state.due,
          outcome: outcome
        )
      }
    }
  }

  package func keep(_ record: IconRecord, limit: Int64) async throws(StoreError) {
    try await writeMedia { (session) throws(StoreError) in try session.keep(record, limit: limit) }
  }

  package func picture(token: String) async throws(StoreError) -> Picture? {
    try await readMedia { (session) throws(StoreError) in
      try session.picture(where: "p.token = $1", token)
    }
  }

  package func picture(id: Int64) async throws(StoreError) -> Picture? {
    try await readMedia { (session) throws(StoreError) in try session.picture(where: "p.id = $1", id) }
  }

  package func removeIcons(dueBefore time: Timestamp) async throws(StoreError) {
    // Check with a reader first: usually there is nothing to delete, and no write transaction is needed.
    let isAny = try await readMedia { (session) throws(StoreError) in
      try session.number("SELECT 1 FROM icons WHERE due < $1 LIMIT 1", time) != nil
    }
    guard isAny else { return }
    try await writeMedia { (session) throws(StoreError) in
      try session.run("DELETE FROM icons WHERE due < $1", time)
      try session.removeUnused("true")
    }
  }
}

// MARK: - Pictures of items

extension MediaStore {
  package func keptSizes() async throws(StoreError) -> [Feed.ID: [String: Int]] {
    try await readMedia { (session) throws(StoreError) in
      guard try session.has("kept_pictures") else { return [:] }
      var found: [Feed.ID: [String: Int]] = [:]
      try session.forEachRow("SELECT feed, url, size FROM kept_pictures") { row in
        found[Feed.ID(rawValue: row.int64(0)), default: [:]][row.string(1)] = row.count(2)
      }
      return found
    }
  }

  package func keptPicture(_ url: String, of feed: Feed.ID) async throws(StoreError) -> KeptPicture? {
    try await readMedia { (session) throws(StoreError) in
      guard try session.has("kept_pictures") else { return nil }
      return try session.first(
        "SELECT type, bytes FROM kept_pictures WHERE feed = $1 AND url = $2",
        feed,
        url
      ) {
        row in
        PictureType(rawValue: row.string(0)).map {
          KeptPicture(feed: feed, url: url, type: $0, bytes: row.bytes(1))
        }
      } ?? nil
    }
  }

  package func keep(_ picture: KeptPicture) async throws(StoreError) {
    try await writeMedia { (session) throws(StoreError) in
      try session.run(
        """
        INSERT INTO kept_pictures (feed, url, type, size, bytes) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (feed, url) DO UPDATE SET type = excluded.type, size = excluded.size, bytes = excluded.bytes
        """,
        picture.feed,
        picture.url,
        picture.type.rawValue,
        picture.bytes.count,
        StoreValue.bytes(picture.bytes)
      )
    }
  }

  package func removeKept(_ pictures: [Feed.ID: [String]]) async throws(StoreError) {
    try await writeMedia { (session) throws(StoreError) in
      for (feed, urls) in pictures {
        for url in urls {
          try session.run("DELETE FROM kept_pictures WHERE feed = $1 AND url = $2", feed, url)
        }
      }
    }
  }

  package func iconBytes() async throws(StoreError) -> Int64 {
    try await readMedia { (session) throws(StoreError) in try session.bytesOfIcons() }
  }
}

// MARK: - The addresses that feeds name

extension StoreSession {
  /// Notes the address of the picture that a feed's document names as its icon.
  func noteIcon(_ url: String, of feed: Feed.ID) throws(StoreError) {
    try run(
      """
      INSERT INTO feed_icons (feed, url) VALUES ($1, $2)
      ON CONFLICT (feed) DO UPDATE SET url = excluded.url WHERE feed_icons.url <> excluded.url
      """,
      feed,
      url
    )
  }
}

extension TableStore {
  package func namedIcons(of feeds: [Feed.ID]) async throws(StoreError) -> [Feed.ID: String] {
    try await snapshot { (session) throws(StoreError) in
      guard try session.has("feed_icons") else { return [:] }
      let found = try session.rows(
        "SELECT feed, url FROM feed_icons WHERE feed \(Session.isOne(of: "$1"))",
        StoreValue.integers(feeds.map(\.rawValue))
      ) { (Feed.ID(rawValue: $0.int64(0)), $0.string(1)) }
      return Dictionary(found) { first, _ in first }
    }
  }
}
