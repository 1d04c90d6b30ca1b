import NewsStoresShared
import Glibc
package import NewsCore
import NewsToolbox

extension NewsStore: StoreExporting {
  public func importAll(
    _ trust: ImportTrust,
    _ line: @Sendable () throws -> [UInt8]?
  ) async throws -> ImportReport {
    let isNew = access(path, F_OK) != 0
    do {
      return try await write { (connection) throws(StoreError) in
        try ImportReader.run(StoreImport(connection), trust, line)
      }
    } catch {
      if isNew { await removeEmptyFile() }
      throw error
    }
  }

  /// Removes the file that a failed import has created, so that it is not mistaken for a store without feeds. If
  /// another process has opened the file meanwhile, the file cannot leave WAL mode and is kept.
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
}
