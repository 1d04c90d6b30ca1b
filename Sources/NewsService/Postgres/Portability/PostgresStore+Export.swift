package import NewsCore
import NewsToolbox

extension PostgresStore: StoreExporting {
  /// Maximum number of rows read in one snapshot.
  private static let portion = 500

  public func exportAll(_ consume: @Sendable ([UInt8]) throws -> Void) async throws {
    var json = JSONWriter()
    func line(_ value: JSONValue) {
      json.value(value)
      json.newline()
    }
    line(ExportLine.first)
    // Exclude items stored after this moment: their feeds may be missing from the export.
    let lastItem = try await read { (connection) throws(StoreError) in try connection.value(of: .item) }
    for table in ExportTable.all {
      var after: JSONValue?
      repeat {
        let page = try await read { [after] (connection) throws(StoreError) in
          try table.lines(after: after, limit: Self.portion, connection)
        }
        for value in page where (value["item"]?.integer ?? 0) <= lastItem { line(value) }
        try consume(json.takeBytes())
        after = page.count == Self.portion ? page.last : nil
      } while after != nil
    }
    var items = 0
    var after: Int64? = .min
    while let last = after {
      let page = try await read { (connection) throws(StoreError) in
        try Self.page(after: last, through: lastItem, connection)
      }
      for value in page.lines { line(value) }
      if !page.lines.isEmpty { try consume(json.takeBytes()) }
      items += page.lines.count
      after = page.last
    }
    line(ExportLine.last(items: items))
    try consume(json.takeBytes())
  }

  private struct Page: Sendable {
    var lines: [JSONValue]
    var last: Int64?
  }

  /// Returns items with their versions, in the order of their ids.
  private static func page(
    after: Int64,
    through highest: Int64,
    _ connection: Connection
  ) throws(StoreError) -> Page {
    let rows = try connection.query(
      """
      SELECT i.id, i.feed, i.sequence, i.first_sequence, i.change, i.is_read, i.is_starred, i.cluster, i.published,
        i.updated, i.stored, i.language, i.guid, i.url, i.title,
        CASE WHEN i.published IS NULL AND i.sort < i.stored THEN i.sort END, c.summary, c.details, c.text, c.html,
        EXISTS (SELECT 1 FROM versions WHERE item = i.id), EXISTS (SELECT 1 FROM articles WHERE item = i.id)
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.id > $1 AND i.id <= $2 ORDER BY i.id LIMIT \(portion)
      """,
      after,
      highest
    )
    let labels = try ItemLabels.read(rows.map { $0.int64(0) }, connection)
    var lines: [JSONValue] = []
    for row in rows {
      let id = row.int64(0)
      var article: ExportedArticle?
      if row.bool(21) {
        article = try connection.query("SELECT \(ExportedArticle.columns) FROM articles WHERE item = $1", id)
          .first
          .map { ExportedArticle(row: $0) }
      }
      let line = ExportLine.item(row, article: article, labels: labels[id] ?? [])
      guard row.bool(20) else {
        lines.append(line)
        continue
      }
      lines.append(ExportLine.with(try ItemRows.versions(of: id, text: row.string(18), connection), line))
    }
    return Page(lines: lines, last: rows.count == portion ? rows.last?.int64(0) : nil)
  }

  public func importAll(
    _ trust: ImportTrust,
    _ line: @Sendable () throws -> [UInt8]?
  ) async throws -> ImportReport {
    try await write(isRepeatable: false) { (connection) throws(StoreError) in
      try ImportReader.run(StoreImport(connection), trust) { () throws(StoreError) -> [UInt8]? in
        do {
          return try line()
        } catch let error as StoreError {
          throw error
        } catch {
          throw StoreError(code: .unreadable, message: "the import cannot be read: \(error)")
        }
      }
    }
  }
}

extension ExportTable {
  /// Returns the rows after the one in the line `last`, in order.
  func lines(after last: JSONValue?, limit: Int, _ connection: Connection) throws(StoreError) -> [JSONValue] {
    guard name != "counters" else { return last == nil ? try counters(connection) : [] }
    var parameters: [Parameter] = []
    var places: [String] = []
    for key in keys {
      guard let value = last?[key] else { continue }
      let isNumber = value.integer != nil
      parameters.append(
        Parameter(value.integer.map(StoreValue.integer) ?? value.string.map(StoreValue.text) ?? .null)
      )
      places.append("$\(parameters.count)::\(isNumber ? "bigint" : "text")")
    }
    let bound = places.isEmpty ? "" : "WHERE (\(order)) > (\(places.joined(separator: ", "))) "
    return try connection.query(
      "SELECT \(columnList) FROM \(name) \(bound)ORDER BY \(order) LIMIT \(limit)",
      parameters: parameters
    ).map { line($0) }
  }

  /// The counters, in the form of the table in which the SQLite store keeps them.
  private func counters(_ connection: Connection) throws(StoreError) -> [JSONValue] {
    var lines: [JSONValue] = []
    for counter in Counter.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
      lines.append(
        .object([
          .init(name: "type", value: .string(type)), .init(name: "name", value: .string(counter.rawValue)),
          .init(name: "value", value: .integer(try connection.value(of: counter))),
        ])
      )
    }
    return lines
  }
}
