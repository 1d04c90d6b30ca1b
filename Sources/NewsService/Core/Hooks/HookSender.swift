import NewsToolbox

/// Sends the bodies of deliveries to programs, URLs and mailboxes.
public struct HookSender: Sendable {
  private static let requestTimeout = 30_000
  private static let programTimeout = 300_000
  /// Maximum output of a program in bytes. A program that exceeds it is terminated.
  private static let programOutput = 1 << 20

  private let poster: (any BodyPosting)?
  private let programs: any ProgramRunning
  private let secrets: [String: String]
  private let mailer: String
  private let reachesAnywhere: Bool
  private let clock: any WallClock

  /// Without a poster there is no network. `config:NAME` refers to `secrets`, `mailer` is the
  /// `sendmail` program. `reachesAnywhere`: the configuration turns the address guard off.
  public init(
    poster: (any BodyPosting)?,
    programs: any ProgramRunning,
    secrets: [String: String],
    mailer: String,
    reachesAnywhere: Bool,
    clock: any WallClock
  ) {
    self.poster = poster
    self.programs = programs
    self.secrets = secrets
    self.mailer = mailer
    self.reachesAnywhere = reachesAnywhere
    self.clock = clock
  }

  /// Makes one attempt. `key` is the idempotency key. Returns whether the target accepted the delivery; if
  /// not, why.
  public func send(_ body: HookBody, for hook: Hook, key: String, event: HookEvent) async -> HookOutcome {
    switch hook.target {
    case .url(let url):
      return await post(body, to: url, hook, key, event)
    case .exec(let words):
      var call = ProgramCall(words: words, input: body.bytes, outputBytes: Self.programOutput)
      call.environment = ["NEWSD_HOOK": hook.name, "NEWSD_EVENT": event.rawValue, "NEWSD_KEY": key]
      return await run(call, hook)
    case .mail(let address):
      let words = [mailer, "-i", "--", address]
      return await run(ProgramCall(words: words, input: body.bytes, outputBytes: Self.programOutput), hook)
    }
  }

  /// Seconds that an attempt may take before it is interrupted.
  static func timeout(of hook: Hook) -> Int64 {
    let milliseconds =
      if case .url = hook.target { hook.timeout ?? requestTimeout } else { hook.timeout ?? programTimeout }
    return (Int64(milliseconds) + 999) / 1000
  }

  // MARK: Programs

  private func run(_ given: ProgramCall, _ hook: Hook) async -> HookOutcome {
    var call = given
    call.timeout = hook.timeout ?? Self.programTimeout
    // When newsd stops, give the program 2 s to finish: a delivery that is interrupted is sent again.
    call.grace = 2_000
    let result = await programs.run(call)
    let text = "\(call.words[0]) \(result.outcome)"
    if result.isSuccess { return .delivered(what: text) }
    let lines = result.errors.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let said = lines.last.map { ": " + String(decoding: $0.prefix(200), as: UTF8.self) } ?? ""
    return .failed(MessageText.printable(text + said), wait: nil)
  }

  // MARK: Requests

  private func post(
    _ body: HookBody,
    to url: String,
    _ hook: Hook,
    _ key: String,
    _ event: HookEvent
  ) async -> HookOutcome {
    guard let poster else { return .failed("there is no network", wait: nil) }
    var authorization: [String] = []
    switch await token(of: hook, poster) {
    case .success(let token): if let token { authorization = ["Authorization: Bearer \(token)"] }
    case .failure(let failure): return failure.outcome
    }
    let url = body.url ?? url
    let request = request(url, headers(of: hook, body, key, event) + authorization, hook)
    let (outcome, response) = await attempt(url, hook) { () throws(FetchError) in
      try await body.url == nil ? poster.post(raw: body.bytes, request) : poster.get(request)
    }
    guard case .delivered = outcome, let next = hook.next, !body.next.isEmpty else { return outcome }
    guard let id = response.flatMap(Self.id) else { return .failed("the answer has no id", wait: nil) }
    let following = HookBody(bytes: body.next, contentType: HookBody.type(of: body.next))
    let address = next.url.replacing(scalarsOf: "{id}", with: id)
    let second = self.request(address, headers(of: hook, following, key, event) + authorization, hook)
    // The failure of the second request is that of the delivery, whose first request is then repeated as well.
    return await attempt(address, hook) { () throws(FetchError) in
      try await poster.post(raw: following.bytes, second)
    }.outcome
  }

