package import NewsCore
package import NewsToolbox

/// How much of an export is stored.
package struct ImportPlace: Hashable, Sendable {
  package var lines: Int
  /// A hash of these lines, to recognize the same export.
  package var hash: UInt64

  package init(lines: Int, hash: UInt64) {
    self.lines = lines
    self.hash = hash
  }
}

/// A writing transaction, or several, that store the rows of an export in an empty store.
package protocol ImportSession {
  associatedtype Connection: StoreSession
  var connection: Connection { get }
  /// How much an interrupted import has stored; nil without one.
  func begun() throws(StoreError) -> ImportPlace?
  /// Called before the first line of a new import; may commit a mark of it.
  mutating func begin(_ place: ImportPlace) throws(StoreError)
  /// Called after each stored line; may commit what is stored.
  mutating func noteLine(_ place: ImportPlace) throws(StoreError)
  /// Stores an item. `item` has the text of the line with its derived data. `marks` are the hashes of the item with the
  /// feed's own text.
  mutating func insert(
    _ exported: ExportedItem,
    _ item: StoredItem,
    _ marks: ItemHashes
  ) throws(StoreError)
  /// Writes the collected rows, and adds change-log entries for the feeds if an older export has none.
  mutating func finish() throws(StoreError)
}

extension StoreSession {
  /// Inserts a row of an export. Throws `badQuery` if a column is missing or a unique value already exists.
  fileprivate func insert(_ row: ExportRow, into table: ExportTable) throws(StoreError) {
    guard table.name != "counters" else {
      let value = row["value"]?.integer ?? 0
      if let counter = row["name"]?.string.flatMap(Counter.init(rawValue:)) {
        try set(counter) { _ in String(value) }
      }
      return
    }
    if table.name == "feeds" { try refuseAboveQuota(adding: 1) }
    let names = row.members.map(\.name).joined(separator: ", ")
    let places = row.members.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let values = row.members.map { $0.value.integer.map(StoreValue.integer) ?? StoreValue($0.value.string) }
    try insertImported("INSERT INTO \(table.name) (\(names)) VALUES (\(places))", values: values)
  }

  /// Runs an insertion. Throws `badQuery` if a row violates a constraint.
  package func insertImported(_ sql: String, values: [StoreValue]) throws(StoreError) {
    do throws(StoreError) {
      _ = try rows(sql, values: values) { _ in }
    } catch {
      guard let violation else { throw error }
      throw StoreError(code: .badQuery, message: "the store refuses the row: \(violation)")
    }
  }
}

extension ImportSession {
  // An import in one transaction.
  package func begun() throws(StoreError) -> ImportPlace? { nil }
  package mutating func begin(_ place: ImportPlace) throws(StoreError) {}
  package mutating func noteLine(_ place: ImportPlace) throws(StoreError) {}
}

