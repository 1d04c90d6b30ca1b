import Glibc
import Synchronization

/// A file or standard input, read as far as somebody wants it: an export may be larger than the memory.
final class InputSource: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    /// Where what was not handed out yet begins.
    var start = 0
    /// No line ends before this.
    var scanned = 0
  }

  private let name: String
  private let descriptor: Int32
  private let state = Mutex(State())
  private static let chunk = 1 << 16

  /// Opens a file; `-` is standard input. A file that cannot be read is exit status 66.
  init(_ path: String) throws(CommandFailure) {
    name = path == "-" ? "standard input" : path
    descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(name) }
  }

  deinit { close(descriptor) }

  private static func failure(_ name: String) -> CommandFailure {
    CommandFailure(.noInput, "cannot read \(name): \(String(cString: strerror(errno)))")
  }

  /// The next line without its end; nil after the last.
  func nextLine() throws(CommandFailure) -> [UInt8]? {
    try line(isTaken: true)
  }

  /// The next line, which stays the next.
  func peekLine() throws(CommandFailure) -> [UInt8]? {
    try line(isTaken: false)
  }

  /// All that was not handed out yet.
  func rest() throws(CommandFailure) -> [UInt8] {
    try state.withLock { (state: inout sending State) throws(CommandFailure) in
      while try fill(&state) {}
      defer { state = State() }
      return Array(state.buffer[state.start...])
    }
  }

  private func line(isTaken: Bool) throws(CommandFailure) -> [UInt8]? {
    try state.withLock { (state: inout sending State) throws(CommandFailure) in
      while true {
        if let end = state.buffer[state.scanned...].firstIndex(of: 0x0A) {
          let line = Array(state.buffer[state.start..<end])
          state.scanned = isTaken ? end + 1 : state.start
          if isTaken { state.start = end + 1 }
          return line
        }
        state.scanned = state.buffer.count
        if try fill(&state) { continue }
        guard state.start < state.buffer.count else { return nil }
        let line = Array(state.buffer[state.start...])
        if isTaken { state.start = state.buffer.count }
        state.scanned = state.start
        return line
      }
    }
  }

  /// Reads some more; false at the end.
  private func fill(_ state: inout State) throws(CommandFailure) -> Bool {
    if state.start > 0 {
      state.buffer.removeSubrange(..<state.start)
      state.scanned -= state.start
      state.start = 0
    }
    let known = state.buffer.count
    state.buffer.append(contentsOf: repeatElement(0, count: Self.chunk))
    let count = state.buffer.withUnsafeMutableBytes { bytes in
      var count = -1
      repeat {
        count = read(descriptor, bytes.baseAddress.map { $0 + known }, Self.chunk)
      } while count < 0 && errno == EINTR
      return count
    }
    state.buffer.removeLast(Self.chunk - max(count, 0))
    guard count >= 0 else { throw Self.failure(name) }
    return count > 0
  }
}