  private func attempt(
    _ url: String,
    _ hook: Hook,
    _ call: () async throws(FetchError) -> FetchResponse
  ) async -> (outcome: HookOutcome, response: FetchResponse?) {
    do {
      let response = try await call()
      return (outcome(of: response, url, hook), response)
    } catch {
      // Only the body of a successful response can exceed the limit.
      if error.code == .bodyTooLarge { return (.delivered(what: "accepted"), nil) }
      return (.failed(Self.withoutSecrets(error.message, url, hook), wait: nil), nil)
    }
  }

  /// Returns the member `id` of an answer, encoded for a path.
  private static func id(_ response: FetchResponse) -> String? {
    let id = JSONValue(document: response.body)?["id"]
    let text = id?.string ?? id?.integer.map { String($0) } ?? ""
    return text.isEmpty ? nil : PercentCoding.encode(text, keeping: PercentCoding.isUnreserved)
  }

  private func request(_ url: String, _ headers: [String], _ hook: Hook) -> FetchRequest {
    var settings = FeedSettings()
    settings.headers = headers
    var limits = FetchLimits(
      bodyBytes: 1 << 20,
      redirects: 4,
      totalTimeout: hook.timeout ?? Self.requestTimeout
    )
    limits.firstByteTimeout = limits.totalTimeout
    let reach: FetchRequest.Reach =
      reachesAnywhere ? .anywhere : hook.allowsPrivate ? .localOrigin(of: url) : .publicOnly
    return FetchRequest(
      url: url,
      settings: settings,
      limits: limits,
      reach: reach,
      isUrgent: true,
      sharesSiteLimits: false
    )
  }

  // MARK: Tokens

  /// Why there is no token.
  private struct TokenFailure: Error { var outcome: HookOutcome }

  /// Returns the token for a request; nil if the hook needs none.
  private func token(of hook: Hook, _ poster: any BodyPosting) async -> Result<String?, TokenFailure> {
    switch hook.token {
    case nil: return .success(nil)
    case .jwt(let name):
      return .success(Self.jwt(issued: clock.now(), key: Array((secrets[name] ?? "").utf8)))
    case .oauth(let url, let name):
      let form = Array((secrets[name] ?? "").utf8)
      let headers = ["Content-Type: application/x-www-form-urlencoded", "Accept: application/json"]
      do {
        var request = request(url, headers, hook)
        request.keepsOrigin = true
        let response = try await poster.post(raw: form, request)
        if let token = JSONValue(document: response.body)?["access_token"]?.string,
          (200..<300).contains(response.status), FeedSettings.isSendable(token)
        {
          return .success(token)
        }
        guard case .delivered = outcome(of: response, url, hook) else {
          return .failure(TokenFailure(outcome: outcome(of: response, url, hook)))
        }
        return .failure(TokenFailure(outcome: .failed("the answer has no access_token", wait: nil)))
      } catch {
        let message = Self.withoutSecrets(error.message, url, hook)
        return .failure(TokenFailure(outcome: .failed(message, wait: nil)))
      }
    }
  }

