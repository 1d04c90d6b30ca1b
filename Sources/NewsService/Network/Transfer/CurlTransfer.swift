import NewsToolbox
import CCurl
import Glibc
import NewsCore

/// The transfers that are paused until memory is available, in the order of pausing; accounts take turns. Transfers of feeds
/// whose last poll succeeded resume first. The event loop has one list.
final class PauseList {
  private var proven = TurnQueue<UInt64>()
  private var unproven = TurnQueue<UInt64>()

  var isEmpty: Bool { proven.isEmpty && unproven.isEmpty }
  /// True if the last poll of the next transfer's feed succeeded.
  var isProvenNext: Bool { !proven.isEmpty }

  func append(_ id: UInt64, lastPollSucceeded: Bool, account: String? = nil) {
    if lastPollSucceeded { proven.append(id, of: account) } else { unproven.append(id, of: account) }
  }

  func popFirst() -> UInt64? { proven.popFirst() ?? unproven.popFirst() }
}

/// One hop of a fetch: a request and its response. Must be used on the event loop's thread only.
final class CurlTransfer {
  let id: UInt64
  let site: String
  /// True if the feed's last poll succeeded (`FetchRequest.lastPollSucceeded`).
  let lastPollSucceeded: Bool
  /// The account that sends the request (`FetchRequest.account`).
  let account: String?
  let easy: EasyHandle
  private let budget: ByteBudget
  private let pauses: PauseList
  var clock: TransferClock
  private(set) var head = ResponseHead()
  private(set) var body = BodyBuffer()
  /// Decodes the body; nil if the body has no content coding.
  private var unpacker: Unpacker?
  /// Compressed bytes received.
  private var packedBytes = 0
  private(set) var isPaused = false
  /// If true, the transfer may exceed the byte budget. Set when no other transfer can proceed, and after the
  /// end of the transfer, for the input that is not unpacked yet.
  var isExempt = false
  /// If true, the transfer is too slow to count towards `concurrency`.
  var isStalled = false
  /// Why newsd ended the transfer; nil if it did not.
  private(set) var ending: Ending?

  let plan: RequestPlan
  let limits: FetchLimits
  let guarding: AddressGuard
  private let host: String
  private var forbidden: AddressGuard.Refusal?
  private var hasOpenedSocket = false
  /// True if an address was used that only this fetch's exemption from the guard permits.
  private(set) var usedExemption = false
  private let sockets: IdleSockets
  let isFresh: Bool
  /// True if the reused connection had unread input before the request was sent.
  private var hadUnsolicitedInput = false

  enum Ending: Hashable {
    /// Enough of the body was received; the rest is not needed.
    case enough
    case bodyTooLarge, headersTooLarge
    /// The body cannot be decoded: it has several content codings, a coding whose library is missing, or
    /// invalid data from the start.
    case unsupportedCoding
    case noFirstByte, tooLong, tooSlow, memoryNeeded
  }

  /// Maximum number of bytes read of a body that is not needed, such as an error page. Reading such bodies to the end
  /// lets most connections be reused.
  private static let sideBodyBytes = 64 << 10
  /// Bytes that each transfer may hold even if the budget is exhausted, so that most feeds never wait for a large one
  /// to finish.
  static let freeBytes = 64 << 10

  init(
    id: UInt64,
    site: String,
    lastPollSucceeded: Bool,
    account: String?,
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
    self.lastPollSucceeded = lastPollSucceeded
    self.account = account
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
    budget.release(body.count)
  }

  // MARK: - During the transfer

  /// True if libcurl reports the server's address. With a proxy, only the proxy's address is visible, so the host name
  /// was checked instead.
  private var seesAddresses: Bool { plan.proxy == nil }

  func openSocket(to address: inout curl_sockaddr) -> curl_socket_t {
    if seesAddresses {
      let ip = withUnsafePointer(to: &address.addr) { IPAddress($0, length: Int(address.addrlen)) }
      guard let ip else { return newsd_curl_socket_bad }
      if let refusal = guarding.refusal(of: ip) {
        forbidden = refusal
        return newsd_curl_socket_bad
      }
      usedExemption = usedExemption || guarding.isExempt(ip)
    }
    hasOpenedSocket = true
    return socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
  }

  func isClean(_ address: String, _ port: Int) -> Bool {
    hadUnsolicitedInput = sockets.hasInput(address: address, port: port)
    return !hadUnsolicitedInput
  }

