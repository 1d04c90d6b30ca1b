import Glibc
import Synchronization

/// The deadlines of a server's connections. Each connection must send the head of its next request, or the rest of its
/// current request, in time. libmicrohttpd's own timeout is not enough, because it restarts with each byte.
final class ConnectionDeadlines: Sendable {
  /// Milliseconds from the start of a connection to the end of its first head, and from a head to the first bytes of its
  /// body.
  static let headTime: Int64 = 10_000
  /// Milliseconds to the end of the next head on a connection that is kept open.
  static let nextTime: Int64 = 30_000
  /// Milliseconds for receiving a body.
  static let bodyTime: Int64 = 60_000

  private struct State {
    var deadline: Int64
    /// True between two requests, and before the first.
    var isIdle: Bool
  }

  /// Connections by socket. An entry exists only while the socket is open, so the descriptor identifies the connection.
  private let states = Mutex<[Int32: State]>([:])

  var count: Int { states.withLock { $0.count } }

  func awaitHead(_ socket: Int32, now: Int64) {
    states.withLock { $0[socket] = State(deadline: now + Self.headTime, isIdle: true) }
  }

  /// Sets the deadline for the next request. Called after an answer.
  func awaitNext(_ socket: Int32, now: Int64) {
    states.withLock { $0[socket] = State(deadline: now + Self.nextTime, isIdle: true) }
  }

  /// Sets the deadline for a body, or, if it has not begun, for its first bytes.
  func awaitBody(_ socket: Int32, hasBegun: Bool, now: Int64) {
    let time = hasBegun ? Self.bodyTime : Self.headTime
    states.withLock { $0[socket] = State(deadline: now + time, isIdle: false) }
  }

  /// Removes the deadline while newsd checks credentials, or makes and sends an answer: libmicrohttpd ends
  /// connections whose client reads nothing.
  func awaitServer(_ socket: Int32) {
    states.withLock { $0[socket] = State(deadline: .max, isIdle: false) }
  }

  func remove(_ socket: Int32) {
    states.withLock { $0[socket] = nil }
  }

  /// Shuts down overdue connections; the server's threads then close them. Returns the number of these connections.
  func closeOverdue(now: Int64) -> Int { close { $0.deadline <= now } }

  /// Shuts down connections between requests and, if asked, those whose body has not arrived.
  func closeIdle(andBodies: Bool) { _ = close { ($0.isIdle || andBodies) && $0.deadline != .max } }

  /// Shuts down the connections for which `condition` is true. Holds the lock that `remove` takes before a socket is
  /// closed; otherwise the descriptor could already belong to another connection.
  private func close(where condition: (State) -> Bool) -> Int {
    states.withLock { states in
      let closed = states.filter { condition($0.value) }.map(\.key)
      for socket in closed {
        shutdown(socket, Int32(SHUT_RDWR))
        // Do not count the connection again; closing its socket removes the entry.
        states[socket]?.deadline = .max
      }
      return closed.count
    }
  }
}
