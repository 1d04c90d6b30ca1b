import Glibc
public import NewsCore
import NewsToolbox

/// The file beside a store in which the interactive reader saves the place where it was left: `STORE.reader`.
public struct ReaderPlaceFile: Sendable {
  private let path: String
  private let store: String
  /// Maximum size; newsd writes no longer file.
  private static let limit = 64 * 1024

  public init(store: String) {
    path = StorePath.beside(store, ".reader")
    self.store = store
  }

  /// The content of the file; empty when there is none or it cannot be read.
  public func load() -> [UInt8] {
    guard access(path, F_OK) == 0, let descriptor = try? SafeFile.open(path, "place file", beside: store)
    else { return [] }
    defer { close(descriptor) }
    return FileBytes.read(descriptor, upTo: Self.limit) ?? []
  }

  /// Replaces the content of the file.
  public func save(_ bytes: [UInt8]) throws(FileError) {
    let descriptor = try SafeFile.open(path, "place file", beside: store)
    defer { close(descriptor) }
    let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard written == bytes.count, ftruncate(descriptor, off_t(bytes.count)) == 0 else {
      throw FileError(code: .io, message: "cannot write the place file \(path): \(SystemError.last.reason)")
    }
  }
}
