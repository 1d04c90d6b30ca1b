import NewsCore
import Glibc
import NewsToolbox
import Synchronization

/// The parts of a server that all its requests share: constants, and objects that are safe to use from several threads.
final class ServerCore: MHD.Host, @unchecked Sendable {
  let router: any WebRouting
  let access: WebAccess
  let hosts: HostRule
  let misdirected: @Sendable (_ host: String, _ accepted: [String]) -> HTTPReply
  let proxies: ClientAddress
  let proxyUser: ProxyUserRule?
  let site: WebSite?
  /// The segments of the site's prefix.
  let prefix: [String]
  let deadlines = ConnectionDeadlines()
  let room = WaitingRoom()
  let assets = AssetCache()
  let incoming: IncomingBytes
  let handlers: HandlerSlots
  /// Slots for parts of pages, such as pictures that newsd fetches elsewhere: they must not keep other requests waiting.
  let partHandlers: HandlerSlots
  /// The requests of clients behind a proxy.
  let requests: AddressLimit
  private let connections: AddressLimit
  /// The number of connections that the server may have at a time, and that it has.
  private let places: Int
  private let open = Mutex(0)
  private let passed = PassedConnections()
  private let watchPeriod: Duration
  private let observer: (any HTTPObserving)?
  private let draining = Atomic<Bool>(false)

  init(
    _ configuration: HTTPServerConfiguration,
    routes: any WebRouting,
    account: (any WebAccount)?,
    observer: (any HTTPObserving)?,
    hosts: HostRule
  ) {
    router = routes
    access = WebAccess(account: account)
    self.hosts = hosts
    misdirected = configuration.misdirected
    proxies = ClientAddress(trusted: configuration.trustedProxies.compactMap { IPNetwork($0) })
    proxyUser = configuration.proxyUser.map { rule in
      ProxyUserRule(field: rule.field, proxies: rule.proxies.compactMap { IPNetwork($0) })
    }
    site = configuration.site
    prefix = configuration.site?.prefix.split(ascii: "/").map(String.init) ?? []
    incoming = IncomingBytes(
      limit: configuration.incomingBytes,
      ofAddress: configuration.incomingBytesOfAddress
    )
    requests = AddressLimit(configuration.requestsOfAddress)
    // With few connections, one address leaves half of them to others.
    connections = AddressLimit(min(configuration.connectionsOfAddress, max(1, configuration.connections / 2)))
    places = configuration.connections
    watchPeriod = configuration.watchPeriod
    handlers = HandlerSlots(limit: configuration.handlers)
    partHandlers = HandlerSlots(limit: configuration.handlers)
    self.observer = observer
  }

  /// The number of connections that were accepted and have not ended.
  var connectionCount: Int { open.withLock { $0 } }

  /// If true, each answer closes its connection.
  var isDraining: Bool { draining.load(ordering: .relaxed) }

