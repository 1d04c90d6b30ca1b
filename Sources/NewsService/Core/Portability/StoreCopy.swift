import NewsToolbox
import Synchronization

/// Copies a store into another, empty one. Sessions and subscriptions at hubs are not copied.
public struct StoreCopy: Sendable {
  public init() {}

  /// Exports `source` to an unnamed temporary file, then imports it, so that neither store waits for the
  /// other.
  ///
  /// - Parameters:
  ///   - source: The store to read.
  ///   - target: An empty store.
  ///   - progress: Receives the number of lines read so far.
  /// - Returns: The counts of imported rows.
  /// - Throws: `unreadable` if the target is not empty or the temporary file cannot be written; the errors of
  ///   both stores.
  public func copy(
    from source: any StoreCopying,
    to target: any StoreCopying,
    progress: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> ImportReport {
    let spool = Mutex(Spool())
    do {
      try await source.exportAll { bytes in
        let lines = try spool.withLock { try $0.write(bytes) }
        try progress(lines)
      }
      let report = try await target.importAll(.moved) { try spool.withLock { try $0.nextLine() } }
      try await target.keep(source.sideRows())
      return report
    } catch let error as SystemError {
      throw StoreError(
        code: .unreadable,
        message: "cannot write the copy to a temporary file: \(error.reason). Set TMPDIR to another directory"
      )
    }
  }

  private struct Spool {
    private var lines: LineSpool?
    private var count = 0

    /// Writes the bytes and returns the number of lines so far.
    mutating func write(_ bytes: [UInt8]) throws -> Int {
      let lines = try lines ?? LineSpool()
      self.lines = lines
      try lines.write(bytes)
      count += bytes.count { $0 == UInt8(ascii: "\n") }
      return count
    }

    func nextLine() throws -> [UInt8]? { try lines?.nextLine() }
  }
}
