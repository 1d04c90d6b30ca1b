import CCurl
import Glibc
import NewsService

/// The transfers that paused for want of memory, first come first served. One for the whole event loop.
final class PauseList {
  var queue = Queue<UInt64>()
}

/// One hop: a request and its response. Lives on the event loop's thread from `init` to `conclude`.
final class CurlTransfer {
  let id: UInt64
  let site: String
  let easy: EasyHandle
  private let budget: ByteBudget
  private let pauses: PauseList
  var clock: TransferClock
  private(set) var head = ResponseHead()
  private(set) var body = BodyBuffer()
  private(set) var isPaused = false
  /// True: may go beyond the byte budget, because nothing else can move.
  var isExempt = false
  /// True: has not moved for a while and does not count against the number of transfers.
  var isStalled = false
  /// Why we ended the transfer ourselves.
  private(set) var ending: Ending?

  private let plan: RequestPlan
  private let limits: FetchLimits
  private let guarding: AddressGuard
  private let host: String
  private var forbidden: String?
  private var hasOpenedSocket = false

  enum Ending: Hashable {
    /// All that is wanted of the body has come.
    case enough
    case bodyTooLarge, headersTooLarge
    case noFirstByte, tooLong, tooSlow, memoryNeeded
  }

  /// A body of a response that is no document is kept up to here; most connections survive it.
  private static let sideBodyBytes = 64 << 10
  /// What a transfer may hold even when the budget is spent, so that most feeds never wait for a big one.
  static let freeBytes = 64 << 10

  /// - Throws: `CurlOptionError` when libcurl refuses an option.
  init(
    id: UInt64,
    site: String,
    easy: EasyHandle,
    plan: RequestPlan,
    target: RequestURL,
    limits: FetchLimits,
    guarding: AddressGuard,
    budget: ByteBudget,
    pauses: PauseList,
    spent: Int64,
    now: Int64
  ) throws(CurlOptionError) {
    self.id = id
    self.site = site
    self.easy = easy
    self.plan = plan
    self.limits = limits
    self.guarding = guarding
    self.budget = budget
    self.pauses = pauses
    host = target.host
    clock = TransferClock(limits: limits, spent: spent, now: now)
    try setOptions()
  }

  deinit {
    budget.giveBack(body.count)
  }

  // MARK: - Before

