import NewsCore
import Synchronization
import Testing

@Suite struct `Hooks` {
  // MARK: Schedules

  private static let utc: @Sendable (Timestamp) -> Int = { _ in 0 }

  private func time(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0, offset: Int = 0) -> Timestamp {
    Timestamp(CivilTime(year: 2026, month: month, day: day, hour: hour, minute: minute), offset: offset)
  }

  @Test(arguments: [(3600, 22, 10, 22), (3600, 22, 0, 22), (86_400, 22, 10, 0), (7200, 23, 59, 22)])
  func `The due time of a digest is a multiple of its interval`(
    _ interval: Int64,
    _ hour: Int,
    _ minute: Int,
    _ due: Int
  ) {
    let found = DigestSchedule.every(interval).latest(notAfter: time(11, 22, hour, minute), offset: Self.utc)
    #expect(found == time(11, 22, due))
  }

  @Test func `A daily digest was last due at its local time, today or yesterday`() {
    let schedule = DigestSchedule.at(7 * 3600)
    let east: (Timestamp) -> Int = { _ in 3600 }
    #expect(
      schedule.latest(notAfter: time(11, 22, 8, offset: 3600), offset: east) == time(11, 22, 7, offset: 3600)
    )
    #expect(
      schedule.latest(notAfter: time(11, 22, 7, offset: 3600), offset: east) == time(11, 22, 7, offset: 3600)
    )
    #expect(
      schedule.latest(notAfter: time(11, 22, 6, 59, offset: 3600), offset: east)
        == time(11, 21, 7, offset: 3600)
    )
  }

  @Test func `On the day when clocks change, a digest is due at its time by the new offset`() {
    // Central Europe: clocks go back on 25 October 2026 at 1:00 UTC.
    let change = time(10, 25, 1)
    let offset: (Timestamp) -> Int = { $0 < change ? 7200 : 3600 }
    let schedule = DigestSchedule.at(7 * 3600)
    #expect(schedule.latest(notAfter: time(10, 25, 6), offset: offset) == time(10, 25, 6))
    #expect(schedule.latest(notAfter: time(10, 25, 5, 59), offset: offset) == time(10, 24, 5))
    #expect(schedule.latest(notAfter: time(10, 25, 0, 30), offset: offset) == time(10, 24, 5))
  }

  // MARK: Backoff

  @Test func `The delay between tries doubles from ten seconds to an hour, with 25 per cent jitter`() {
    let waits = (1...12).map { HookBackoff.wait(attempts: $0, random: 0.5) }
    #expect(waits == [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600])
    #expect(HookBackoff.wait(attempts: 3, random: 0) == 30)
    #expect(HookBackoff.wait(attempts: 3, random: 0.999) == 49)
    #expect(HookBackoff.wait(attempts: 1000, random: 0.5) == 3600)
    #expect(HookBackoff.pause(failures: 20, random: 0.5) == 300)
  }

  // MARK: Sizes

  @Test(
    arguments: [([], 0), ([9], 1), ([9, 0], 1), ([3, 3, 3], 2), ([2, 2, 2], 3), ([6, 0, 0], 3)]
      as [([Int], Int)]
  )
  func `Of sizes as many are taken as fit, at least one`(_ sizes: [Int], _ count: Int) {
    #expect(sizes.fitting(in: 6) == count)
  }

  // MARK: Outcomes

  private func send(_ reply: FakePoster.Reply, _ change: (inout Hook) -> Void = { _ in }) async -> (
    HookOutcome, FetchRequest?
  ) {
    let poster = FakePoster(reply)
    var hook = Hook(name: "h", target: .url("https://example.org/secret/path"))
    change(&hook)
    let sender = HookSender(
      poster: poster,
      programs: FakePrograms(),
      secrets: ["key": "Jefe", "token": "Bearer abc", "part": "Bearer"],
      mailer: "sendmail",
      reachesAnywhere: false,
      clock: ManualClock(Timestamp(seconds: 1_700_000_000))
    )
    let body = HookBody(bytes: Array("what do ya want for nothing?".utf8), contentType: "application/json")
    let outcome = await sender.send(body, for: hook, key: "h-7", event: .item)
    return (outcome, poster.request)
  }

  @Test func `A JSON Web Token contains the time and is signed with HMAC-SHA512`() async throws {
    let (outcome, request) = await send(.status(200)) { $0.token = .jwt(secret: "key") }
    #expect(outcome == .delivered(what: "status 200"))
    // Computed with: printf HEADER.PAYLOAD | openssl dgst -sha512 -hmac Jefe -binary | basenc --base64url
    let token =
      "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzUxMiJ9.eyJpYXQiOjE3MDAwMDAwMDB9."
      + "sgnSeAxnW-ljWwkagZq6mXMb4hoD6M8lwpyoNaBqmniQ34BD8nbygc78UoK_kHHE3H4rbfUWnXdcMmMAYw4O8w"
    #expect(request?.settings.headers?.contains("Authorization: Bearer \(token)") == true)
  }

  @Test(arguments: [
    (200, "{\"access_token\":\"abc\"}", HookOutcome.delivered(what: "status 200")),
    (200, "{}", .failed("the answer has no access_token", wait: nil)),
    (200, "{\"access_token\":\"a\\nb\"}", .failed("the answer has no access_token", wait: nil)),
    (
      200, "{\"a\":[\(String(repeating: "1,", count: 10_000))1],\"access_token\":\"abc\"}",
      .failed("the answer has no access_token", wait: nil)
    ),
    (400, "invalid_grant for Jefe", .refused("status 400: invalid_grant for …")),
    (503, "", .failed("status 503", wait: nil)),
  ])
  func `A token of OAuth is requested before each delivery`(
    _ status: Int,
    _ body: String,
    _ expected: HookOutcome
  )
    async
  {
    let (outcome, request) = await send(.status(status, body: body)) {
      $0.token = .oauth(url: "https://example.org/token", form: "key")
    }
    #expect(outcome == expected)
    let isSent = request?.url == "https://example.org/secret/path"
    #expect(isSent == (expected == .delivered(what: "status 200")))
    #expect(request?.settings.headers?.contains("Authorization: Bearer abc") == isSent)
  }

  @Test func `A secret of the URL or the template is no part of a message`() async {
    let (outcome, _) = await send(.status(400, body: "no topic s3cret of you")) { hook in
      hook.hiddenTexts = ["you", "s3cret"]
    }
    // Short ones could be any word.
    #expect(outcome == .refused("status 400: no topic … of you"))
  }

  @Test(arguments: [200, 201, 204, 299])
  func `After a 2xx status the delivery counts as delivered`(_ status: Int) async {
    #expect(await send(.status(status)).0 == .delivered(what: "status \(status)"))
  }

  @Test func `A 2xx status without the expected answer is a refusal`() async {
    let failed = "<result code=\"missing url\" />"
    let expects: (inout Hook) -> Void = { $0.answer = "code=\"done\"" }
    #expect(
      await send(.status(200, body: "<result code=\"done\" />"), expects).0 == .delivered(what: "status 200")
    )
    let (outcome, _) = await send(.status(200, body: failed), expects)
    #expect(outcome == .refused("status 200, and the answer does not contain 'code=\"done\"'"))
  }

  @Test(arguments: [400, 401, 403, 404, 410, 413, 422])
  func `A 4xx status other than 408, 425 and 429 is a refusal`(_ status: Int) async {
    #expect(await send(.status(status)).0 == .refused("status \(status)"))
  }

  @Test(arguments: [
    ("invalid_blocks", "status 400: invalid_blocks"),
    ("\n  {\"error\": \"no topic\"}\nmore", "status 400: {\"error\": \"no topic\"}"),
    ("<html><body>Bad Request</body></html>", "status 400"), ("", "status 400"),
    ("tab\u{1B}[31m", "status 400: tab?[31m"),
    ("at https://example.org/secret/path for Bearer abc", "status 400: at https://example.org:443 for …"),
    (String(repeating: "é", count: 500), "status 400: " + String(repeating: "é", count: 160) + "…"),
  ])
  func `The first line of a refusal is part of the error, without secrets`(_ body: String, _ error: String)
    async
  {
    let (outcome, _) = await send(.status(400, body: body)) {
      $0.headers = [.init(name: "Authorization", value: "config:token")]
    }
    #expect(outcome == .refused(error))
  }

  @Test func `A secret is redacted whole if another one is a part of it`() async {
    let (outcome, _) = await send(.status(400, body: "no Bearer abc for Bearer")) {
      $0.headers = ["part", "token"].map { .init(name: "X-\($0)", value: "config:\($0)") }
    }
    #expect(outcome == .refused("status 400: no … for …"))
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 301, 304])
  func `After a 3xx, 408, 425, 429 or 5xx status, the delivery is tried again`(_ status: Int) async {
    #expect(await send(.status(status)).0 == .failed("status \(status)", wait: nil))
  }

  @Test func `The wait before the next try follows Retry-After, up to a day`() async {
    #expect(await send(.status(429, retryAfter: "120")).0 == .failed("status 429", wait: 120))
    #expect(await send(.status(503, retryAfter: "999999")).0 == .failed("status 503", wait: 86_400))
  }

  @Test func `After a network error the delivery is tried again; the message hides the URL's path`() async {
    let (outcome, _) = await send(.error("https://example.org/secret/path does not answer."))
    #expect(outcome == .failed("https://example.org:443 does not answer.", wait: nil))
    let (refused, _) = await send(.error("It is a private address. \(FetchError.refusalAdvice)"))
    let advice = "It is a private address. To allow it, set allow_private of the hook."
    #expect(refused == .failed(advice, wait: nil))
  }

  @Test func `Requests have an idempotency key, a time, an event, a signature and the hook's headers`()
    async throws
  {
    let (_, request) = await send(.status(200)) {
      $0.secret = "key"
      $0.headers = [.init(name: "Authorization", value: "config:token"), .init(name: "X-Own", value: "1")]
    }
    let headers = try #require(request?.settings.headers)
    #expect(headers.contains("Idempotency-Key: h-7"))
    #expect(headers.contains("X-Newsd-Timestamp: 1700000000"))
    #expect(headers.contains("X-Newsd-Event: item"))
    #expect(headers.contains("Content-Type: application/json"))
    #expect(headers.contains("Authorization: Bearer abc") && headers.contains("X-Own: 1"))
    // printf '1700000000.what do ya want for nothing?' | openssl dgst -sha256 -hmac Jefe
    let digits = "1cdd0650c8be1cb0974b1788d458b1e781206cfef59b85faafc582d2e182c57e"
    #expect(headers.contains("X-Newsd-Signature: sha256=\(digits)"))
    #expect(request?.reach == .publicOnly)
    let (_, local) = await send(.status(200)) { $0.allowsPrivate = true }
    #expect(local?.reach == .localOrigin(of: "https://example.org/secret/path"))
  }

  @Test func `Programs get the body and the key; after an exit status other than 0 they run again`() async {
    let programs = FakePrograms()
    let sender = HookSender(
      poster: nil,
      programs: programs,
      secrets: [:],
      mailer: "/usr/sbin/sendmail",
      reachesAnywhere: false,
      clock: ManualClock(Timestamp(seconds: 0))
    )
    let body = HookBody(bytes: [1, 2, 3], contentType: "")
    let hook = Hook(name: "h", target: .exec(["/bin/save", "-x"]))
    #expect(
      await sender.send(body, for: hook, key: "h-7", event: .edited)
        == .delivered(what: "/bin/save ended with status 0")
    )
    #expect(
      programs.calls.first?.environment == ["NEWSD_HOOK": "h", "NEWSD_EVENT": "edited", "NEWSD_KEY": "h-7"]
    )
    #expect(programs.calls.first?.input == [1, 2, 3])
    programs.result = ProgramResult(end: .exited(status: 3), errors: Array("one\ntwo\u{1B}\n".utf8))
    #expect(
      await sender.send(body, for: hook, key: "h-7", event: .item)
        == .failed("/bin/save ended with status 3: two?", wait: nil)
    )
    let mail = Hook(name: "m", target: .mail("you@example.org"))
    _ = await sender.send(body, for: mail, key: "m-7", event: .item)
    #expect(programs.calls.last?.words == ["/usr/sbin/sendmail", "-i", "--", "you@example.org"])
  }

  @Test(arguments: [
    ("phone", true), ("a.b-c_1", true), ("", false), ("a b", false), ("ä", false), ("a/b", false),
  ])
  func `A hook's name has only ASCII letters, digits, dots, hyphens and underscores`(
    _ name: String,
    _ isName: Bool
  ) {
    #expect(Hook.isName(name) == isName)
  }
}

