import NewsToolbox
import Synchronization

/// Copies a store into another, empty one. Sessions and subscriptions at hubs are not copied.
public struct StoreCopy: Sendable {
  public init() {}

  /// Exports `source` to an unnamed temporary file, then imports it, so that neither store waits for the
  /// other. `progress` receives the number of lines read so far, and then those stored so far with the number
  /// of all. Throws `unreadable` if the target is not empty or the temporary file cannot be written.
  public func copy(
    from source: any StoreExporting,
    to target: any StoreExporting,
    progress: @escaping @Sendable (Int, _ all: Int?) throws -> Void = { _, _ in }
  ) async throws -> ImportReport {
    let spool = Mutex(Spool())
    do {
      try await source.exportAll { bytes in
        let lines = try spool.withLock { try $0.write(bytes) }
        try progress(lines, nil)
      }
      return try await target.importAll(.moved(source.sideRows())) {
        let (line, done, all) = try spool.withLock { try ($0.nextLine(), $0.taken, $0.count) }
        if done % 100 == 0 { try progress(done, all) }
        return line
      }
    } catch let error as SystemError {
      throw StoreError(
        code: .unreadable,
        message: "cannot write the copy to a temporary file: \(error.reason). Set TMPDIR to another directory"
      )
    }
  }

  private struct Spool {
    private var lines: LineSpool?
    private(set) var count = 0
    /// Number of lines that were read again.
    private(set) var taken = 0

    /// Writes the bytes and returns the number of lines so far.
    mutating func write(_ bytes: [UInt8]) throws -> Int {
      let lines = try lines ?? LineSpool()
      self.lines = lines
      try lines.write(bytes)
      count += bytes.count { $0 == UInt8(ascii: "\n") }
      return count
    }

    mutating func nextLine() throws -> [UInt8]? {
      taken += 1
      return try lines?.nextLine()
    }
  }
}
