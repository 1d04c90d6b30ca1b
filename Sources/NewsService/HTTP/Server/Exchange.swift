import NewsCore
import NewsToolbox

/// One request, from its target to the end of its answer.
///
/// Only the connection's thread uses an exchange. While a task answers, the connection is suspended and its thread does
/// not touch the exchange. Tasks get copies of the request and return their result through `Wait`.
final class Exchange: MHD.Request, @unchecked Sendable {
  private enum Phase { case head, admission, body, answer }

  let core: ServerCore
  /// The time when the target was received, by `Monotonic.nanoseconds`.
  let started: Int64
  /// The status of the answer; 0 if none was sent.
  private(set) var status = 0
  private(set) var route: WebRoute?

  private let target: [UInt8]
  private var phase = Phase.head
  private var request = HTTPRequest()
  /// The answer to a refused request. It is sent at the end of the request, or, if the credentials are
  /// refused, before the body.
  private var refusal: HTTPReply?
  /// Bytes of the body that are counted in the core's `incoming` limit.
  private var counted = 0
  /// The length of the body that the head announces.
  private var announced = 0
  private var admission: Wait<Admission>?
  private var isAdmitted = false
  /// Nanoseconds from the first line of a request after which its credentials are checked again.
  private static let admissionTime: Int64 = 1_000_000_000
  /// True if the request counts against the limit on requests of its client.
  private var isCounted = false
  private var answer: Wait<PreparedReply>?

  init(_ core: ServerCore, target: [UInt8]) {
    self.core = core
    self.target = target
    started = Monotonic.nanoseconds()
  }

  deinit {
    forgetBody()
    if isCounted { core.requests.leave(request.address) }
  }

  override func advance(
    _ connection: MHD.Connection,
    method: UnsafePointer<CChar>,
    _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    switch phase {
    case .head:
      phase = .body
      core.deadlines.awaitBody(MHD.socket(connection), hasBegun: false, now: Monotonic.now())
      return readHead(connection, HTTPMethod(String(cString: method)))
    case .admission:
      // If a connection was suspended in the call for the head, libmicrohttpd repeats that call.
      phase = .body
      core.deadlines.awaitBody(MHD.socket(connection), hasBegun: false, now: Monotonic.now())
      settle(admission?.take())
      admission = nil
      if let refusal { return send(refusal, connection) }
      if !bytes.isEmpty { receive(bytes, connection) }
      return true
    case .body where !bytes.isEmpty:
      receive(bytes, connection)
      return true
    case .body:
      phase = .answer
      return handle(connection)
    case .answer:
      guard let reply = answer?.take() else { return send(.unavailable, connection) }
      return send(reply, connection)
    }
  }

  // MARK: - The head

  private func readHead(_ connection: MHD.Connection, _ method: HTTPMethod) -> Bool {
    var head = RequestHead()
    MHD.fields(connection) { head.add($0, $1) }
    request.method = method
    request.fields = head.fields
    request.target = String(streamSafe: target)
    if let problem = head.problem {
      return send(.text(400, problem + "\n").with("Connection", "close"), connection)
    }
    if let reply = examine(head, connection) { return refuse(reply, head, connection) }
    announced = head.length ?? 0
    // Check the credentials before the body is read. If there is no body, the answering task checks them.
    guard let route, !route.isOpen, head.hasBody else { return true }
    let wait = Wait<Admission>(core.room, connection)
    admission = wait
    phase = .admission
    // A store that answers slowly is not the client's fault.
    core.deadlines.awaitServer(MHD.socket(connection))
    wait.start { [core, request] in
      defer { request.place.leave() }
      return await core.access.admission(of: request, to: route)
    }
    return true
  }

  /// Refuses a request whose head was read.
  ///
  /// libmicrohttpd closes the connection after an answer that precedes the end of the request. This is intended if an
  /// unwanted body follows. Without a body, the connection is kept.
  private func refuse(_ reply: HTTPReply, _ head: RequestHead, _ connection: MHD.Connection) -> Bool {
    if head.hasBody { return send(reply, connection) }
    refusal = reply
    return true
  }

  /// Finds the route of a request. Returns an answer if the request must not be passed to a handler.
  private func examine(_ head: RequestHead, _ connection: MHD.Connection) -> HTTPReply? {
    var target = RequestTarget(target)
    let hosts = head.fields.all("Host")
    guard hosts.count <= 1 else { return .text(400, "Host is given twice\n").with("Connection", "close") }
    let host = target.authority ?? hosts.first ?? ""
    // A missing Host is refused by libmicrohttpd, except in HTTP/1.0, which no browser sends.
    let isAccepted =
      host.isEmpty || core.hosts.accepts(host, local: { LocalAddress.of(MHD.socket(connection)) })
    request.site = core.site ?? WebSite(host: host.isEmpty ? "localhost" : host)
    target.remove(prefix: core.prefix)
    request.path = target.path
    request.query = target.query
    let route = core.router.route(for: request.path, method: request.method)
    guard isAccepted || route?.acceptsAnyHost == true else {
      return core.misdirected(host, core.hosts.accepted)
    }
    let peer = MHD.peer(connection)
    request.address = core.proxies.client(peer: peer, head.fields)
    request.proxyUser = core.proxyUser?.user(in: head.fields, peer: peer) ?? .absent
    if core.isLimited(request.address, behind: peer) {
      guard core.requests.enter(request.address) else { return .unavailable }
      isCounted = true
    }
    if request.method == .options, self.target.elementsEqual("*".utf8) { return HTTPReply(status: 204) }
    guard let route else {
      return .text(404, "there is nothing at this address\n")
    }
    self.route = route
    guard route.allows(request.method) else {
      guard request.method != .options else { return route.options }
      return HTTPReply(status: 405, fields: HTTPFields([("Allow", route.allowedMethods)]))
    }
    if let length = head.length, length > route.bodyLimit { return Self.tooLarge(route.bodyLimit) }
    return core.access.refusal(of: request, to: route) ?? route.refusal?(request)
  }

