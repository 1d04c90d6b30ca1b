import Glibc
public import NewsCore
import NewsToolbox

/// The file `STORE.reader`, in which the interactive reader saves its position when it ends.
public struct ReaderPlaceFile: Sendable {
  private let path: String
  private let store: String
  /// Maximum number of bytes that are read; the place in a longer file is lost.
  private static let limit = 64 * 1024

  public init(store: String) {
    path = StorePath.beside(store, ".reader")
    self.store = store
  }

  /// Returns the content of the file; empty if the file is missing or unreadable.
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
