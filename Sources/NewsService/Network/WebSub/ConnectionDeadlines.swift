import Glibc
import Synchronization

/// The deadlines of the listener's connections: each must send the head of its next request, or the rest of its current
/// one, in time.
final class ConnectionDeadlines: Sendable {
  /// Time for a request's head, from the start of the connection or the end of the previous request, in milliseconds.
  static let headTime: Int64 = 10_000
  /// Time for sending the body and reading the response, in milliseconds.
  static let bodyTime: Int64 = 120_000

  /// Deadlines by socket. An entry exists only while the socket is open, so the descriptor identifies the connection.
  private let deadlines = Mutex<[Int32: Int64]>([:])

  var count: Int { deadlines.withLock { $0.count } }

  func awaitHead(_ socket: Int32, now: Int64) {
    deadlines.withLock { $0[socket] = now + Self.headTime }
  }

  func awaitBody(_ socket: Int32, now: Int64) {
    deadlines.withLock { $0[socket] = now + Self.bodyTime }
  }

  func remove(_ socket: Int32) {
    deadlines.withLock { $0[socket] = nil }
  }

  /// Shuts down overdue connections; the listener's thread then closes them. Returns their number.
  func closeOverdue(now: Int64) -> Int {
    deadlines.withLock { deadlines in
      let overdue = deadlines.filter { $0.value <= now }.map(\.key)
      for socket in overdue {
        shutdown(socket, Int32(SHUT_RDWR))
        // Prevents counting it again; closing the socket removes the entry.
        deadlines[socket] = .max
      }
      return overdue.count
    }
  }
}
