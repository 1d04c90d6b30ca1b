import NewsCore
import Synchronization

/// A folder of recordings in memory.
final class FakeRecords: RecordKeeping {
  private let files = Mutex<[String: [UInt8]]>([:])

  func write(_ bytes: [UInt8], named name: String) throws(FileError) { files.withLock { $0[name] = bytes } }
  func names() throws(FileError) -> [String] { files.withLock { $0.keys.sorted() } }
  func read(named name: String) throws(FileError) -> [UInt8] {
    guard let bytes = files.withLock({ $0[name] }) else {
      throw FileError(code: .badData, message: "No \(name).")
    }
    return bytes
  }
}
