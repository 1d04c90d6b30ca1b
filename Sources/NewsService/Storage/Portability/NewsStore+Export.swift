import Glibc
package import NewsCore
import NewsToolbox

extension NewsStore: StoreExporting {
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
    let lastItem = try await read { (connection) throws(StoreError) in try Counter.item.value(connection) }
    for table in ExportTable.all {
      var after: JSONValue?
      repeat {
        let page = try await read { (connection) throws(StoreError) in
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
        try ItemExport.page(after: last, through: lastItem, limit: Self.portion, connection)
      }
      for value in page.lines { line(value) }
      if !page.lines.isEmpty { try consume(json.takeBytes()) }
      items += page.lines.count
      after = page.last
    }
    line(ExportLine.last(items: items))
    try consume(json.takeBytes())
  }

  public func importAll(
    _ trust: ImportTrust,
    _ line: @Sendable () throws -> [UInt8]?
  ) async throws -> ImportReport {
    let isNew = access(path, F_OK) != 0
    do {
      return try await readAll(trust, line)
    } catch {
      if isNew { await removeEmptyFile() }
      throw error
    }
  }

  /// Removes the file that a failed import has created, so that it is not mistaken for a store without feeds.
  /// If another process has opened the file meanwhile, it stays: it cannot leave WAL mode.
  private func removeEmptyFile() async {
    let path = path
    try? await maintain { (connection) throws(StoreError) in
      for table in ["feeds", "items", "tombstones", "rules", "saved_searches"] {
        guard try connection.integer("SELECT count(*) FROM \(table)") == 0 else { return }
      }
      try connection.execute("PRAGMA journal_mode = DELETE")
      unlink(path)
    }
    await close()
  }

  private func readAll(
    _ trust: ImportTrust,
    _ line: @Sendable () throws -> [UInt8]?
  ) async throws -> ImportReport {
    try await write { (connection) throws(StoreError) in
      try ImportReader.run(StoreImport(connection), trust) {
        () throws(StoreError) -> [UInt8]? in
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
