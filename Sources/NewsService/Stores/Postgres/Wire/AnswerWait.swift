import Glibc
import Synchronization

/// A connection's wait for the server's answer, which another thread can end. libpq waits without limit, and limits of the server
/// (`statement_timeout`) do not hold if the server hangs.
package final class AnswerWait: Sendable {
  private struct State {
    /// A descriptor of the connection's socket besides that of libpq, which closes its own after a failure: another thread may
    /// then have opened something else under that number. Nil: the connection is not watched.
    var socket: Int32?
    var server = ""
    /// Since when the connection waits; nil: it does not.
    var since: ContinuousClock.Instant?
    /// When the server answered last.
    var answered = ContinuousClock.now
    /// Seconds of the wait that was ended; nil: the connection is not closed.
    var seconds: Int64?

    mutating func cut() {
      guard let socket, seconds == nil else { return }
      seconds = since?.seconds ?? 0
      // libpq takes that for a lost connection.
      shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  private let state = Mutex(State())

  /// Those of all open connections of this process.
  private static let all = Mutex<[ObjectIdentifier: AnswerWait]>([:])

  package init() {}

  /// Begins to watch a connection to a server, which stands for its address without a schema.
  package func attach(_ socket: Int32, to server: String) {
    let own = fcntl(socket, F_DUPFD_CLOEXEC, 3)
    state.withLock { state in
      state.socket = own < 0 ? nil : own
      state.server = server
      state.answered = .now
    }
    Self.all.withLock { $0[ObjectIdentifier(self)] = self }
  }

  /// Ends the watch.
  package func detach() {
    state.withLock { state in
      if let socket = state.socket { close(socket) }
      state.socket = nil
    }
    Self.all.withLock { $0[ObjectIdentifier(self)] = nil }
  }

  /// Makes a call that waits for the server.
  package func during<Answer>(_ call: () -> Answer) -> Answer {
    state.withLock { $0.since = .now }
    defer {
      state.withLock { state in
        state.since = nil
        state.answered = .now
      }
    }
    return call()
  }

  /// Since when the connection waits; nil: it does not.
  var since: ContinuousClock.Instant? { state.withLock { $0.since } }

  /// The seconds that the connection had waited when it was closed; nil: it was not closed.
  var secondsWithoutAnswer: Int64? { state.withLock { $0.seconds } }

  /// Closes the connection if it has waited longer than that for an answer, and returns when the wait began. Returns nil if it
  /// has not.
  package func cut(after limit: Duration) -> ContinuousClock.Instant? {
    state.withLock { state in
      guard state.seconds == nil, let since = state.since, since + limit <= .now else { return nil }
      state.cut()
      return since
    }
  }

  /// Closes the connections to a server that have got no answer since a time. A connection that does not wait now is closed, too:
  /// its next statement would wait.
  static func cut(_ server: String, unansweredSince time: ContinuousClock.Instant) {
    for wait in all.withLock({ Array($0.values) }) {
      wait.state.withLock { state in
        if state.server == server, state.answered <= time { state.cut() }
      }
    }
  }
}

extension ContinuousClock.Instant {
  /// The whole seconds since then.
  var seconds: Int64 { (ContinuousClock.now - self).components.seconds }
}
