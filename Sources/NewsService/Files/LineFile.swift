import Glibc
public import NewsCore
import NewsToolbox
import Synchronization

/// A file or standard input, read line by line.
public final class LineFile: LineReading {
  private struct State {
    var buffer: [UInt8] = []
    /// Index of the first unread byte.
    var start = 0
    /// The search for a line feed continues at this index.
    var scanned = 0
  }

  private let name: String
  public let path: String?
  private let descriptor: Int32
  private let state = Mutex(State())
  private static let chunk = 1 << 16
  /// Maximum length of a line in bytes.
  private static let longestLine = 512 << 20
  /// A line of this length is refused if the rest of its file is too long for a line: most such files have no lines.
  private static let suspectLine = 16 << 20

  /// Opens a file; `-` is standard input.
  public init(_ path: String) throws(FileError) {
    name = path == "-" ? "standard input" : path
    self.path = path == "-" ? nil : path
    do {
      descriptor = path == "-" ? dup(STDIN_FILENO) : try FileBytes.open(path)
    } catch {
      throw Self.failure(name, error)
    }
    guard descriptor >= 0 else { throw Self.failure(name, .last) }
  }

  deinit { close(descriptor) }

  private static func failure(_ name: String, _ error: SystemError) -> FileError {
    FileError(code: .cannotRead, message: "cannot read \(WebAddress.redacted(name)): \(error.reason)")
  }

  public func nextLine() throws(FileError) -> [UInt8]? {
    try line(isTaken: true)
  }

  public func peekLine() throws(FileError) -> [UInt8]? {
    try line(isTaken: false)
  }

  public func rest(atMost limit: Int) throws(FileError) -> [UInt8] {
    try state.withLock { (state: inout sending State) throws(FileError) in
      repeat {
        guard state.buffer.count - state.start <= limit - unread else { throw tooLong(limit) }
      } while try fill(&state)
      defer { state = State() }
      return Array(state.buffer[state.start...])
    }
  }

  private func line(isTaken: Bool) throws(FileError) -> [UInt8]? {
    try state.withLock { (state: inout sending State) throws(FileError) in
      while true {
        if let end = state.buffer[state.scanned...].firstIndex(of: UInt8(ascii: "\n")) {
          let line = Array(state.buffer[state.start..<end])
          state.scanned = isTaken ? end + 1 : state.start
          if isTaken { state.start = end + 1 }
          return line
        }
        state.scanned = state.buffer.count
        let held = state.buffer.count - state.start
        if held > Self.suspectLine, held > Self.longestLine - unread { throw tooLong(Self.longestLine) }
        if try fill(&state) { continue }
        guard state.start < state.buffer.count else { return nil }
        let line = Array(state.buffer[state.start...])
        if isTaken { state.start = state.buffer.count }
        state.scanned = state.start
        return line
      }
    }
  }

  /// Number of unread bytes of a regular file; 0 for a pipe or a device.
  private var unread: Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
    return max(Int(status.st_size) - Int(lseek(descriptor, 0, SEEK_CUR)), 0)
  }

  private func tooLong(_ limit: Int) -> FileError {
    FileError(
      code: .badData,
      message:
        "\(WebAddress.redacted(name)) is longer than the \(limit >> 20) MiB that newsd reads of such a file"
    )
  }

  /// Reads one more chunk; returns false at the end of the file.
  private func fill(_ state: inout State) throws(FileError) -> Bool {
    if state.start > 0 {
      state.buffer.removeSubrange(..<state.start)
      state.scanned -= state.start
      state.start = 0
    }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
    defer { chunk.deallocate() }
    do {
      let count = try FileBytes.read(descriptor, into: chunk)
      state.buffer.append(contentsOf: chunk[..<count])
      return count > 0
    } catch {
      throw Self.failure(name, error)
    }
  }
}
