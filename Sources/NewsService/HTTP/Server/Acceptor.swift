import Glibc
import NewsCore
import NewsToolbox

/// Accepts the connections of a socket on a thread of its own, and passes them to libmicrohttpd.
///
/// libmicrohttpd could accept them itself, but it cannot stop: `MHD_quiesce_daemon` and the daemon's threads take the socket
/// out of the same epoll sets without a lock, and the second one to do so aborts (versions 0.9.75 to 1.0.1).
final class Acceptor: Sendable {
  private let socket: ListenSocket
  /// One end of a pair of sockets; the thread has the other. Each learns from the end of the stream that the other ends.
  private let control: Int32

  /// Connections that are accepted without a look at `control`.
  private static let burst = 64
  /// Milliseconds between two attempts while the server is full or no connection can be accepted.
  private static let rest: Int32 = 20

  /// Owns the socket from now on. Returns nil if the system has no thread or descriptor left. `host` counts the
  /// connections, and must know the end of each that `daemon` has begun.
  init?(_ socket: ListenSocket, for daemon: MHD.Daemon, _ host: ServerCore) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    let (control, end, listener) = (ends[0], ends[1], socket.descriptor)
    _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
    do {
      try DetachedThread.start {
        Self.accept(listener, for: daemon, host, until: end)
        close(end)
      }
    } catch {
      for end in ends { close(end) }
      return nil
    }
    self.socket = socket
    self.control = control
  }

  /// Ends listening and closes the socket. Waits for the thread, after which the daemon gets no further connection.
  func stop() {
    shutdown(control, Int32(SHUT_WR))
    var byte: UInt8 = 0
    while read(control, &byte, 1) < 0, errno == EINTR {}
    close(control)
    socket.close()
  }

  private static func accept(
    _ listener: Int32,
    for daemon: MHD.Daemon,
    _ host: ServerCore,
    until end: Int32
  ) {
    var isResting = false
    while true {
      var files = [
        pollfd(fd: end, events: Int16(POLLIN), revents: 0),
        pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      ]
      // A connection that finds no place stays in the backlog, and would end each poll at once.
      _ = poll(&files, isResting ? 1 : 2, isResting ? rest : -1)
      guard files[0].revents == 0 else { return }
      isResting = false
      for _ in 0..<burst {
        guard host.reserve() else {
          isResting = true
          break
        }
        if let connection = MHD.accept(listener) {
          pass(connection, to: daemon, host)
          continue
        }
        let error = errno
        host.release()
        isResting = error != EAGAIN && !isOfOneConnection(error)
        if isResting || error == EAGAIN { break }
      }
    }
  }

  /// True for an error of the connection that would have been accepted (accept(2)). After any other, the next attempt would
  /// fail, too.
  static func isOfOneConnection(_ error: Int32) -> Bool {
    [
      EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP,
      ENETUNREACH,
    ].contains(error)
  }

  private static func pass(_ connection: MHD.Accepted, to daemon: MHD.Daemon, _ host: ServerCore) {
    guard host.admits(connection.peer) else {
      close(connection.socket)
      return host.release()
    }
    let passed = host.pass(connection.socket, from: connection.peer)
    if !MHD.add(connection, to: daemon) { host.refuse(passed) }
  }
}