  func drain() {
    draining.store(true, ordering: .relaxed)
    room.drain()
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

  /// Answers a request inside a task. All of it is work of the request's share, as soon as there is one.
  func answer(_ request: HTTPRequest, by route: WebRoute, isAdmitted: Bool) async -> PreparedReply {
    let reply = await reply(to: request, by: route, isAdmitted: isAdmitted)
    // Many long answers to clients that read slowly would fill the memory: these keep their places until the requests end.
    // Pictures have a limit of their own.
    if !reply.isLong || route.servesParts { request.place.leave() }
    return reply
  }

  /// Finds out who sends the request, reads the form and calls the route's handler.
  private func reply(to request: HTTPRequest, by route: WebRoute, isAdmitted: Bool) async -> PreparedReply {
    var request = request
    if isAdmitted {
      guard request.place.enter() else { return PreparedReply(.noPlace, to: request, assets: assets) }
    } else if !route.isOpen {
      let admission = await access.admission(of: request, to: route)
      if let reply = request.admit(admission) { return await prepared(reply, request) }
    }
    if route.readsForm, !request.body.isEmpty {
      do {
        request = try await request.place.run { [request] () throws(FormProblem) -> HTTPRequest in
          var request = request
          try FormReader.read(&request)
          return request
        }
      } catch {
        return await prepared(.text(400, error.message + "\n"), request)
      }
    }
    let answer = await route.handler.reply(to: request)
    return await prepared(watched(answer, request, route), request)
  }

  private func prepared(_ reply: HTTPReply, _ request: HTTPRequest) async -> PreparedReply {
    await request.place.run {
      var prepared = PreparedReply(reply, to: request, assets: self.assets)
      if request.method == .head {
        await prepared.countStream()
      } else {
        prepared.divide(request.place.share)
      }
      return prepared
    }
  }

  /// Has an endless stream end when the credentials of its request are revoked.
  private func watched(_ reply: HTTPReply, _ request: HTTPRequest, _ route: WebRoute) -> HTTPReply {
    guard case .stream(let stream) = reply.body, stream.isEndless, request.isKnown else { return reply }
    var reply = reply
    reply.body = .stream(
      WatchedStream(stream, every: watchPeriod) { [access] in
        await access.isStillAdmitted(request, to: route)
      }
    )
    return reply
  }

  // MARK: - Connections

  /// Takes the place of a connection that is accepted next. Returns false if there is none.
  func reserve() -> Bool {
    open.withLock { open in
      guard open < places else { return false }
      open += 1
      return true
    }
  }

  /// Gives back a place.
  func release() { open.withLock { $0 -= 1 } }

  /// Counts a connection of this client, which has a place. Returns false if the client has too many. The peer is nil for
  /// a unix socket.
  func admits(_ peer: IPAddress?) -> Bool { isExempt(peer) || connections.enter(peer.text) }

  /// Ends the count of a connection, and gives back its place.
  func leaves(_ peer: IPAddress?) {
    if !isExempt(peer) { connections.leave(peer.text) }
    release()
  }

  /// Notes a connection that libmicrohttpd gets next.
  func pass(_ socket: Int32, from peer: IPAddress?) -> PassedConnections.Entry {
    let (entry, replaced) = passed.add(socket, from: peer)
    if let replaced { leaves(replaced.peer) }
    return entry
  }

  /// Ends the count of a connection that libmicrohttpd has closed at once.
  func refuse(_ entry: PassedConnections.Entry) { if passed.remove(entry) { leaves(entry.peer) } }

  override func connected(_ socket: Int32) {
    passed.remove(socket)
    deadlines.awaitHead(socket, now: Monotonic.now())
  }

  override func disconnected(_ socket: Int32, from peer: IPAddress?) {
    deadlines.remove(socket)
    leaves(peer)
  }

  /// True for clients on this machine and for trusted proxies, which connect for many clients.
  private func isExempt(_ peer: IPAddress?) -> Bool {
    guard let peer else { return true }
    return peer.addressClass == .loopback || proxies.isTrusted(peer)
  }

  /// True if the requests of this client are limited, because its connections are those of a proxy.
  func isLimited(_ client: String, behind peer: IPAddress?) -> Bool {
    isExempt(peer) && !client.isEmpty && client != peer.text && !TrustedProxies.isLoopback(client)
  }

  /// POLLRDHUP, which Glibc's module does not declare: the client has closed its end.
  private static let hungUp: Int16 = 0x2000

  /// Ends overdue connections, and waits for a client that has gone, because libmicrohttpd does not check suspended
  /// connections. Also ends the count of connections that libmicrohttpd had no memory for. Returns the number of overdue
  /// connections.
  func closeOverdue(now: Int64) -> Int {
    for entry in passed.takeClosed() { leaves(entry.peer) }
    room.abandon { wait in
      guard wait.endsWithClient else { return false }
      var state = pollfd(fd: wait.socket, events: Self.hungUp, revents: 0)
      return poll(&state, 1, 0) > 0
    }
    return deadlines.closeOverdue(now: now)
  }
}

/// The connections that libmicrohttpd got and has not begun yet. Its threads close a connection that they have no memory
/// for, and tell nothing of it.
final class PassedConnections: Sendable {
  final class Entry: Sendable {
    let socket: Int32
    let peer: IPAddress?
    /// The inode of the socket, which no other open socket has.
    fileprivate let inode: ino_t?

    fileprivate init(_ socket: Int32, from peer: IPAddress?) {
      self.socket = socket
      self.peer = peer
      inode = PassedConnections.inode(of: socket)
    }
  }

  private let entries = Mutex<[Int32: Entry]>([:])

  /// Also returns the entry of an earlier connection, whose socket was closed: its descriptor is used again.
  func add(_ socket: Int32, from peer: IPAddress?) -> (Entry, replaced: Entry?) {
    let entry = Entry(socket, from: peer)
    return (entry, entries.withLock { $0.updateValue(entry, forKey: socket) })
  }

  /// Removes a connection that has begun.
  func remove(_ socket: Int32) { entries.withLock { $0[socket] = nil } }

  /// Returns false if the entry is gone already.
  func remove(_ entry: Entry) -> Bool {
    entries.withLock { entries in
      guard entries[entry.socket] === entry else { return false }
      entries[entry.socket] = nil
      return true
    }
  }

  /// Removes the connections whose socket is closed; its descriptor may be that of another file.
  func takeClosed() -> [Entry] {
    entries.withLock { entries in
      let closed = entries.values.filter { $0.inode != Self.inode(of: $0.socket) }
      for entry in closed { entries[entry.socket] = nil }
      return closed
    }
  }

  private static func inode(of socket: Int32) -> ino_t? {
    var status = stat()
    return fstat(socket, &status) == 0 ? status.st_ino : nil
  }
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

extension IPAddress? {
  /// The address as `ClientAddress` writes it; empty for a unix socket.
  fileprivate var text: String { map { ClientAddress.unmapped($0).description } ?? "" }
}
