import NewsToolbox
import Glibc
public import NewsCore
import Synchronization

/// A web server: libmicrohttpd reads and writes, and the handlers of routes answer. It serves from `init` to `stop`.
public final class HTTPServer: WebServing {
  private let acceptors: [Acceptor]
  private let daemon: MHD.Daemon
  /// The port of the first TCP socket.
  public let port: UInt16?
  let core: ServerCore
  private let isStopped = Mutex(false)

  /// Seconds without any byte sent or received after which a connection ends.
  private static let idleTime = 30
  /// Time for clients with an open connection to send another request before the server closes it.
  private static let lastRequest = Duration.milliseconds(500)
  /// Time for a client to send the rest of a body before the server closes the connection.
  private static let lastBody = Duration.seconds(2)

  /// Starts serving. The server closes the sockets. `account` checks app passwords for routes that need one.
  /// Throws if libmicrohttpd cannot start.
  public convenience init(
    sockets: [ListenSocket],
    configuration: HTTPServerConfiguration,
    routes: [WebRoute],
    account: (any WebAccount)? = nil,
    observer: (any HTTPObserving)? = nil
  ) throws(ListenerError) {
    try self.init(
      sockets: sockets,
      configuration: configuration,
      routes: WebRouter(routes),
      account: account,
      observer: observer
    )
  }

  public init(
    sockets: [ListenSocket],
    configuration: HTTPServerConfiguration,
    routes: any WebRouting,
    account: (any WebAccount)? = nil,
    observer: (any HTTPObserving)? = nil
  ) throws(ListenerError) {
    let hosts = HostRule(
      allowsAny: configuration.allowsAnyHost,
      site: configuration.site,
      listening: sockets.lazy.compactMap(\.address).first,
      known: configuration.knownHosts
    )
    core = ServerCore(configuration, routes: routes, account: account, observer: observer, hosts: hosts)
    port = sockets.lazy.compactMap(\.port).first
    let limits = MHD.Limits(
      threads: configuration.threads,
      connections: configuration.connections,
      timeout: Self.idleTime
    )
    guard let daemon = MHD.start(core, limits) else {
      for socket in sockets { socket.close() }
      throw ListenerError(message: "the web server cannot be started: \(SystemError.last.reason)")
    }
    self.daemon = daemon
    var acceptors: [Acceptor] = []
    for (index, socket) in sockets.enumerated() {
      guard let acceptor = Acceptor(socket, for: daemon, core) else {
        let reason = SystemError.last.reason
        Self.stop(acceptors, daemon, core)
        for socket in sockets[index...] { socket.close() }
        throw ListenerError(message: "no listener could be started on \(socket.name): \(reason)")
      }
      acceptors.append(acceptor)
    }
    self.acceptors = acceptors
  }

  deinit {
    guard !isStopped.withLock({ $0 }) else { return }
    Self.stop(acceptors, daemon, core)
  }

  /// The number of open connections.
  public var connectionCount: Int { core.connectionCount }

  /// Ends connections whose request takes too long, and streams whose client has gone. An idle timeout alone
  /// is not enough, because a client can keep a connection open by sending a byte now and then. Returns the
  /// number of connections ended because of their deadline.
  @discardableResult
  public func closeOverdue() -> Int { closeOverdue(now: Monotonic.now()) }

  @discardableResult
  package func closeOverdue(now: Int64) -> Int { core.closeOverdue(now: now) }

  /// Closes overdue connections each second until the task is cancelled.
  public func run() async {
    while (try? await Task.sleep(for: .seconds(1))) != nil { closeOverdue() }
  }

  /// Stops accepting connections, answers the requests that were received, then ends. After `limit`, requests
  /// that are not answered yet get 503.
  public func stop(within limit: Duration) async {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    core.drain()
    for acceptor in acceptors { acceptor.stop() }
    let start = ContinuousClock.now
    while core.connectionCount > 0, ContinuousClock.now - start < limit {
      await Self.pause()
      let time = ContinuousClock.now - start
      if time > Self.lastRequest { core.deadlines.closeIdle(andBodies: time > Self.lastBody) }
    }
    core.room.close()
    let end = ContinuousClock.now
    while core.room.count > 0 || core.connectionCount > 0 && ContinuousClock.now - end < Self.lastRequest {
      await Self.pause()
    }
    MHD.stop(daemon)
  }

  /// Sleeps briefly, even in a cancelled task.
  private static func pause() async {
    await Task.detached { try? await Task.sleep(for: .milliseconds(10)) }.value
  }

  /// Stops at once.
  private static func stop(_ acceptors: [Acceptor], _ daemon: MHD.Daemon, _ core: ServerCore) {
    for acceptor in acceptors { acceptor.stop() }
    core.room.close()
    while core.room.count > 0 { usleep(1000) }
    MHD.stop(daemon)
  }
}