private final class FakePoster: BodyPosting {
  enum Reply: Sendable {
    case status(Int, retryAfter: String? = nil, body: String = "")
    case error(String)
  }

  private let reply: Reply
  private let seen = Mutex<FetchRequest?>(nil)
  var request: FetchRequest? { seen.withLock { $0 } }

  init(_ reply: Reply) { self.reply = reply }

  func get(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    try await post(raw: [], request)
  }

  func post(raw bytes: [UInt8], _ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    seen.withLock { $0 = request }
    switch reply {
    case .error(let message): throw FetchError(code: .timedOut, message: message)
    case .status(let status, let wait, let body):
      return FetchResponse(
        status: status,
        headers: wait.map { [("Retry-After", $0)] } ?? [],
        body: Array(body.utf8),
        url: request.url,
        received: Timestamp(seconds: 1_700_000_000)
      )
    }
  }
}

private final class FakePrograms: ProgramRunning {
  private let state = Mutex<(calls: [ProgramCall], result: ProgramResult)>(
    ([], ProgramResult(end: .exited(status: 0)))
  )
  var calls: [ProgramCall] { state.withLock { $0.calls } }
  var result: ProgramResult {
    get { state.withLock { $0.result } }
    set { state.withLock { $0.result = newValue } }
  }

  func run(_ call: ProgramCall) async -> ProgramResult {
    state.withLock {
      $0.calls.append(call)
      return $0.result
    }
  }
}