  private static func tooLarge(_ limit: Int) -> HTTPReply {
    .text(413, "the body may have \(limit) bytes at most\n")
  }

  // MARK: - The body

  /// Maximum length of the body. It is lower for clients that are not known yet, except on open routes, whose clients never
  /// are.
  private func bodyLimit(_ route: WebRoute) -> Int {
    route.isOpen || request.isKnown ? route.bodyLimit : min(route.bodyLimit, WebRoute.strangersBody)
  }

  private func receive(_ bytes: UnsafeRawBufferPointer, _ connection: MHD.Connection) {
    guard refusal == nil, let route else { return }
    let limit = bodyLimit(route)
    guard request.body.count + bytes.count <= limit else { return refuse(Self.tooLarge(limit)) }
    if counted == 0 {
      core.deadlines.awaitBody(MHD.socket(connection), hasBegun: true, now: Monotonic.now())
    }
    guard
      core.incoming.add(
        bytes.count,
        to: counted,
        from: request.address,
        isKnown: request.isKnown,
        account: request.account
      )
    else { return refuse(.unavailable) }
    counted += bytes.count
    request.body.append(contentsOf: bytes)
  }

  /// Refuses the request and drops its body. If the body has begun, its further parts are read and dropped,
  /// because libmicrohttpd then accepts an answer only after the body.
  private func refuse(_ reply: HTTPReply) {
    refusal = reply
    request.body = []
    forgetBody()
  }

  /// Gives back the room of the body.
  private func forgetBody() {
    core.incoming.remove(counted, from: request.address, isKnown: request.isKnown, account: request.account)
    counted = 0
  }

  /// Applies the result of the admission. A nil result means that the check was abandoned.
  private func settle(_ admission: Admission?) {
    guard let admission, let route else { return refuse(.unavailable) }
    isAdmitted = true
    if let reply = request.admit(admission) { return refuse(reply) }
    let limit = bodyLimit(route)
    if announced > limit { refuse(Self.tooLarge(limit)) }
  }

  // MARK: - The answer

  private func handle(_ connection: MHD.Connection) -> Bool {
    core.deadlines.awaitServer(MHD.socket(connection))
    if let refusal { return send(refusal, connection) }
    guard let route else { return false }
    if let instant = route.instant, route.isOpen, !route.readsForm {
      return send(instant(request), connection)
    }
    let slots = route.servesParts ? core.partHandlers : core.handlers
    guard slots.enter() else { return send(.unavailable, connection) }
    let wait = Wait<PreparedReply>(core.room, connection, endsWithClient: route.servesParts)
    answer = wait
    // Credentials may have been revoked during a slow body.
    let isAdmitted = isAdmitted && Monotonic.nanoseconds() - started < Self.admissionTime
    wait.start { [core, request] in
      defer { slots.leave() }
      return await core.answer(request, by: route, isAdmitted: isAdmitted)
    }
    // Free the body here: the task has its own copy.
    request.body = []
    return true
  }

  private func send(_ reply: HTTPReply, _ connection: MHD.Connection) -> Bool {
    send(PreparedReply(reply, to: request, assets: core.assets), connection)
  }

  private func send(_ reply: PreparedReply, _ connection: MHD.Connection) -> Bool {
    phase = .answer
    status = reply.status
    let isLast = core.isDraining
    let response: MHD.Response?
    switch reply.body {
    case .asset(let asset, let isCompressed):
      var fields = reply.fields
      if isLast { fields.append("Connection", "close") }
      response = core.assets.response(asset, isCompressed: isCompressed, status: status, fields)
      return response.map { MHD.queue($0, status: status, on: connection) } ?? false
    case .bytes(let bytes):
      response =
        reply.isLong
        ? MHD.response(BytesSource(bytes), size: bytes.count) : MHD.response(bytes)
    case .length(let length):
      response = length == 0 ? MHD.response([]) : MHD.response(UnreadSource(), size: length)
    case .stream(let stream):
      let source = StreamSource(stream, core.room, connection)
      response = MHD.response(source, size: nil)
    }
    guard let response else { return false }
    for (name, value) in reply.fields.pairs + (route?.fields ?? []) { MHD.add(name, value, to: response) }
    if isLast, reply.fields.first("Connection") == nil { MHD.add("Connection", "close", to: response) }
    return MHD.queue(response, status: status, on: connection)
  }
}

extension HTTPReply {
  /// The answer when a limit on concurrent work is reached, or when the server stops; the client may try
  /// again.
  static var unavailable: HTTPReply {
    .text(503, "newsd is busy or is stopping. Try again.\n").with("Retry-After", "1")
  }

  /// The answer if all places of a share are taken.
  package static var noPlace: HTTPReply {
    .text(503, "too many requests of this account are being answered; try again\n")
      .with("Retry-After", "10").with("Cache-Control", "no-store")
  }
}
