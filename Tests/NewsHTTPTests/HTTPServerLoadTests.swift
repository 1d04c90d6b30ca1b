import NewsNetwork
import NewsToolbox
import NewsHTTP
import NewsStoresShared
import Glibc
import NewsCore
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import NewsHTTP
@testable import NewsNetwork

@Suite struct `Web server under load` {
  private static let get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
  private static let text = Handler { _ in .text(200, "hello") }

  private static func root(_ handler: any HTTPHandling) -> WebRoute {
    WebRoute(api: "root", path: [], methods: [.get, .post], bodyLimit: 1000, handler: handler)
  }

  @Test func `Connections that send their request slowly are ended, and others are answered`() async throws {
    let server = try makeServer([Self.root(Self.text)])
    let port = try #require(server.port)
    let heads = try (0..<20).map { _ in try RawClient(port: port) }
    for client in heads { client.send("GET / HTTP/1.1\r\nHo") }
    let bodies = try (0..<20).map { _ in try RawClient(port: port) }
    for client in bodies { client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx") }
    try await eventually { server.connectionCount == 40 && server.core.incoming.received == 20 }
    #expect(try await RawClient(port: port).ask(Self.get).text == "hello")
    try await eventually {
      server.closeOverdue(now: Monotonic.now() + ConnectionDeadlines.headTime + 1)
      for client in bodies { client.send("y") }
      return heads.allSatisfy(\.isEnded)
    }
    #expect(bodies.allSatisfy { !$0.isEnded })
    try await eventually {
      server.closeOverdue(now: Monotonic.now() + ConnectionDeadlines.bodyTime + 1)
      return bodies.allSatisfy(\.isEnded)
    }
    #expect(try await RawClient(port: port).ask(Self.get).text == "hello")
    await server.stop(within: .seconds(5))
  }

  @Test func `A server can be stopped while clients connect`() async throws {
    for _ in 0..<200 {
      let server = try makeServer([Self.root(Self.text)]) { $0.threads = 4 }
      let port = try #require(server.port)
      let clients = try (0..<6).map { _ in try RawClient(port: port) }
      async let stop: Void = server.stop(within: .zero)
      // Some are answered, some refused, some cut: none of it may end the process.
      for client in clients { client.send(Self.get) }
      await stop
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `Connections beyond the limit wait in the backlog until others have ended`() async throws {
    let server = try makeServer([Self.root(Self.text)]) {
      $0.connections = 3
      $0.threads = 4
    }
    let port = try #require(server.port)
    let first = try (0..<3).map { _ in try RawClient(port: port) }
    try await eventually { server.connectionCount == 3 }
    let waiting = try (0..<2).map { _ in try RawClient(port: port) }
    for client in waiting { client.send(Self.get) }
    for client in first { #expect(try await client.ask(Self.get).text == "hello") }
    #expect(server.connectionCount == 3)
    #expect(waiting.allSatisfy { !$0.isEnded })
    for client in first { shutdown(client.descriptor, Int32(SHUT_RDWR)) }
    for client in waiting { #expect(try await client.answer().text == "hello") }
    await server.stop(within: .seconds(5))
  }

  @Test func `Beyond the limit of handlers, requests get 503 with Retry-After`() async throws {
    let gate = Gate()
    let slow = Handler { _ in
      await gate.pass()
      return .text(200, "late")
    }
    let server = try makeServer([Self.root(slow)]) { $0.handlers = 4 }
    let port = try #require(server.port)
    let clients = try (0..<4).map { _ in try RawClient(port: port) }
    for client in clients { client.send(Self.get) }
    try await eventually { gate.arrived == 4 }
    let refused = try await RawClient(port: port).ask(Self.get)
    #expect(refused.status == 503)
    #expect(refused.fields.first("Retry-After") == "1")
    gate.open()
    for client in clients { #expect(try await client.answer().text == "late") }
    await server.stop(within: .seconds(5))
  }

  @Test func `Stopping answers received requests, closes idle connections and accepts no new connection`()
    async throws
  {
    let gate = Gate()
    let slow = Handler { _ in
      await gate.pass()
      return .text(200, "late")
    }
    let server = try makeServer([Self.root(slow)])
    let port = try #require(server.port)
    let idle = try RawClient(port: port)
    let waiting = try (0..<8).map { _ in try RawClient(port: port) }
    for client in waiting { client.send(Self.get) }
    try await eventually { gate.arrived == 8 }
    let stop = Task { await server.stop(within: .seconds(20)) }
    try await eventually { idle.isEnded }
    #expect(throws: TestServerError.self) { _ = try RawClient(port: port) }
    gate.open()
    for client in waiting {
      let answer = try await client.answer()
      #expect(answer.text == "late")
      #expect(answer.fields.first("Connection")?.lowercased() == "close")
    }
    await stop.value
    #expect(server.connectionCount == 0)
  }

  @Test func `A stop ends at its time limit although a handler and a stream still run`() async throws {
    let gate = Gate()
    let stuck = Handler { request in
      if request.path == ["events"] {
        return HTTPReply(status: 200, body: .stream(Endless(gate: gate)))
      }
      await gate.pass()
      return .text(200, "late")
    }
    let server = try makeServer([Self.root(stuck)])
    let port = try #require(server.port)
    let client = try RawClient(port: port)
    client.send(Self.get)
    let events = try RawClient(port: port)
    events.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    try await eventually { gate.arrived == 2 }
    await server.stop(within: .milliseconds(100))
    #expect(await client.rest().hasPrefix("HTTP/1.1 503 "))
    let ended = await events.rest()
    #expect(ended.hasPrefix("HTTP/1.1 200 "))
    #expect(ended.hasSuffix("\r\n0\r\n\r\n"), "\(ended)")
    gate.open()
  }

  @Test func `A stop waits for neither a stream that begins after it nor a body that does not arrive`()
    async throws
  {
    let gate = Gate()
    let mixed = Handler { request in
      if request.path == ["events"] {
        return HTTPReply(status: 200, body: .stream(Endless(gate: Gate())))
      }
      await gate.pass()
      return .text(200, "late")
    }
    let server = try makeServer([Self.root(mixed)])
    let port = try #require(server.port)
    let slow = try RawClient(port: port)
    slow.send(Self.get)
    try await eventually { gate.arrived == 1 }
    let body = try RawClient(port: port)
    body.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nab")
    let late = try RawClient(port: port)
    try await eventually { server.connectionCount == 3 && server.core.incoming.received == 2 }
    let stop = Task { await server.stop(within: .seconds(600)) }
    try await eventually { server.core.isDraining }
    late.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = await late.rest()
    _ = await body.rest()
    gate.open()
    #expect(try await slow.answer().text == "late")
    await stop.value
    #expect(server.connectionCount == 0)
  }

  @Test func `A server that is released during a request closes its connections`() async throws {
    let gate = Gate()
    let stuck = Handler { _ in
      await gate.pass()
      return .text(200, "late")
    }
    var server: HTTPServer? = try makeServer([Self.root(stuck)])
    let client = try RawClient(port: #require(server?.port ?? nil))
    client.send(Self.get)
    try await eventually { gate.arrived == 1 }
    server = nil
    let rest = await client.rest()
    #expect(!rest.contains("late"))
    gate.open()
  }

  @Test func `A stop under load loses no answer`() async throws {
    let server = try makeServer([Self.root(Self.text)])
    let port = try #require(server.port)
    let answered = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let client = try RawClient(port: port)
          // A connection ends only after an answer with `Connection: close`.
          while true {
            let answer = try await client.ask(Self.get)
            try #require(answer.text == "hello")
            answered.increase()
            if answer.fields.first("Connection")?.lowercased() == "close" { return }
            await Task.yield()
          }
        }
      }
      try await eventually { answered.value >= 200 }
      await server.stop(within: .seconds(10))
      try await group.waitForAll()
    }
    #expect(server.connectionCount == 0)
  }

  @Test func `A stream whose client has gone is cancelled`() async throws {
    let gate = Gate()
    let stream = Endless(gate: gate)
    let server = try makeServer([Self.root(Handler { _ in HTTPReply(status: 200, body: .stream(stream)) })])
    do {
      let client = try RawClient(port: #require(server.port))
      client.send(Self.get)
      try await eventually { gate.arrived == 1 }
    }
    try await eventually {
      server.closeOverdue()
      return await stream.isCancelled
    }
    try await eventually { server.connectionCount == 0 }
    gate.open()
    await server.stop(within: .seconds(5))
  }

  @Test func `A part of a page whose client has gone is given up, and takes no place of other requests`()
    async throws
  {
    let gate = Gate()
    let cancelled = Counter()
    let picture = Handler { _ in
      await withTaskCancellationHandler {
        await gate.pass()
      } onCancel: {
        cancelled.increase()
      }
      return .text(200, "late")
    }
    let server = try makeServer([
      Self.root(Self.text), WebRoute(api: "media", path: ["media"], servesParts: true, handler: picture),
    ]) { $0.handlers = 1 }
    let port = try #require(server.port)
    do {
      let client = try RawClient(port: port)
      client.send("GET /media HTTP/1.1\r\nHost: localhost\r\n\r\n")
      try await eventually { gate.arrived == 1 }
      #expect(try await RawClient(port: port).ask(Self.get).text == "hello")
    }
    try await eventually {
      server.closeOverdue()
      return cancelled.value == 1
    }
    try await eventually { server.connectionCount == 0 }
    gate.open()
    await server.stop(within: .seconds(5))
  }

  @Test func `A stream is produced only as fast as a slow client reads it`() async throws {
    let made = Counter()
    let server = try makeServer([
      Self.root(Handler { _ in HTTPReply(status: 200, body: .stream(Counted(made))) }),
      WebRoute(api: "text", path: ["text"], handler: Self.text),
    ])
    let port = try #require(server.port)
    let clients = try (0..<4).map { _ in try RawClient(port: port) }
    for client in clients { client.send(Self.get) }
    try await eventually { made.value >= 4 }
    // Once the sockets' buffers are full, no further piece is made. Without a limit, all would be made before the last of
    // these requests is answered.
    for _ in 0..<100 {
      let request = "GET /text HTTP/1.1\r\nHost: localhost\r\n\r\n"
      #expect(try await RawClient(port: port).ask(request).text == "hello")
    }
    #expect(made.value < 4 * Counted.pieces)
    for client in clients { #expect(try await client.answer().body.count == Counted.pieces * Counted.size) }
    await server.stop(within: .seconds(5))
  }

  @Test func `Ten thousand connection attempts hold no more connections than allowed`() async throws {
    let server = try makeServer([Self.root(Self.text)])
    let port = try #require(server.port)
    DescriptorLimit.raise()
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let held = min(10_000, Int(limit.rlim_cur) - 3000)
    var sockets: [Int32] = []
    var most = 0
    for index in 0..<10_000 {
      // Close the oldest attempts if there are too few descriptors.
      if sockets.count >= max(2000, held) { close(sockets.removeFirst()) }
      sockets.append(Loopback.attempt(port))
      if index % 500 == 0 {
        most = max(most, server.connectionCount)
        await Task.yield()
      }
    }
    try await eventually { server.connectionCount == 1024 }
    most = max(most, server.connectionCount)
    #expect(most <= 1024)
    for socket in sockets { close(socket) }
    // The other attempts were waiting and are closed now: new clients are served.
    #expect(try await RawClient(port: port).ask(Self.get).text == "hello")
    await server.stop(within: .seconds(5))
  }

  @Test func `A connection that libmicrohttpd closed without a word is counted back`() async throws {
    let server = try makeServer([Self.root(Self.text)])
    let core = server.core
    func newSocket() -> Int32 { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }
    func pass(_ socket: Int32) throws -> PassedConnections.Entry {
      let peer = try #require(IPAddress("192.0.2.7"))
      #expect(core.reserve() && core.admits(peer))
      return core.pass(socket, from: peer)
    }
    let other = newSocket()
    defer { close(other) }
    // Its descriptor is free, or that of another file.
    for isUsedAgain in [false, true] {
      let entry = try pass(newSocket())
      server.closeOverdue()
      #expect(server.connectionCount == 1, "it still waits for its thread")
      if isUsedAgain { dup2(other, entry.socket) } else { close(entry.socket) }
      server.closeOverdue()
      #expect(server.connectionCount == 0)
      if isUsedAgain { close(entry.socket) }
    }
    // Another connection gets its descriptor before the next check.
    let first = try pass(newSocket())
    dup2(other, first.socket)
    let second = try pass(first.socket)
    #expect(server.connectionCount == 1)
    core.refuse(first)
    #expect(server.connectionCount == 1)
    core.refuse(second)
    close(second.socket)
    #expect(server.connectionCount == 0)
    let port = try #require(server.port)
    #expect(try await RawClient(port: port).ask(Self.get).text == "hello")
    await server.stop(within: .seconds(5))
  }

  @Test func `A unix socket is served, replaced when stale, and removed at the end`() async throws {
    let path = "/tmp/newsd-test-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
    let server = try makeServer(
      [Self.root(Handler { .text(200, "from \($0.address)") })],
      listen: "unix:\(path)"
    )
    #expect(throws: ListenerError.self) { _ = try ListenSocket.open("unix:\(path)", environment: [:]) }
    let client = try RawClient(path: path)
    #expect(try await client.ask(Self.get).text == "from ")
    let forwarded = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n"
    #expect(try await client.ask(forwarded).text == "from 203.0.113.7")
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o660)
    await server.stop(within: .seconds(5))
    #expect(lstat(path, &status) != 0)
    // A socket that a crashed process left.
    close(try ListenSocket.open("unix:\(path)", environment: [:])[0].descriptor)
    #expect(lstat(path, &status) == 0)
    let again = try makeServer([Self.root(Self.text)], listen: "unix:\(path)")
    #expect(try await RawClient(path: path).ask(Self.get).text == "hello")
    await again.stop(within: .seconds(5))
  }

  @Test func `The mode of a unix socket is not set through a link`() throws {
    let path = "/tmp/newsd-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    symlink(path, path + ".sock")
    defer { for name in [path, path + ".sock"] { unlink(name) } }
    var status = stat()
    #expect(!ListenSocket.setMode(of: path + ".sock", &status))
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(arguments: ["", "8788", "example.org:80", "unix:relative", "systemd", "127.0.0.1:99999"])
  func `An address on which newsd cannot listen is an error`(address: String) {
    #expect(throws: ListenerError.self) { _ = try ListenSocket.open(address, environment: [:]) }
  }

  @Test func `After an error that is not of one connection, the server rests before it accepts the next`() {
    for error in [EINTR, ECONNABORTED, EPROTO, EHOSTUNREACH] { #expect(Acceptor.isOfOneConnection(error)) }
    for error in [EINVAL, EBADF, EPERM, EACCES, EMFILE, ENFILE, ENOBUFS, ENOMEM] {
      #expect(!Acceptor.isOfOneConnection(error))
    }
  }
}

/// A stream that waits at a gate.
private actor Endless: HTTPBodyStream {
  nonisolated let isEndless = true
  private let gate: Gate
  private var count = 0
  private(set) var isCancelled = false

  init(gate: Gate) { self.gate = gate }

  func next() async -> [UInt8]? {
    count += 1
    if count == 1 { return Array("event\n".utf8) }
    await withTaskCancellationHandler {
      await gate.pass()
    } onCancel: {
      Task { await self.noteCancellation() }
    }
    return nil
  }

  private func noteCancellation() { isCancelled = true }
}

/// A long stream that counts its pieces.
private final class Counted: HTTPBodyStream {
  static let pieces = 500
  static let size = 64 << 10
  private let made: Counter
  private let left = Mutex(pieces)

  init(_ made: Counter) { self.made = made }

  func next() async -> [UInt8]? {
    guard
      left.withLock({ left in
        left -= 1
        return left >= 0
      })
    else { return nil }
    made.increase()
    return [UInt8](repeating: 7, count: Self.size)
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }
  func increase() { count.add(1, ordering: .relaxed) }
}