  func isAllowed(_ address: String) -> Bool {
    guard seesAddresses else { return true }
    guard let ip = IPAddress(address) else {
      forbidden = AddressGuard.Refusal(
        reason: "the host \(host) has an address that is neither IPv4 nor IPv6"
      )
      return false
    }
    guard let refusal = guarding.refusal(of: ip) else {
      usedExemption = usedExemption || guarding.isExempt(ip)
      return true
    }
    forbidden = refusal
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
      if unpacker == nil { return stop(.unsupportedCoding) }
    } else if let length = head.length {
      guard length <= limits.bodyBytes else { return stop(.bodyTooLarge) }
      body.reserve(length)
    }
    return line.count
  }

  func receive(body bytes: UnsafeRawBufferPointer) -> Int {
    if let unpacker {
      packedBytes += bytes.count
      // Empty gzip members and trailing data decode to nothing, so limit the compressed bytes as well.
      guard packedBytes <= limits.bodyBytes + limits.bodyBytes / 16 + Self.sideBodyBytes else {
        return stop(.bodyTooLarge)
      }
      clock.received(bytes.count, now: Monotonic.now())
      unpacker.take(bytes)
      // After a pause, libcurl may still deliver data that it has already read.
      if !isPaused { unpack(unpacker) }
      return ending == nil ? bytes.count : 0
    }
    guard isDocument || body.count + bytes.count <= Self.sideBodyBytes else { return stop(.enough) }
    guard isDocument, body.count + bytes.count > limits.bodyBytes else {
      guard hasSpace(for: bytes.count) else {
        pause()
        return newsd_curl_write_pause
      }
      clock.received(bytes.count, now: Monotonic.now())
      keep(bytes)
      return bytes.count
    }
    return stop(.bodyTooLarge)
  }

  /// Unpacks input until the byte budget is exhausted.
  private func unpack(_ unpacker: Unpacker) {
    let isDone = unpacker.unpack { bytes in
      guard body.count + bytes.count <= limits.bodyBytes else {
        ending = .bodyTooLarge
        return false
      }
      keep(bytes)
      return hasSpace(for: bytes.count)
    }
    if unpacker.isOver, body.isEmpty, unpacker.isBroken {
      ending = ending ?? .unsupportedCoding
    } else if unpacker.isBroken {
      // Data after an error cannot be decoded.
      ending = ending ?? .enough
    } else if !isDone, ending == nil {
      pause()
      curl_easy_pause(easy.raw, CURLPAUSE_RECV)
    }
  }

  /// Unpacks the remaining input after the end of the transfer.
  private func finishUnpacking() {
    guard let unpacker, ending == nil else { return }
    isExempt = true
    isPaused = false
    unpack(unpacker)
    if ending == nil, body.isEmpty, unpacker.isBroken { ending = .unsupportedCoding }
  }

  private func hasSpace(for count: Int) -> Bool {
    !isDocument || isExempt || body.count + count <= Self.freeBytes || budget.hasSpace(for: count)
  }

  private func keep(_ bytes: UnsafeRawBufferPointer) {
    budget.take(bytes.count)
    body.append(bytes)
  }

  private func pause() {
    isPaused = true
    pauses.append(id, lastPollSucceeded: lastPollSucceeded, account: account)
    clock.paused(now: Monotonic.now())
  }

  private func stop(_ reason: Ending) -> Int {
    ending = reason
    return 0
  }

  private var isDocument: Bool { (200..<300).contains(head.status) }

  /// Resumes a paused transfer. libcurl may deliver pending data before this returns.
  func resume(now: Int64) {
    isPaused = false
    clock.resumed(now: now)
    if let unpacker {
      unpack(unpacker)
      if isPaused { return }
    }
    curl_easy_pause(easy.raw, CURLPAUSE_CONT)
  }

  // MARK: - After the transfer

  /// Why the request must be repeated on a new connection.
  enum RetryReason {
    /// The connection had unread input, so the request was not sent.
    case notSent
    /// The response on a reused connection does not belong to this request: it is not HTTP, so probably the
    /// rest of an earlier response, or it is a 408, because the server closes an idle connection (RFC 9110
    /// section 15.5.9). Also if HTTP/2 ended without a response.
    case notOurResponse
  }

  func retryReason(_ code: CURLcode) -> RetryReason? {
    guard ending == nil, !isFresh else { return nil }
    if hadUnsolicitedInput, code != CURLE_OK { return .notSent }
    switch code {
    case CURLE_OK where head.status == 408: break
    // HTTP/2 ended without a response: the server did not process the request (RFC 9113 section 6.8).
    case CURLE_HTTP2 where head.status == 0, CURLE_HTTP2_STREAM where head.status == 0: return .notOurResponse
    case CURLE_UNSUPPORTED_PROTOCOL where head.status == 0, CURLE_WEIRD_SERVER_REPLY where head.status == 0:
      break
    default: return nil
    }
    var connects = 0
    newsd_curl_getinfo_long(easy.raw, CURLINFO_NUM_CONNECTS, &connects)
    return connects == 0 ? .notOurResponse : nil
  }

  /// Returns the result of the transfer. `code` is libcurl's result; `ending` overrides it if the loop stopped the
  /// transfer.
  func conclude(_ code: CURLcode, ending stopped: Ending? = nil) -> Result<Outcome, FetchError> {
    if code == CURLE_OK || Self.endsABodyEarly(code) { finishUnpacking() }
    let reason = ending ?? stopped
    let isRedirect = RedirectPolicy.isRedirect(head.status) && head.field("Location") != nil
    // The body of a redirect is not needed.
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
    if let forbidden, !hasOpenedSocket { return .failure(forbidden.error) }
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

  /// True if the connection led to a non-public address. With a proxy, where the address is not visible, true if the
  /// host's name or literal address cannot be public.
  var reachedLocalAddress: Bool {
    guard plan.proxy == nil else { return guarding.isNonPublicByName }
    var text: UnsafeMutableRawPointer?
    newsd_curl_getinfo_pointer(easy.raw, CURLINFO_PRIMARY_IP, &text)
    guard let text, let address = IPAddress(String(cString: text.assumingMemoryBound(to: CChar.self))) else {
      return false
    }
    return address.addressClass != .public
  }

  /// True if no host answered the connection attempt, not even by refusing it.
  private var neverConnected: Bool {
    var time: curl_off_t = 0
    var cause = 0
    newsd_curl_getinfo_offset(easy.raw, CURLINFO_CONNECT_TIME_T, &time)
    newsd_curl_getinfo_long(easy.raw, CURLINFO_OS_ERRNO, &cause)
    return time == 0 && cause != Int(ECONNREFUSED)
  }

  /// A response with its share of the memory budget, for the caller.
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

  /// Returns true for libcurl's results of a connection that ended within a body: the body is too short, or the
  /// connection was reset or closed without close_notify.
  private static func endsABodyEarly(_ code: CURLcode) -> Bool {
    code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_HTTP2_STREAM
      || code == CURLE_HTTP2
  }
}
