package import NewsStoresShared
package import NewsCore

extension PostgresStore: StoreExporting {
  public func importAll(
    _ trust: ImportTrust,
    _ line: @Sendable () throws -> [UInt8]?
  ) async throws -> ImportReport {
    // An interrupted import can be continued, so a COMMIT without an answer is an error like others.
    defer { reexamine() }
    return try await maintain(isTransaction: true) { [linesPerCommit] (connection) throws(StoreError) in
      try ImportReader.run(StoreImport(connection, linesPerCommit: linesPerCommit), trust, line)
    }
  }
}

extension Connection {
  package func exportedItems(
    after: Int64,
    through last: Int64,
    limit: Int
  ) throws(StoreError) -> ExportPage {
    let rows = try query(
      """
      SELECT i.id, i.feed, i.sequence, i.first_sequence, i.change, i.is_read, i.is_starred, i.cluster, i.published,
        i.updated, i.stored, i.language, i.guid, i.url, i.title,
        CASE WHEN i.published IS NULL AND i.sort < i.stored THEN i.sort END, c.summary, c.details, c.text, c.html,
        EXISTS (SELECT 1 FROM versions WHERE item = i.id), EXISTS (SELECT 1 FROM articles WHERE item = i.id)
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.id > $1 AND i.id <= $2 ORDER BY i.id LIMIT $3
      """,
      after,
      last,
      limit
    )
    let labels = try labels(of: rows.map { $0.int64(0) })
    var page = ExportPage()
    for row in rows {
      let id = row.int64(0)
      let article = row.bool(21) ? try exportedArticle(of: id) : nil
      let line = ExportLine.item(row, article: article, labels: labels[id] ?? [])
      guard row.bool(20) else {
        page.lines.append(line)
        continue
      }
      page.lines.append(
        ExportLine.with(try versions(of: NewsItem.ID(rawValue: id), text: row.string(18)), line)
      )
    }
    page.last = rows.count == limit ? rows.last?.int64(0) : nil
    return page
  }
}
