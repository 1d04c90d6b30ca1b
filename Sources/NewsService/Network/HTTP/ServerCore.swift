import Glibc
import NewsCore
import NewsToolbox
import Synchronization

/// The parts of a server that all its requests share: constants, and objects that are safe to use from several threads.
final class ServerCore: MHD.Host, @unchecked Sendable {
  let router: WebRouter
  let access: WebAccess
  let hosts: HostRule
  let proxies: ClientAddress
  let site: WebSite?
  /// The segments of the site's prefix.
  let prefix: [String]
  let deadlines = ConnectionDeadlines()
  let room = WaitingRoom()
  let assets = AssetCache()
  let incoming: IncomingBytes
  let handlers: HandlerSlots
  private let observer: (any HTTPObserving)?
  private let draining = Atomic<Bool>(false)

  init(
    _ configuration: HTTPServerConfiguration,
    routes: [WebRoute],
    account: (any WebAccount)?,
    observer: (any HTTPObserving)?,
    hosts: HostRule
  ) {
    router = WebRouter(routes)
    access = WebAccess(account: account)
    self.hosts = hosts
    proxies = ClientAddress(trusted: configuration.trustedProxies.compactMap { IPNetwork($0) })
    site = configuration.site
    prefix = configuration.site?.prefix.split(ascii: "/").map(String.init) ?? []
    incoming = IncomingBytes(limit: configuration.incomingBytes)
    handlers = HandlerSlots(limit: configuration.handlers)
    self.observer = observer
  }

  /// If true, each answer closes its connection.
  var isDraining: Bool { draining.load(ordering: .relaxed) }

  func drain() {
    draining.store(true, ordering: .relaxed)
    room.abandon { $0.isEndless }
  }

  // MARK: - Requests

  override func begin(_ target: UnsafePointer<CChar>) -> MHD.Request {
    let bytes = UnsafeRawBufferPointer(start: target, count: strlen(target))
    return Exchange(self, target: Array(bytes))
  }

  override func end(_ request: MHD.Request, socket: Int32) {
    deadlines.awaitNext(socket, now: Monotonic.now())
    guard let exchange = request as? Exchange, exchange.status != 0 else { return }
    observer?.answered(
      api: exchange.route?.api ?? "none",
      status: exchange.status,
      nanoseconds: Monotonic.nanoseconds() - exchange.started
    )
  }

  /// Answers a request inside a task: checks the credentials, reads the form and calls the route's handler.
  func answer(_ request: HTTPRequest, by route: WebRoute) async -> PreparedReply {
    var request = request
    if case .appPassword(let field) = route.access, request.app == nil {
      guard let credentials = WebAccess.credentials(request.fields, field: field) else {
        return PreparedReply(WebAccess.challenge, to: request, assets: assets)
      }
      switch await access.check(credentials, address: request.address) {
      case .granted(let app): request.app = app
      case .refused(let reply): return PreparedReply(reply, to: request, assets: assets)
      }
    }
    if route.readsForm, !request.body.isEmpty { readForm(&request) }
    var reply = PreparedReply(await route.handler.reply(to: request), to: request, assets: assets)
    if request.method == .head { await reply.countStream() }
    return reply
  }

  private func readForm(_ request: inout HTTPRequest) {
    let type = request.fields.first("Content-Type") ?? "application/x-www-form-urlencoded"
    if let boundary = Multipart.boundary(type) {
      (request.form, request.files) = Multipart.read(request.body, boundary: boundary)
    } else if type.prefix(upToAny: ";").trimmingBlanks
      .isEqual(ignoringASCIICase: "application/x-www-form-urlencoded")
    {
      request.form = HTTPParameters(encoded: request.body)
    }
  }

  // MARK: - Connections

  override func connected(_ socket: Int32) { deadlines.awaitHead(socket, now: Monotonic.now()) }

  override func disconnected(_ socket: Int32) { deadlines.remove(socket) }

  /// POLLRDHUP, which Glibc's module does not declare: the client has closed its end.
  private static let hungUp: Int16 = 0x2000

  /// Ends overdue connections, and endless streams whose client has gone, because libmicrohttpd does not check
  /// suspended connections. Returns the number of overdue connections.
  func closeOverdue(now: Int64) -> Int {
    room.abandon { wait in
      guard wait.isEndless else { return false }
      var state = pollfd(fd: wait.socket, events: Self.hungUp, revents: 0)
      return poll(&state, 1, 0) > 0
    }
    return deadlines.closeOverdue(now: now)
  }
}

/// Limits the memory of all bodies being received.
final class IncomingBytes: Sendable {
  private let limit: Int
  private let count = Mutex(0)

  init(limit: Int) { self.limit = limit }

  /// Adds the bytes of a body. Returns false if the limit would be exceeded.
  func add(_ bytes: Int) -> Bool {
    count.withLock { count in
      guard count + bytes <= limit else { return false }
      count += bytes
      return true
    }
  }

  func remove(_ bytes: Int) {
    guard bytes > 0 else { return }
    count.withLock { $0 -= bytes }
  }
}

/// Limits the number of handlers that run at the same time.
final class HandlerSlots: Sendable {
  private let limit: Int
  private let count = Mutex(0)

  init(limit: Int) { self.limit = limit }

  /// Takes a slot. Returns false if all slots are taken.
  func enter() -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  func leave() { count.withLock { $0 -= 1 } }
}

/// Reads the local address of a connection.
enum LocalAddress {
  static func of(_ socket: Int32) -> IPAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(socket, address, &length) == 0 else { return nil }
        return IPAddress(address, length: Int(length))
      }
    }
  }
}