  private func setOptions() throws(CurlOptionError) {
    try easy.reset()
    try easy.set(CURLOPT_URL, plan.url)
    try easy.check(newsd_curl_allow_http_only(easy.raw))
    try easy.set(CURLOPT_NOSIGNAL, 1)
    // Else libcurl waits, when this handle is given up, until the system has resolved the name: with a dead resolver
    // that stops all transfers for half a minute.
    try easy.check(newsd_curl_setopt_quick_exit(easy.raw))
    try easy.set(CURLOPT_FOLLOWLOCATION, 0)
    try easy.set(CURLOPT_HTTP_VERSION, newsd_curl_http2_over_tls)
    // The second request to a host waits until the first one's handshake says whether its connection takes it along.
    // Without TLS that would be known with the first response only.
    if plan.url.hasPrefix("https:") { try easy.set(CURLOPT_PIPEWAIT, 1) }
    try easy.set(CURLOPT_ACCEPT_ENCODING, "")
    try easy.set(CURLOPT_USERAGENT, plan.userAgent)
    try easy.set(headers: plan.headers)
    if let form = plan.form { try easy.set(form: form) }
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectTimeout)
    // libcurl 7.88 refuses this for a handle that still has the buffer of a multiplexed transfer: it is large then.
    try? easy.set(CURLOPT_BUFFERSIZE, 64 << 10)
    try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try easy.set(CURLOPT_NETRC, newsd_curl_netrc_ignored)
    try setSecurity()
    try setCallbacks()
  }

  private func setSecurity() throws(CurlOptionError) {
    // Said even when there is none: else libcurl reads the environment itself.
    try easy.set(CURLOPT_PROXY, plan.proxy ?? "")
    try easy.set(CURLOPT_NOPROXY, "")
    switch plan.credential {
    case .basic(let user, let password):
      try easy.set(CURLOPT_HTTPAUTH, newsd_curl_auth_basic)
      try easy.set(CURLOPT_USERNAME, user)
      try easy.set(CURLOPT_PASSWORD, password)
    case .bearer(let token):
      try easy.set(CURLOPT_HTTPAUTH, newsd_curl_auth_bearer)
      try easy.set(CURLOPT_XOAUTH2_BEARER, token)
    case nil: break
    }
    if let path = plan.certificateAuthority {
      try easy.set(CURLOPT_CAINFO, path)
      // Where libcurl knows a directory of authorities, too, those would be believed beside it.
      try easy.clear(CURLOPT_CAPATH)
    }
    if let path = plan.clientCertificate {
      try easy.set(CURLOPT_SSLCERT, path)
      try easy.set(CURLOPT_SSLKEY, path)
    }
    if !plan.verifiesTLS {
      try easy.set(CURLOPT_SSL_VERIFYPEER, 0)
      try easy.set(CURLOPT_SSL_VERIFYHOST, 0)
    }
  }

  private func setCallbacks() throws(CurlOptionError) {
    // Unretained: the loop holds this object until it has taken the handle out of the multi handle.
    let context = Unmanaged.passUnretained(self).toOpaque()
    try easy.set(CURLOPT_WRITEDATA, pointer: context)
    try easy.check(
      newsd_curl_setopt_data(easy.raw, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        guard let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
      }
    )
    try easy.set(CURLOPT_HEADERDATA, pointer: context)
    try easy.check(
      newsd_curl_setopt_data(easy.raw, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        guard let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.receive(headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count))
      }
    )
    // Guard or not: of a socket that libcurl opens itself, programs that are started meanwhile would inherit a copy.
    try easy.set(CURLOPT_OPENSOCKETDATA, pointer: context)
    try easy.check(
      newsd_curl_setopt_opensocket(easy.raw) { context, _, address in
        guard let context, let address else { return newsd_curl_socket_bad }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.openSocket(to: &address.pointee)
      }
    )
    guard looksAtAddresses else { return }
    // A reused connection opens no socket: this one is called for it too, right before the request is sent.
    try easy.set(CURLOPT_PREREQDATA, pointer: context)
    try easy.check(
      newsd_curl_setopt_prereq(easy.raw) { context, address, _, _, _ in
        guard let context, let address else { return CURL_PREREQFUNC_ABORT }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.mayAsk(String(cString: address)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      }
    )
  }

  // MARK: - During

  /// Behind a proxy only the proxy's address is seen; the name was checked before.
  private var looksAtAddresses: Bool { !guarding.isOff && plan.proxy == nil }

  private func openSocket(to address: inout curl_sockaddr) -> curl_socket_t {
    if looksAtAddresses {
      let ip = withUnsafePointer(to: &address.addr) { IPAddress($0, length: Int(address.addrlen)) }
      guard let ip else { return newsd_curl_socket_bad }
      if let objection = guarding.objection(to: ip) {
        forbidden = objection
        return newsd_curl_socket_bad
      }
    }
    hasOpenedSocket = true
    return socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
  }

  private func mayAsk(_ address: String) -> Bool {
    guard let ip = IPAddress(address) else {
      forbidden = "\(host) is reached by way of an unknown kind of address"
      return false
    }
    guard let objection = guarding.objection(to: ip) else { return true }
    forbidden = objection
    hasOpenedSocket = false
    return false
  }

  private func receive(headerLine line: UnsafeRawBufferPointer) -> Int {
    clock.received(line.count, now: Monotonic.now())
    head.receive(line: line)
    guard head.byteCount <= limits.headerBytes else {
      ending = .headersTooLarge
      return 0
    }
    if head.isComplete, isDocument, let length = head.identityLength {
      guard length <= limits.bodyBytes else {
        ending = .bodyTooLarge
        return 0
      }
      body.reserve(length)
    }
    return line.count
  }

  private func receive(body bytes: UnsafeRawBufferPointer) -> Int {
    let count = body.count + bytes.count
    if isDocument {
      guard count <= limits.bodyBytes else {
        ending = .bodyTooLarge
        return 0
      }
      if count > Self.freeBytes, !isExempt, !budget.hasRoom(for: bytes.count) {
        isPaused = true
        pauses.queue.append(id)
        clock.paused(now: Monotonic.now())
        return newsd_curl_write_pause
      }
    } else if count > Self.sideBodyBytes {
      ending = .enough
      return 0
    }
    clock.received(bytes.count, now: Monotonic.now())
    budget.take(bytes.count)
    body.append(bytes)
    return bytes.count
  }

  private var isDocument: Bool { (200..<300).contains(head.status) }

  /// Goes on after a pause; libcurl may deliver what it held back before this returns.
  func resume(now: Int64) {
    isPaused = false
    clock.resumed(now: now)
    curl_easy_pause(easy.raw, CURLPAUSE_CONT)
  }

  // MARK: - After

  /// What came of it. `code` is libcurl's result, and says nothing where `ending` tells why the loop stopped the transfer.
  func conclude(_ code: CURLcode, ending stopped: Ending? = nil) -> Result<Outcome, FetchError> {
    let reason = ending ?? stopped
    let isRedirect = RedirectPolicy.isRedirect(head.status) && head.field("Location") != nil
    // Of a redirect only the head counts.
    if head.isComplete, isRedirect, reason != .headersTooLarge {
      return .success(outcome(isTruncated: false))
    }
    if let reason {
      if reason == .enough { return .success(outcome(isTruncated: true)) }
      return .failure(FetchError(ending: reason, plan: plan, limits: limits, neverConnected: neverConnected))
    }
    if code == CURLE_OK { return .success(outcome(isTruncated: false)) }
    if let forbidden, !hasOpenedSocket {
      return .failure(
        FetchError(
          code: .forbiddenAddress,
          message: "\(forbidden); refused. \(FetchError.refusalAdvice)"
        )
      )
    }
    // What follows the end of a gzip stream (a line feed, another stream) is an error to libcurl, to browsers it is not.
    if code == CURLE_WRITE_ERROR, head.isComplete, !body.isEmpty, head.field("Content-Encoding") != nil {
      return .success(outcome(isTruncated: false))
    }
    if head.isComplete, Self.endsABodyEarly(code) { return .success(outcome(isTruncated: true)) }
    return .failure(
      FetchError(
        code,
        plan: plan,
        host: host,
        said: easy.errorMessage,
        hasHead: head.status > 0,
        neverConnected: neverConnected
      )
    )
  }

  /// True when no host answered the attempt to connect, not even to refuse it.
  private var neverConnected: Bool {
    var time: curl_off_t = 0
    var cause = 0
    newsd_curl_getinfo_offset(easy.raw, CURLINFO_CONNECT_TIME_T, &time)
    newsd_curl_getinfo_long(easy.raw, CURLINFO_OS_ERRNO, &cause)
    return time == 0 && cause != Int(ECONNREFUSED)
  }

  /// A response and the memory that its body takes, handed over to the caller.
  struct Outcome {
    var head: ResponseHead
    var body: [UInt8]
    var share: BodyShare?
    var isTruncated: Bool
  }

  private func outcome(isTruncated: Bool) -> Outcome {
    let share = budget.share(of: body.count)
    return Outcome(head: head, body: body.take(), share: share, isTruncated: isTruncated)
  }

  /// Results of a connection that ended inside a body: shorter than announced, reset, or closed without TLS's goodbye.
  private static func endsABodyEarly(_ code: CURLcode) -> Bool {
    code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_HTTP2_STREAM
      || code == CURLE_HTTP2
  }
}