  /// Returns a JSON Web Token that contains only the time.
  static func jwt(issued: Timestamp, key: [UInt8]) -> String {
    let signed =
      Base64.encodeForURL(Array(#"{"typ":"JWT","alg":"HS512"}"#.utf8)) + "."
      + Base64.encodeForURL(Array("{\"iat\":\(issued.seconds)}".utf8))
    return signed + "." + Base64.encodeForURL(SecureHash.sha512.authenticate(Array(signed.utf8), key: key))
  }

  private func headers(of hook: Hook, _ body: HookBody, _ key: String, _ event: HookEvent) -> [String] {
    let time = String(clock.now().seconds)
    var lines = ["X-Newsd-Timestamp: \(time)", "X-Newsd-Event: \(event.rawValue)", "Idempotency-Key: \(key)"]
    if let name = hook.secret, let secret = secrets[name] {
      let signed = Array("\(time).".utf8) + body.bytes
      let digits = Hex.encode(SecureHash.sha256.authenticate(signed, key: Array(secret.utf8)))
      lines.append("X-Newsd-Signature: sha256=\(digits)")
    }
    if body.url == nil, !hook.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type: \(body.contentType)")
    }
    if !hook.headers.contains(where: { $0.name.lowercased() == "accept" }) { lines.append("Accept: */*") }
    for header in hook.headers {
      let value = Hook.secretName(in: header.value).flatMap { secrets[$0] } ?? header.value
      lines.append("\(header.name): \(value)")
    }
    return lines
  }

  private func outcome(of response: FetchResponse, _ url: String, _ hook: Hook) -> HookOutcome {
    let status = "status \(response.status)"
    // Remove secrets before shortening the line: a truncated secret would not be recognized.
    let reason = HookAnswer.line(of: response).map {
      ": " + HookAnswer.shortened(withoutSecrets(Self.withoutSecrets($0, url, hook), hook))
    }
    let text = status + (reason ?? "")
    switch response.status {
    case 200..<300:
      if let answer = hook.answer, !String(decoding: response.body, as: UTF8.self).contains(bytesOf: answer) {
        return .refused("\(text), and the answer does not contain '\(answer)'")
      }
      return .delivered(what: status)
    case 408, 425, 429: break
    case 400..<500: return .refused(text)
    default: break
    }
    let wait = response.retryAfter.map { min(max($0 - response.received, 0), HookBackoff.longest) }
    return .failed(text, wait: wait)
  }

  /// Redacts secrets, because a service may repeat a header in its answer.
  private func withoutSecrets(_ text: String, _ hook: Hook) -> String {
    var text = text
    // The longest first: a shorter one may be a part of it, and its rest would stay.
    let known = (hook.secretNames.compactMap { secrets[$0] } + hook.hiddenTexts.filter { $0.utf8.count > 3 })
      .sorted { $0.utf8.count > $1.utf8.count }
    for secret in known where !secret.isEmpty {
      text = text.replacing(scalarsOf: secret, with: "…")
    }
    return text
  }

  /// Redacts the URL, because many services have a secret in its path.
  private static func withoutSecrets(_ message: String, _ url: String, _ hook: Hook) -> String {
    var text = message.replacing(
      FetchError.refusalAdvice,
      with: hook.isOfPage
        ? "To allow it, set network.allow, or put the hook into the configuration."
        : "To allow it, set allow_private of the hook."
    )
    for form in [url, WebAddress.redacted(url)] {
      text = text.replacing(scalarsOf: form, with: hook.displayTarget)
    }
    return MessageText.printable(text)
  }
}

/// Reads why a service refused a request: the status alone rarely shows what is wrong with a template.
enum HookAnswer {
  private static let maximumLength = 160

  /// Returns the first line of a text or JSON answer; nil for pages of HTML and for data.
  static func line(of response: FetchResponse) -> String? {
    guard response.header("Content-Encoding") == nil else { return nil }
    let bytes = response.body.prefix(64 * maximumLength)
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard let line = lines.first(where: { $0.contains { $0 > UInt8(ascii: " ") } }) else { return nil }
    let text = String(decoding: line.drop { $0 <= UInt8(ascii: " ") }, as: UTF8.self)
    guard text.utf8.first != UInt8(ascii: "<"), !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
    return text
  }

  /// Returns the beginning of a line, for a message.
  static func shortened(_ line: String) -> String {
    let scalars = line.unicodeScalars
    guard scalars.count > maximumLength else { return line }
    return String(String.UnicodeScalarView(scalars.prefix(maximumLength))) + "…"
  }
}
