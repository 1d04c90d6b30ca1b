import Glibc
import Synchronization
import TestSupport

/// An HTTP server for tests of fetching; it can misbehave.
///
/// Listens on a loopback address and a free port, answers each path as scripted, and records the requests:
///
/// ```swift
/// let server = try TestServer()
/// defer { server.stop() }
/// server.on("/feed", .ok(rss, headers: [("ETag", "\"1\"")]), .status(304))  // the last reply repeats
/// server.on("/slow", .drip(rss, every: 1000))
/// server.on("/echo") { request in .ok(request.header("User-Agent") ?? "") }
/// fetch(server.url("/feed"))
/// #expect(server.requests(to: "/feed").map { $0.header("If-None-Match") } == [nil, "\"1\""])
/// ```
///
/// Paths without a script get a 404. Connections are persistent (HTTP/1.1) unless a reply ends them. Every wait ends
/// with `stop` or after `patience` milliseconds.
public final class TestServer: Sendable {
  /// The listening address, without brackets.
  public let address: String
  public let port: UInt16
  /// Maximum idle time of a connection and duration of a silent reply, in milliseconds.
  public let patience: Int

  private struct State {
    var scripts: [String: Script] = [:]
    var log: [ReceivedRequest] = []
    var inFlight = 0
    var mostInFlight = 0
    var connections = 0
    var open: Set<Int32> = []
    var isStopped = false
    var isClosed = false
  }

  private enum Script {
    case replies([Reply], next: Int)
    case handler(@Sendable (ReceivedRequest) -> Reply)
  }

  private let state = Mutex(State())
  private let listener: Int32

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - address: `127.0.0.1`, another address of 127.0.0.0/8, or `::1`.
  ///   - port: The port; 0 chooses a free one.
  ///   - patience: See `patience`.
  /// - Throws: `TestServerError` if it cannot listen.
  public init(address: String = "127.0.0.1", port: UInt16 = 0, patience: Int = 60_000) throws {
    self.address = address
    self.patience = patience
    (listener, self.port) = try Socket.listen(address: address, port: port)
    Thread.run { [listener] in self.accept(on: listener) }
  }

  /// The origin, such as `http://127.0.0.1:4711`.
  public var origin: String {
    address.contains(":") ? "http://[\(address)]:\(port)" : "http://\(address):\(port)"
  }

  public func url(_ path: String) -> String { origin + path }

  /// Answers requests for `path` (including the query) with these replies in turn; the last one repeats.
  public func on(_ path: String, _ replies: Reply...) {
    state.withLock { $0.scripts[path] = .replies(replies, next: 0) }
  }

  /// Answers requests for `path` with the results of the handler.
  public func on(_ path: String, reply: @escaping @Sendable (ReceivedRequest) -> Reply) {
    state.withLock { $0.scripts[path] = .handler(reply) }
  }

  /// Answers requests for `path` when `count` requests are or were in flight at once, or after 10 seconds.
  public func on(_ path: String, _ reply: Reply, whenInFlight count: Int) {
    on(path) { _ in
      for _ in 0..<1000 where self.mostInFlight < count { usleep(10_000) }
      return reply
    }
  }

  /// All requests so far, in the order in which their heads were completed.
  public var requests: [ReceivedRequest] { state.withLock { $0.log } }

  public func requests(to path: String) -> [ReceivedRequest] { requests.filter { $0.target == path } }

  /// The number of accepted connections.
  public var connectionCount: Int { state.withLock { $0.connections } }

  /// The highest number of requests processed at the same time.
  public var mostInFlight: Int { state.withLock { $0.mostInFlight } }

  /// Closes the listener and all connections. May be called repeatedly.
  public func stop() {
    state.withLock { state in
      if state.isStopped { return }
      state.isStopped = true
      shutdown(listener, CInt(SHUT_RDWR))
      for descriptor in state.open { shutdown(descriptor, CInt(SHUT_RDWR)) }
    }
  }

  /// Stops the server; when this returns, connections to its port are refused.
  public func stopAndClose() async throws {
    stop()
    try await eventually { self.state.withLock { $0.isClosed } }
  }

  // MARK: - Connections

  private func accept(on listener: Int32) {
    defer {
      close(listener)
      state.withLock { $0.isClosed = true }
    }
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      if descriptor < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return
      }
      let number = state.withLock { state -> Int? in
        if state.isStopped { return nil }
        state.connections += 1
        state.open.insert(descriptor)
        return state.connections
      }
      guard let number else {
        close(descriptor)
        return
      }
      Thread.run {
        self.serve(Connection(descriptor: descriptor, patience: self.patience), number: number)
        self.state.withLock { _ = $0.open.remove(descriptor) }
        close(descriptor)
      }
    }
  }

  private func serve(_ connection: Connection, number: Int) {
    while let request = connection.readRequest(connectionNumber: number) {
      let reply = state.withLock { state -> Reply in
        state.log.append(request)
        state.inFlight += 1
        state.mostInFlight = max(state.mostInFlight, state.inFlight)
        switch state.scripts[request.target] {
        case .handler(let handler): return .from(handler)
        case .replies(let replies, let next):
          guard let last = replies.indices.last else { return .status(404) }
          state.scripts[request.target] = .replies(replies, next: next + 1)
          return replies[min(next, last)]
        case nil: return .status(404, body: "nothing here")
        }
      }
      let isOpen = connection.send(reply.resolved(for: request))
      state.withLock { $0.inFlight -= 1 }
      if !isOpen { return }
    }
  }
}
