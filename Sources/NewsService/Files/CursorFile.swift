import Glibc
public import NewsCore
import NewsToolbox
import Synchronization

/// A cursor in a small file: two decimal numbers on one line of fixed length, so that a single write replaces it.
public final class CursorFile: CursorKeeping, Sendable {
  /// Length of the line: two numbers of up to 20 digits, a space and a line feed.
  private static let size = 42

  private let path: String
  private let descriptor: Int32
  private let saved = Mutex<FollowCursor?>(nil)

  /// Opens the file; creates it and its parent folders if they are missing.
  public init(path: String) throws(FileError) {
    self.path = path
    var parent = path.hasPrefix("/") ? "" : "."
    for part in path.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
      parent += "/" + String(decoding: part, as: UTF8.self)
      mkdir(parent, 0o700)
    }
    descriptor = try SafeFile.open(path, "cursor file", mode: 0o644)
  }

  deinit { close(descriptor) }

  public func load() throws(FileError) -> FollowCursor? {
    guard let bytes = FileBytes.read(descriptor, upTo: 128) else { throw failure("read") }
    let words = bytes.split { $0 <= UInt8(ascii: " ") }
    if words.isEmpty { return nil }
    let numbers = words.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }.filter { $0 >= 0 }
    guard words.count <= 2, numbers.count == words.count, let sequence = numbers.first else {
      throw FileError(
        code: .badData,
        message:
          "\(path) does not hold a number of the change log. Remove it to start again, or name another file."
      )
    }
    return FollowCursor(sequence: sequence, floor: numbers.count == 2 ? numbers[1] : sequence)
  }

  public func save(_ cursor: FollowCursor) throws(FileError) {
    try saved.withLock { last throws(FileError) in
      guard cursor != last else { return }
      let numbers = "\(cursor.sequence) \(cursor.floor)"
      let line = numbers.padded(to: Self.size - 1) + "\n"
      let bytes = Array(line.utf8)
      let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
      guard written == bytes.count else { throw failure("write") }
      last = cursor
    }
  }

  private func failure(_ verb: String) -> FileError {
    FileError(
      code: .io,
      message: "cannot \(verb) the cursor file \(path): \(SystemError.last.reason)"
    )
  }
}
