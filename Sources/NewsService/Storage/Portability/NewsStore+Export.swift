public import NewsCore

extension NewsStore: StoreExporting {
  public func exportAll(_ consume: @Sendable ([UInt8]) throws -> Void) async throws {
    let connection = try await takeReader()
    var failure: (any Error)?
    try connection.snapshot { () throws(StoreError) in
      var buffer: [UInt8] = []
      func deliver() -> Bool {
        do {
          try consume(buffer)
          buffer.removeAll(keepingCapacity: true)
          return true
        } catch {
          failure = error
          return false
        }
      }
      let isWhole = try Self.forEachLine(connection) { line in
        line.write(to: &buffer)
        buffer.append(0x0A)
        return buffer.count < 64 << 10 || deliver()
      }
      if isWhole, !buffer.isEmpty { _ = deliver() }
    }
    giveBack(connection)
    if let failure { throw failure }
  }

  /// False when `body` returned false and so ended it.
  private static func forEachLine(
    _ connection: Connection,
    _ body: (JSONValue) -> Bool
  ) throws(StoreError) -> Bool {
    let head: [JSONValue.Member] = [
      .init(name: "type", value: .string("newsd")), .init(name: "schema", value: .integer(1)),
    ]
    guard body(.object(head)) else { return false }
    for table in ExportTable.all {
      let statement = try connection.prepare(
        "SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name) ORDER BY \(table.order)"
      )
      while try statement.step() {
        guard body(table.line(statement)) else { return false }
      }
    }
    let items = try connection.prepare("SELECT key FROM items ORDER BY id")
    while try items.step() {
      guard let line = try ItemExport.line(ItemKey(rawValue: items.int64(0)), connection) else { continue }
      guard body(try ItemExport.withVersions(line, connection)) else { return false }
    }
    return true
  }

  public func importAll(
    trustingPrograms: Bool,
    _ line: @Sendable () throws -> [UInt8]?
  ) async throws -> ImportReport {
    try await write { (connection) throws(StoreError) in
      try StoreImport.run(trustingPrograms: trustingPrograms, connection) {
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
