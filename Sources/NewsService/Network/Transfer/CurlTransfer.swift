import CCurl
import Glibc
import NewsCore

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
  /// Nil: the body comes as it is.
  private var unpacker: Unpacker?
  /// Bytes that the unpacker was given.
  private var packedBytes = 0
  private(set) var isPaused = false
  /// True: may go beyond the byte budget, because nothing else can move.
  var isExempt = false
  /// True: has not moved for a while and does not count against the number of transfers.
  var isStalled = false
  /// Why we ended the transfer ourselves.
  private(set) var ending: Ending?

  let plan: RequestPlan
  let limits: FetchLimits
  let guarding: AddressGuard
  private let host: String
  private var forbidden: String?
  private var hasOpenedSocket = false
  private let sockets: IdleSockets
  let isFresh: Bool
  /// The connection was to be used again and had something to say before it was asked.
  private var isSoiled = false

  enum Ending: Hashable {
    /// All that is wanted of the body has come.
    case enough
    case bodyTooLarge, headersTooLarge
    /// Packed in a way that is not known, or in too many.
    case packedOtherwise
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
    sockets: IdleSockets,
    isFresh: Bool,
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
    self.sockets = sockets
    self.isFresh = isFresh
    host = target.host
    clock = TransferClock(limits: limits, spent: spent, now: now)
    try setOptions()
  }

  deinit {
    budget.giveBack(body.count)
  }

  // MARK: - During

  /// Behind a proxy only the proxy's address is seen; the name was checked before.
  private var looksAtAddresses: Bool { !guarding.isOff && plan.proxy == nil }

  func openSocket(to address: inout curl_sockaddr) -> curl_socket_t {
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

  func isClean(_ address: String, _ port: Int) -> Bool {
    isSoiled = sockets.hasInput(address: address, port: port)
    return !isSoiled
  }

  func mayAsk(_ address: String) -> Bool {
    guard looksAtAddresses else { return true }
    guard let ip = IPAddress(address) else {
      forbidden = "\(host) is reached by way of an unknown kind of address"
      return false
    }
    guard let objection = guarding.objection(to: ip) else { return true }
    forbidden = objection
    hasOpenedSocket = false
    return false
  }

  func receive(headerLine line: UnsafeRawBufferPointer) -> Int {
    clock.received(line.count, now: Monotonic.now())
    head.receive(line: line)
    guard head.byteCount <= limits.headerBytes else {
      ending = .headersTooLarge
      return 0
    }
    guard head.isComplete, isDocument, unpacker == nil, body.isEmpty else { return line.count }
    if !head.codings.isEmpty {
      unpacker = Unpacker(head.codings)
      if unpacker == nil { return stop(.packedOtherwise) }
    } else if let length = head.length {
      guard length <= limits.bodyBytes else { return stop(.bodyTooLarge) }
      body.reserve(length)
    }
    return line.count
  }

  func receive(body bytes: UnsafeRawBufferPointer) -> Int {
    if let unpacker {
      packedBytes += bytes.count
      // Streams of nothing and what stands behind the last one come out as no byte at all.
      guard packedBytes <= limits.bodyBytes + limits.bodyBytes / 16 + Self.sideBodyBytes else {
        return stop(.bodyTooLarge)
      }
      clock.received(bytes.count, now: Monotonic.now())
      unpacker.take(bytes)
      // libcurl may hand over some more of what it has read when it is paused already.
      if !isPaused { unpack(unpacker) }
      return ending == nil ? bytes.count : 0
    }
    guard isDocument || body.count + bytes.count <= Self.sideBodyBytes else { return stop(.enough) }
    guard isDocument, body.count + bytes.count > limits.bodyBytes else {
      guard hasRoom(for: bytes.count) else {
        pause()
        return newsd_curl_write_pause
      }
      clock.received(bytes.count, now: Monotonic.now())
      keep(bytes)
      return bytes.count
    }
    return stop(.bodyTooLarge)
  }

  /// Unpacks until the memory of all is spent.
  private func unpack(_ unpacker: Unpacker) {
    let isDone = unpacker.unpack { bytes in
      guard body.count + bytes.count <= limits.bodyBytes else {
        ending = .bodyTooLarge
        return false
      }
      keep(bytes)
      return hasRoom(for: bytes.count)
    }
    if unpacker.isOver, body.isEmpty, unpacker.isBroken {
      ending = ending ?? .packedOtherwise
    } else if unpacker.isBroken {
      // Nothing that follows can be read.
      ending = ending ?? .enough
    } else if !isDone, ending == nil {
      pause()
      curl_easy_pause(easy.raw, CURLPAUSE_RECV)
    }
  }

  /// Unpacks what is left when no more will come.
  private func finishUnpacking() {
    guard let unpacker, ending == nil else { return }
    isExempt = true
    isPaused = false
    unpack(unpacker)
    if ending == nil, body.isEmpty, unpacker.isBroken { ending = .packedOtherwise }
  }

  private func hasRoom(for count: Int) -> Bool {
    !isDocument || isExempt || body.count + count <= Self.freeBytes || budget.hasRoom(for: count)
  }

  private func keep(_ bytes: UnsafeRawBufferPointer) {
    budget.take(bytes.count)
    body.append(bytes)
  }

  private func pause() {
    isPaused = true
    pauses.queue.append(id)
    clock.paused(now: Monotonic.now())
  }

  private func stop(_ reason: Ending) -> Int {
    ending = reason
    return 0
  }

  private var isDocument: Bool { (200..<300).contains(head.status) }

  /// Goes on after a pause; libcurl may deliver what it held back before this returns.
  func resume(now: Int64) {
    isPaused = false
    clock.resumed(now: now)
    if let unpacker {
      unpack(unpacker)
      if isPaused { return }
    }
    curl_easy_pause(easy.raw, CURLPAUSE_CONT)
  }

  // MARK: - After

  /// Why this has to be asked once more, on a connection of its own; nil: it has not.
  enum Doubt {
    /// Nothing was sent: there was something to read before.
    case unasked
    /// What came on a connection used before is no answer to this request: no HTTP, but the rest of another answer, most
    /// likely, or a 408, with which servers end idle connections (RFC 9110 section 15.5.9).
    case misunderstood
  }

  func doubt(_ code: CURLcode) -> Doubt? {
    guard ending == nil, !isFresh else { return nil }
    if isSoiled, code != CURLE_OK { return .unasked }
    switch code {
    case CURLE_OK where head.status == 408: break
    // A server that says goodbye without having looked at the request (RFC 9113 section 6.8).
    case CURLE_HTTP2 where head.status == 0, CURLE_HTTP2_STREAM where head.status == 0: return .misunderstood
    case CURLE_UNSUPPORTED_PROTOCOL where head.status == 0, CURLE_WEIRD_SERVER_REPLY where head.status == 0:
      break
    default: return nil
    }
    var connects = 0
    newsd_curl_getinfo_long(easy.raw, CURLINFO_NUM_CONNECTS, &connects)
    return connects == 0 ? .misunderstood : nil
  }

  /// What came of it. `code` is libcurl's result, and says nothing where `ending` tells why the loop stopped the transfer.
  func conclude(_ code: CURLcode, ending stopped: Ending? = nil) -> Result<Outcome, FetchError> {
    if code == CURLE_OK || Self.endsABodyEarly(code) { finishUnpacking() }
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
    if code == CURLE_OK {
      if head.isHTTP1 { sockets.note(easy) }
      return .success(outcome(isTruncated: !(unpacker?.isComplete ?? true)))
    }
    if let forbidden, !hasOpenedSocket {
      return .failure(
        FetchError(
          code: .forbiddenAddress,
          message: "\(forbidden); refused. \(FetchError.refusalAdvice)"
        )
      )
    }
    if head.isComplete, Self.endsABodyEarly(code) {
      return .success(outcome(isTruncated: !(unpacker?.isComplete ?? false)))
    }
    return .failure(
      FetchError(
        code,
        plan: plan,
        host: host,
        said: easy.errorMessage,
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
