import Glibc
import Synchronization

/// A cursor in a small file: two decimal numbers on one line, always as long, so that one write replaces it whole.
public final class CursorFile: CursorKeeping, Sendable {
  private static let size = 42

  private let path: String
  private let descriptor: Int32
  private let saved = Mutex<FollowCursor?>(nil)

  /// Opens the file, or makes it with the directories that it lies in.
  ///
  /// - Throws: Why it cannot be opened.
  public init(path: String) throws(UserMessage) {
    self.path = path
    for slash in path.indices.dropFirst() where path[slash] == "/" { mkdir(String(path[..<slash]), 0o700) }
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw UserMessage(code: .cannotCreate, text: "Cannot open the cursor file \(path): \(reason).")
    }
  }

  deinit { close(descriptor) }

  public func load() throws -> FollowCursor? {
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw failure("read") }
    let words = bytes[..<count].split { $0 <= 0x20 }
    if words.isEmpty { return nil }
    let numbers = words.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }.filter { $0 >= 0 }
    guard words.count <= 2, numbers.count == words.count, let sequence = numbers.first else {
      throw UserMessage(
        code: .badData,
        text: "\(path) holds no number of the change log. Remove it to begin anew, or name another file."
      )
    }
    return FollowCursor(sequence: sequence, floor: numbers.count == 2 ? numbers[1] : sequence)
  }

  public func save(_ cursor: FollowCursor) throws {
    try saved.withLock { last in
      guard cursor != last else { return }
      let numbers = "\(cursor.sequence) \(cursor.floor)"
      let line = numbers + String(repeating: " ", count: max(0, Self.size - 1 - numbers.utf8.count)) + "\n"
      let bytes = Array(line.utf8)
      let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
      guard written == bytes.count else { throw failure("write") }
      last = cursor
    }
  }

  private func failure(_ verb: String) -> UserMessage {
    UserMessage(
      code: .io,
      text: "Cannot \(verb) the cursor file \(path): \(String(cString: strerror(errno)))."
    )
  }
}
