import Glibc
import Synchronization

/// When each connection of the listener must have sent the head of its next request, or the rest of its current one.
final class ConnectionDeadlines: Sendable {
  /// Milliseconds for a request's head, from the connection's start or the end of the request before.
  static let headTime: Int64 = 10_000
  /// Milliseconds for the body, and for reading the answer.
  static let bodyTime: Int64 = 120_000

  /// By socket. A socket is in here as long as it is open, so that its number names this connection.
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

  /// Shuts overdue connections down; the listener's thread then closes them. Returns how many.
  func closeOverdue(now: Int64) -> Int {
    deadlines.withLock { deadlines in
      let overdue = deadlines.filter { $0.value <= now }.map(\.key)
      for socket in overdue {
        shutdown(socket, Int32(SHUT_RDWR))
        // Counted once; it is removed when it is closed.
        deadlines[socket] = .max
      }
      return overdue.count
    }
  }
}
