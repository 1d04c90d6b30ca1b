import NewsCore
import NewsToolbox

/// Reads an export into an empty store, inside one transaction.
struct StoreImport {
  /// Items indexed per batch, in the order of their keys.
  private static let portion = 1000

  private let connection: Connection
  private let trust: ImportTrust
  private var policies: [Int64: IdentityPolicy] = [:]
  private var keys = KeyMaker()
  private var waiting: [(key: ItemKey, item: StoredItem)] = []
  private var report = ImportReport()
  /// The item count in the last line of the export; nil before that line.
  private var expectedItems: Int64?

  static func run(
    _ trust: ImportTrust,
    _ connection: Connection,
    _ next: () throws(StoreError) -> [UInt8]?
  ) throws(StoreError) -> ImportReport {
    for table in ["feeds", "items", "tombstones"] {
      guard try connection.integer("SELECT count(*) FROM \(table)") == 0 else {
        throw StoreError(
          code: .unreadable,
          message:
            "\(connection.path) is not empty: an export goes into a new store, so that ids can be kept. "
            + "Name a new file with --db"
        )
      }
    }
    var reader = StoreImport(connection, trust)
    var number = 0
    while let line = try next() {
      number += 1
      guard
        line.contains(where: {
          $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
        })
      else { continue }
      do {
        try reader.read(line, isFirst: number == 1)
      } catch  where error.code == .badQuery {
        throw StoreError(code: .badQuery, message: "line \(number) of the import: \(error.message)")
      }
    }
    guard number > 0 else { throw StoreError(code: .badQuery, message: "the import is empty") }
    try reader.finish()
    try reader.verify()
    return reader.report
  }

  init(_ connection: Connection, _ trust: ImportTrust) {
    self.connection = connection
    self.trust = trust
  }

  /// Indexes the remaining items and adds the feed entries that older exports lack.
  mutating func finish() throws(StoreError) {
    try index()
    try connection.execute(FeedLog.completion)
  }

  /// Throws if the export is truncated.
  private func verify() throws(StoreError) {
    func incomplete(_ reason: String) -> StoreError {
      StoreError(
        code: .badQuery,
        message:
          "the export is not whole (\(reason)); nothing was imported. Export again, or complete the file"
      )
    }
    let missing = try StoreInspection.references(connection)
    guard missing.isEmpty else { throw incomplete(missing.map(\.message).joined(separator: "; ")) }
    if let expectedItems {
      guard expectedItems == report.items else {
        throw incomplete("\(report.items) of \(expectedItems) items are there")
      }
      // Recompute the totals: the export wrote them before the items, which may have changed in between.
      try StoreInspection.recount(connection)
    } else {
      // Without a last line, compare with the totals at the start of the export to detect missing parts.
      let wrong = try StoreInspection.totals(connection)
      guard wrong.isEmpty else { throw incomplete(wrong.map(\.message).joined(separator: "; ")) }
    }
  }

  private mutating func read(_ line: [UInt8], isFirst: Bool) throws(StoreError) {
    guard let value = line.withUnsafeBufferPointer({ JSONValue(valid: $0) }), let type = value["type"]?.string
    else {
      throw StoreError(code: .badQuery, message: "this is no export of newsd")
    }
    if type == "newsd" {
      guard value["schema"]?.integer == 1 else {
        throw StoreError(code: .badQuery, message: "it was written by a later newsd; install that one")
      }
      return
    }
    guard expectedItems == nil else {
      throw StoreError(code: .badQuery, message: "there is more after the last line")
    }
    if type == "end" {
      guard let items = value["items"]?.integer else {
        throw StoreError(code: .badQuery, message: "\"items\" of the last line is not an integer")
      }
      expectedItems = items
      return
    }
    guard !isFirst else { throw StoreError(code: .badQuery, message: "this is no export of newsd") }
    try read(value)
  }

