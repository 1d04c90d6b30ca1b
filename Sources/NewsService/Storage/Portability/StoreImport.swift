import NewsCore

/// Reads an export into an empty store, inside one transaction.
struct StoreImport {
  /// Items whose words are gathered before they are indexed, in the order of their keys.
  private static let portion = 1000

  private let connection: Connection
  /// Programs of the export are run, as they were where it was written.
  private let trustsPrograms: Bool
  private var policies: [Int64: IdentityPolicy] = [:]
  private var keys = KeyMaker()
  private var waiting: [(key: ItemKey, item: StoredItem)] = []
  private var report = ImportReport()

  static func run(
    trustingPrograms: Bool,
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
    var reader = StoreImport(connection, trustingPrograms: trustingPrograms)
    var number = 0
    while let line = try next() {
      number += 1
      guard line.contains(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D }) else { continue }
      do {
        try reader.read(line, isFirst: number == 1)
      } catch  where error.code == .badQuery {
        throw StoreError(code: .badQuery, message: "line \(number) of the import: \(error.message)")
      }
    }
    guard number > 0 else { throw StoreError(code: .badQuery, message: "the import is empty") }
    try reader.finish()
    // Totals come first and all else after them: an export that was cut short shows here.
    let missing = try StoreInspection.references(connection) + StoreInspection.totals(connection)
    guard missing.isEmpty else {
      let list = missing.map(\.message).joined(separator: "; ")
      throw StoreError(
        code: .badQuery,
        message: "the export is not whole (\(list)); nothing was imported. Export again, or complete the file"
      )
    }
    return reader.report
  }

  init(_ connection: Connection, trustingPrograms: Bool = false) {
    self.connection = connection
    trustsPrograms = trustingPrograms
  }

  /// Indexes what is still waiting, and completes what older exports do not have.
  mutating func finish() throws(StoreError) {
    try index()
    try connection.execute(FeedLog.completion)
  }

  private mutating func read(_ line: [UInt8], isFirst: Bool) throws(StoreError) {
    guard let value = line.withUnsafeBytes({ JSONValue($0) }), let type = value["type"]?.string else {
      throw StoreError(code: .badQuery, message: "this is no export of newsd")
    }
    if type == "newsd" {
      guard value["schema"]?.integer == 1 else {
        throw StoreError(code: .badQuery, message: "it was written by a later newsd; install that one")
      }
      return
    }
    guard !isFirst else { throw StoreError(code: .badQuery, message: "this is no export of newsd") }
    try read(value)
  }

  /// Stores one line that is not the first.
  mutating func read(_ value: JSONValue) throws(StoreError) {
    let type = value["type"]?.string ?? ""
    if type == "item" { return try insert(value) }
    guard let table = ExportTable.all.first(where: { $0.type == type }) else {
      throw StoreError(code: .badQuery, message: "\"\(type)\" is unknown to this newsd")
    }
    try table.insert(value, connection)
    if type == "feed" {
      report.feeds += 1
      try checkSettings(value)
      policies[value["id"]?.integer ?? 0] = value["identity"]?.string.flatMap(IdentityPolicy.init(rawValue:))
    }
  }

  /// Settings as this newsd writes them: whoever wrote the export, what cannot be read is left out. A program is run only
  /// for a subscription that was typed, and here nobody has typed it.
  private mutating func checkSettings(_ feed: JSONValue) throws(StoreError) {
    guard let text = feed["settings"]?.string, let id = feed["id"]?.integer else { return }
    var settings = FeedSettings(stored: text)
    let url = feed["url"]?.string ?? ""
    let isProgram = !["http:", "https:", "file:"].contains { url.lowercased().hasPrefix($0) }
    if !trustsPrograms, isProgram, settings.allowsLocalOrigin != nil {
      settings.allowsLocalOrigin = nil
      report.untrusted.append(url)
    }
    guard settings.storedText != text else { return }
    let statement = try connection.prepare("UPDATE feeds SET settings = ? WHERE id = ?")
    try statement.bind(1, settings.storedText)
    try statement.bind(2, id)
    try statement.run()
  }

  private mutating func insert(_ value: JSONValue) throws(StoreError) {
    guard let exported = ExportedItem(value) else {
      throw StoreError(code: .badQuery, message: "an item without id, feed, sequence, stored, title or text")
    }
    let item = exported.item.prepared
    let sortTime = item.sortTime(stored: exported.stored)
    let key = try keys.key(for: sortTime, connection)
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
    let marks = ItemMarks(of: item, under: policies[exported.integer("feed")] ?? .guid)
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
    try statement.run()
    try ItemWriter.insertContents(item, NewsItem.ID(rawValue: exported.integer("id")), connection)
    try StoryClusters.insert(item.preparation.fingerprint, key, connection)
    try ItemTags.set(item.details.allTags, was: [], of: key, connection)
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
