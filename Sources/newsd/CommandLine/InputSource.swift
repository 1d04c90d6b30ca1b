import Glibc
import NewsToolbox
import Synchronization

/// Reads a file or standard input line by line: an export may be larger than memory.
final class InputSource: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    /// Index of the first unread byte.
    var start = 0
    /// No line feed comes before this index.
    var scanned = 0
  }

  private let name: String
  private let descriptor: Int32
  private let state = Mutex(State())
  private static let chunk = 1 << 16

  /// Opens a file; `-` is standard input. Throws status 66 for a file that cannot be opened.
  init(_ path: String) throws(CommandFailure) {
    name = path == "-" ? "standard input" : path
    do {
      descriptor = path == "-" ? dup(STDIN_FILENO) : try FileBytes.open(path)
    } catch {
      throw Self.failure(name, error)
    }
    guard descriptor >= 0 else { throw Self.failure(name, .last) }
  }

  deinit { close(descriptor) }

  private static func failure(_ name: String, _ error: SystemError) -> CommandFailure {
    CommandFailure(.noInput, "cannot read \(name): \(error.reason)")
  }

  /// Consumes and returns the next line without its line feed; nil after the last.
  func nextLine() throws(CommandFailure) -> [UInt8]? {
    try line(isTaken: true)
  }

  /// Returns the next line without consuming it.
  func peekLine() throws(CommandFailure) -> [UInt8]? {
    try line(isTaken: false)
  }

  /// Consumes and returns all unread bytes.
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
        if let end = state.buffer[state.scanned...].firstIndex(of: UInt8(ascii: "\n")) {
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

  /// Reads one more chunk; returns false at the end of the file.
  private func fill(_ state: inout State) throws(CommandFailure) -> Bool {
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