  /// Stores one line of an export; the header line is handled elsewhere.
  mutating func read(_ value: JSONValue) throws(StoreError) {
    let type = value["type"]?.string ?? ""
    if type == "item" { return try insert(value) }
    if type == "rule" {
      // A rule acts on the items of all feeds: it could drop or mark what the user subscribes to later.
      guard isTrusted else {
        report.rulesLeftOut += 1
        return
      }
      let query = value["query"]?.string ?? ""
      guard [RuleAction](stored: value["action"]?.string ?? "") != nil,
        try QueryExpansion.read(query, now: Timestamp(seconds: 0)) != .all
      else {
        throw StoreError(code: .badQuery, message: "the rule for '\(query)' is not a rule of this newsd")
      }
    }
    guard let table = ExportTable.all.first(where: { $0.type == type }) else {
      throw StoreError(code: .badQuery, message: "\"\(type)\" is unknown to this newsd")
    }
    var row = try table.row(value, isTrusted: isTrusted)
    if type == "feed" {
      try checkFeed(&row)
      report.feeds += 1
      policies[row["id"]?.integer ?? 0] = row["identity"]?.string.flatMap(IdentityPolicy.init(rawValue:))
    }
    try table.insert(row, connection)
  }

  private var isTrusted: Bool {
    if case .trusted = trust { true } else { false }
  }

  /// Normalises the settings of a feed. Settings from an untrusted export are restricted like those from an untrusted
  /// list.
  private mutating func checkFeed(_ row: inout ExportRow) throws(StoreError) {
    let url = row["url"]?.string ?? ""
    var settings = FeedSettings(stored: row["settings"]?.string)
    if case .untrusted(_, let check) = trust {
      guard let kind = FeedURLKind(url) else {
        throw StoreError(code: .badQuery, message: "\(WebAddress.redacted(url)) is not the address of a feed")
      }
      if kind == .file || kind == .program, settings.allowsLocalOrigin != nil { report.untrusted.append(url) }
      if check.removePrivileged(&settings) { report.stripped.append(url) }
      _ = check.removeUnusable(&settings)
    }
    row["settings"] = settings.storedText.map(JSONValue.string)
  }

  private mutating func insert(_ value: JSONValue) throws(StoreError) {
    var exported = try ExportedItem(value)
    if case .untrusted(let cleaner, _) = trust { try exported.clean(cleaner) }
    let item = exported.item.prepared
    let key = try keys.key(for: exported.sortTime, connection)
    let statement = try connection.prepare(
      """
      INSERT INTO items (key, id, feed, identity, revision, has_enclosure, published, updated, stored, sequence,
        change, first_sequence, language, guid, url, title, is_read, is_starred, cluster)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    )
    try statement.bind(1, key.rawValue)
    try statement.bind(2, exported.integer("id"))
    try statement.bind(3, exported.integer("feed"))
    let marks = ItemHashes(of: exported.feedItem, under: policies[exported.integer("feed")] ?? .guid)
    try statement.bind(4, marks.identity)
    try statement.bind(5, marks.revision)
    try statement.bind(6, !item.details.enclosures.isEmpty)
    try statement.bind(7, item.published)
    try statement.bind(8, item.updated)
    try statement.bind(9, exported.stored)
    try statement.bind(10, exported.integer("sequence"))
    try statement.bind(11, exported.integer("change"))
    try statement.bind(12, exported.integer("first_sequence"))
    try statement.bind(13, item.language)
    try statement.bind(14, item.guid)
    try statement.bind(15, item.url)
    try statement.bind(16, item.title)
    try statement.bind(17, exported.integer("read"))
    try statement.bind(18, exported.integer("starred"))
    try statement.bind(19, exported.cluster)
    try ExportTable.insert(statement, connection)
    try ItemWriter.insertContents(item, NewsItem.ID(rawValue: exported.integer("id")), connection)
    try exported.article?.insert(of: exported.integer("id"), connection)
    try DuplicateGroups.insert(item.preparation.fingerprint, key, connection)
    try ItemTags.set(item.details.allTags, was: [], of: key, connection)
    for label in exported.labels { try ItemLabels.add(label, to: exported.integer("id"), connection) }
    try insertVersions(exported)
    report.items += 1
    waiting.append((key, item))
    if waiting.count >= Self.portion { try index() }
  }

  private func insertVersions(_ exported: ExportedItem) throws(StoreError) {
    var later = exported.item.text
    for version in exported.versions.reversed() {
      try ItemVersions.insert(
        of: NewsItem.ID(rawValue: exported.integer("id")),
        number: Int64(version.number),
        at: version.replaced,
        title: version.title,
        TextDelta(from: later, to: version.text),
        connection
      )
      later = version.text
    }
  }

  private mutating func index() throws(StoreError) {
    waiting.sort { $0.key < $1.key }
    for (key, item) in waiting {
      try FullTextIndex.insert(key, item.preparation.tokens, connection)
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