/// Reads an export into an empty store, or continues an interrupted import of the same export.
package struct ImportReader<Session: ImportSession> {
  package var session: Session
  private let trust: ImportTrust
  private var policies: [Int64: IdentityPolicy] = [:]
  private var report = ImportReport()
  /// The item count in the last line of the export; nil before that line.
  private var announced: Int64?
  /// The number of the last change before the export; nil before the line with the counter `sequence`.
  private var lastChange: Int64?
  /// The latest time of a change that was stored; nil before the first one.
  private var lastTime: Int64?
  /// True for lines that an interrupted import has stored.
  private var isStored = false

  package static func run(
    _ session: Session,
    _ trust: ImportTrust,
    _ next: () throws -> [UInt8]?
  ) throws(StoreError) -> ImportReport {
    var session = session
    let begun = try session.begun()
    if begun?.lines ?? 0 == 0 { try checkEmpty(session.connection) }
    var hash = FNV1a<UInt64>()
    if begun == nil {
      try session.begin(ImportPlace(lines: 0, hash: hash.value))
      // Another process may have written after the commit of the mark.
      try checkEmpty(session.connection)
    }
    var reader = ImportReader(session, trust)
    var number = 0
    while let line = try line(next) {
      number += 1
      hash.add(line)
      reader.isStored = number <= begun?.lines ?? 0
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
      let place = ImportPlace(lines: number, hash: hash.value)
      if number == begun?.lines, place != begun { throw otherExport(session.connection.name) }
      if number % 1000 == 0 { try reader.session.connection.refuseAboveQuota() }
      if !reader.isStored { try reader.session.noteLine(place) }
    }
    guard number > 0 else { throw StoreError(code: .badQuery, message: "the import is empty") }
    guard number >= begun?.lines ?? 0 else { throw otherExport(session.connection.name) }
    reader.isStored = false
    try reader.session.connection.refuseAboveQuota()
    try reader.finish()
    try reader.verify()
    // The store of which this is a copy may have assigned further numbers after it.
    try reader.session.connection.skipNumbers()
    return reader.report
  }

  private static func checkEmpty(_ connection: Session.Connection) throws(StoreError) {
    guard try !connection.isEmpty() else { return }
    throw StoreError(
      code: .unreadable,
      message:
        "\(connection.name) is not empty: an export goes into a new store, so that ids can be kept. "
        + "Name a new one with --db"
    )
  }

  private static func otherExport(_ store: String) -> StoreError {
    StoreError(
      code: .unreadable,
      message:
        "\(store) has a part of another export, or the copied store has changed since. Remove that part, for example "
        + "with DROP SCHEMA, and begin again"
    )
  }

  private static func line(_ next: () throws -> [UInt8]?) throws(StoreError) -> [UInt8]? {
    do {
      return try next()
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(code: .unreadable, message: "the import cannot be read: \(error)")
    }
  }

  package init(_ session: Session, _ trust: ImportTrust) {
    self.session = session
    self.trust = trust
  }

  package mutating func finish() throws(StoreError) {
    // An import in several transactions has noted its own times.
    if let lastTime { try session.connection.run("DELETE FROM change_times WHERE time > $1", lastTime) }
    if case .moved(let rows) = trust { try rows.insert(into: session.connection) }
    try session.finish()
  }

  private static func table(_ type: String) -> ExportTable? { ExportTable.all.first { $0.type == type } }

  /// Throws if the export is truncated.
  private mutating func verify() throws(StoreError) {
    func incomplete(_ reason: String) -> StoreError {
      StoreError(
        code: .badQuery,
        message:
          "the export is not whole (\(reason)); its last part was not imported. Export again, or complete the file"
      )
    }
    // The export may have written these rows before their items were removed.
    try session.connection.removeStrayEnclosures()
    let missing = try session.connection.missingReferences()
    guard missing.isEmpty else { throw incomplete(missing.joined(separator: "; ")) }
    if let announced {
      guard announced == report.items else {
        throw incomplete("\(report.items) of \(announced) items are there")
      }
      // Recompute the totals: the export wrote them before the items, and items may have changed in between.
      try session.connection.recount()
    } else {
      // Without a last line, compare with the totals at the start of the export to detect missing parts.
      let wrong = try session.connection.wrongTotals()
      guard wrong.isEmpty else { throw incomplete(wrong.joined(separator: "; ")) }
    }
  }

  private mutating func read(_ line: [UInt8], isFirst: Bool) throws(StoreError) {
    guard
      let value = line.withUnsafeBufferPointer({
        JSONValue(valid: $0, mostValues: JSONValue.mostValuesOfLine)
      }),
      let type = value["type"]?.string
    else {
      throw StoreError(
        code: .badQuery,
        message: isFirst ? "this is not an export of newsd" : "it is not a JSON object with a 'type'"
      )
    }
    if type == "newsd" {
      guard value["schema"]?.integer == 1 else {
        throw StoreError(code: .badQuery, message: "it was written by a later newsd; install that one")
      }
      return
    }
    guard announced == nil else {
      throw StoreError(code: .badQuery, message: "it follows the last line of the export, 'end'")
    }
    if type == "end" {
      guard let items = value["items"]?.integer else {
        throw StoreError(code: .badQuery, message: "'items' of the last line is not an integer")
      }
      announced = items
      return
    }
    guard !isFirst else { throw StoreError(code: .badQuery, message: "this is not an export of newsd") }
    try read(value)
  }

  /// Stores one line of an export; the header line is handled elsewhere.
  package mutating func read(_ value: JSONValue) throws(StoreError) {
    let type = value["type"]?.string ?? ""
    if type == "item" { return try insert(value) }
    if type == "rule" {
      // A rule applies to the items of all feeds: it could drop or mark items of feeds that the user subscribes to
      // later.
      guard isTrusted else {
        report.rulesLeftOut += 1
        return
      }
      let query = value["query"]?.string ?? ""
      guard [RuleAction](stored: value["action"]?.string ?? "") != nil,
        try QueryExpansion.read(query, now: Timestamp(seconds: 0)) != .all
      else {
        throw StoreError(
          code: .badQuery,
          message: "the rule for '\(query)' has an unknown action or selects all items"
        )
      }
    }
    guard let table = Self.table(type) else {
      throw StoreError(code: .badQuery, message: "the type '\(type)' is unknown to this newsd")
    }
    var row = try table.row(value, isTrusted: isTrusted)
    switch type {
    case "counter":
      if row["name"]?.string == "sequence" { lastChange = row["value"]?.integer }
    case "folder":
      guard checkFolder(&row) else { return }
    case "hook", "page_hook", "delivery":
      guard try checkHook(row, type) else { return }
    case "change_time": return try insertTime(row)
    default: break
    }
    if type == "feed" {
      try checkFeed(&row)
      report.feeds += 1
      policies[row["id"]?.integer ?? 0] = row["identity"]?.string.flatMap(IdentityPolicy.init(rawValue:))
    }
    guard !isStored else { return }
    try session.connection.insert(row, into: table)
  }

  /// Stores the time of a change, in place of the times that an empty store and the import itself have noted.
  private mutating func insertTime(_ row: ExportRow) throws(StoreError) {
    let (time, number) = (row["time"]?.integer ?? 0, row["sequence"]?.integer ?? 0)
    let isFirst = lastTime == nil
    guard number <= lastChange ?? .max else { return }
    lastTime = time
    guard !isStored else { return }
    if isFirst { try session.connection.run("DELETE FROM change_times") }
    try session.connection.run(
      """
      INSERT INTO change_times (time, sequence) VALUES ($1, $2)
      ON CONFLICT (time) DO UPDATE SET sequence = excluded.sequence
      """,
      time,
      number
    )
  }

  private var isTrusted: Bool {
    if case .untrusted = trust { false } else { true }
  }

  /// Normalizes the settings of a feed. Settings from an untrusted export are restricted like those from an untrusted
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

  /// Normalizes the settings of a folder. Returns false if no setting is left and no client has made the folder.
  private func checkFolder(_ row: inout ExportRow) -> Bool {
    guard let folder = FolderPath.cleaned(row["folder"]?.string ?? "") else { return false }
    row["folder"] = .string(folder)
    var settings = FeedSettings(stored: row["settings"]?.string).articlePart
    var made = MadeFolder(name: folder, stored: row["settings"]?.string ?? "")
    if case .untrusted(_, let check) = trust {
      _ = check.removeUnusable(&settings)
      made?.number = nil
    }
    guard let text = made?.storedText ?? settings.storedText else { return false }
    row["settings"] = .string(text)
    return true
  }

  /// Returns true if the line of a hook or delivery must be stored. Lines of an untrusted export are skipped: they must
  /// not make the user's hooks deliver anything.
  private mutating func checkHook(_ row: ExportRow, _ type: String) throws(StoreError) -> Bool {
    guard isTrusted else {
      if type == "delivery" { report.deliveriesLeftOut += 1 }
      return false
    }
    if type == "delivery", HookEvent(rawValue: row["event"]?.string ?? "") == nil {
      throw StoreError(code: .badQuery, message: "the event of a delivery is unknown to this newsd")
    }
    return true
  }

  private mutating func insert(_ value: JSONValue) throws(StoreError) {
    guard !isStored else {
      report.items += 1
      return
    }
    var exported = try ExportedItem(value)
    if case .untrusted(let cleaner, _) = trust { try exported.clean(cleaner) }
    let marks = ItemHashes(of: exported.feedItem, under: policies[exported.integer("feed")] ?? .guid)
    try session.insert(exported, exported.item.prepared, marks)
    report.items += 1
  }
}
