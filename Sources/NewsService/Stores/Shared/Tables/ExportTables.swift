package import NewsCore
import NewsToolbox

// Export and import of a whole store.

extension StoreSession {
  /// Returns at most `limit` rows as lines of the export, in the order of the table's key: those after the row of
  /// `last`, or the first ones. Returns no rows if the table is missing in a store of an earlier newsd.
  fileprivate func lines(
    of table: ExportTable,
    after last: JSONValue?,
    limit: Int
  ) throws(StoreError) -> [JSONValue] {
    if table.name == "counters" { return last == nil ? try counterLines(of: table) : [] }
    if table.isLater, try !has(table.name) { return [] }
    var values: [StoreValue] = []
    var places: [String] = []
    for key in table.keys {
      guard let value = last?[key] else { continue }
      let isNumber = value.integer != nil
      values.append(value.integer.map(StoreValue.integer) ?? StoreValue(value.string))
      places.append("CAST($\(values.count) AS \(isNumber ? "bigint" : "text"))")
    }
    let bound = places.isEmpty ? "" : "WHERE (\(table.order)) > (\(places.joined(separator: ", "))) "
    return try rows(
      "SELECT \(table.columnList) FROM \(table.name) \(bound)ORDER BY \(table.order) LIMIT \(limit)",
      values: values
    ) { table.line($0) }
  }

  private func counterLines(of table: ExportTable) throws(StoreError) -> [JSONValue] {
    var lines: [JSONValue] = []
    for counter in Counter.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
      lines.append(
        .object([
          .init(name: "type", value: .string(table.type)),
          .init(name: "name", value: .string(counter.rawValue)),
          .init(name: "value", value: .integer(try value(of: counter))),
        ])
      )
    }
    return lines
  }

  package func exportedArticle(of id: Int64) throws(StoreError) -> ExportedArticle? {
    try rows("SELECT \(ExportedArticle.columns) FROM articles WHERE item = $1", id) {
      ExportedArticle(row: $0)
    }.first
  }

  /// Stores the labels, the article and the versions of an imported item.
  package func insertParts(of exported: ExportedItem) throws(StoreError) {
    let id = NewsItem.ID(rawValue: exported.integer("id"))
    for label in exported.labels { try add(label: label, to: id) }
    if let article = exported.article {
      try run(
        "INSERT INTO articles (item, \(ExportedArticle.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        values: [id.storeValue] + article.values
      )
    }
    try exported.forEachVersion { (version, delta) throws(StoreError) in
      try insertVersion(of: id, number: version.number, at: version.replaced, title: version.title, delta)
    }
  }
}

/// Maximum number of rows read in one snapshot.
private let portion = 500

extension TableStore {
  package func readInPortions(_ walk: (PortionReading<Session>) async throws -> Void) async throws {
    try await walk { (read) throws(StoreError) in try await snapshot(read) }
  }

  package func exportAll(_ consume: @Sendable ([UInt8]) throws -> Void) async throws {
    try await readInPortions { read in try await Self.export(read, consume) }
  }

  private static func export(
    _ read: PortionReading<Session>,
    _ consume: @Sendable ([UInt8]) throws -> Void
  ) async throws {
    var json = JSONWriter()
    func line(_ value: JSONValue) {
      json.value(value)
      json.newline()
    }
    line(ExportLine.first)
    // Items that are stored from now on are left out, because their feeds may be missing from the export. The feeds are read in
    // the same snapshot: if the state of a feed were later than its items, the next poll would not bring the items that are left out.
    let feeds = try await read { (session) throws(StoreError) in
      var page = ExportPage()
      for table in ExportTable.all where table.name == "feeds" {
        page.lines = try session.lines(of: table, after: nil, limit: .max)
      }
      page.last = try session.value(of: .item)
      return page
    }
    let lastItem = feeds.last ?? 0
    for table in ExportTable.all {
      guard table.name != "feeds" else {
        for value in feeds.lines { line(value) }
        try consume(json.takeBytes())
        continue
      }
      var after: JSONValue?
      repeat {
        let page = try await read { [after] (session) throws(StoreError) in
          var page = ExportPage()
          page.lines = try session.lines(of: table, after: after, limit: portion)
          return page
        }.lines
        for value in page where (value["item"]?.integer ?? 0) <= lastItem { line(value) }
        try consume(json.takeBytes())
        after = page.count == portion ? page.last : nil
      } while after != nil
    }
    var items = 0
    var after: Int64? = .min
    while let last = after {
      let page = try await read { (session) throws(StoreError) in
        try session.exportedItems(after: last, through: lastItem, limit: portion)
      }
      for value in page.lines { line(value) }
      if !page.lines.isEmpty { try consume(json.takeBytes()) }
      items += page.lines.count
      after = page.last
    }
    line(ExportLine.last(items: items))
    try consume(json.takeBytes())
  }
}
