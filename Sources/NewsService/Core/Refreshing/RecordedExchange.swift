import NewsToolbox

/// One fetch in the format of a recording for bug reports, readable in any text editor.
///
/// The format is a head of `name: value` lines, an empty line, and the body as the parser received it. It contains no
/// credentials: request headers are not recorded, user names and passwords are removed from URLs, and cookies from
/// responses.
struct RecordedExchange {
  var request: String
  var result: Result<FetchResponse, FetchError>

  private static let firstLine = "newsd exchange 1"

  // MARK: Writing

  var encoded: [UInt8] {
    var lines = [Self.firstLine, "request: \(WebAddress.redacted(request))"]
    var body: [UInt8] = []
    switch result {
    case .success(let response):
      lines += ["status: \(response.status)", "url: \(WebAddress.redacted(response.url))"]
      lines += response.hops.map { "hop: \($0.status) \(WebAddress.redacted($0.location))" }
      lines += ["received: \(response.received.seconds)", "truncated: \(response.isTruncated)"]
      for (name, value) in response.headers where !Self.isSecret(name) {
        lines.append("header: \(name): \(value)")
      }
      body = response.body
    case .failure(let error):
      lines += ["error: \(Self.name(of: error.code))", "message: \(error.message)"]
      lines += ["never-connected: \(error.neverConnected)"]
      lines += error.hops.map { "hop: \($0.status) \(WebAddress.redacted($0.location))" }
    }
    let head = lines.map { $0.replacing(ascii: "\n", with: " ").replacing(ascii: "\r", with: " ") }.joined(
      separator: "\n"
    )
    return Array(head.utf8) + [UInt8(ascii: "\n"), UInt8(ascii: "\n")] + body
  }

  private static func isSecret(_ name: String) -> Bool {
    ["set-cookie", "set-cookie2", "authorization", "proxy-authorization", "www-authenticate"].contains(
      name.lowercased()
    )
  }

  // MARK: Reading

  /// Parses a recorded exchange; returns nil for other bytes.
  init?(_ bytes: [UInt8]) {
    var end = 0
    while end + 1 < bytes.count, !(bytes[end] == UInt8(ascii: "\n") && bytes[end + 1] == UInt8(ascii: "\n")) {
      end += 1
    }
    guard end + 1 < bytes.count else { return nil }
    var lines = String(streamSafe: bytes[..<end]).split(ascii: "\n")[...]
    guard lines.popFirst().map(String.init) == Self.firstLine else { return nil }
    var fields: [Substring: String] = [:]
    var hops: [RedirectHop] = []
    var headers: [(name: String, value: String)] = []
    for line in lines {
      guard let (name, value) = Self.field(line) else { return nil }
      switch name {
      case "hop":
        let words = value.split(ascii: " ", maxSplits: 1)
        guard words.count == 2, let status = Int(words[0]) else { return nil }
        hops.append(RedirectHop(status: status, location: String(words[1])))
      case "header":
        guard let (name, value) = Self.field(value[...]) else { return nil }
        headers.append((name: String(name), value: value))
      default:
        fields[name] = value
      }
    }
    guard let request = fields["request"] else { return nil }
    self.request = request
    if let error = fields["error"] {
      guard let code = Self.code(named: error) else { return nil }
      result = .failure(
        FetchError(
          code: code,
          message: fields["message"] ?? "",
          hops: hops,
          neverConnected: fields["never-connected"] == "true"
        )
      )
      return
    }
    guard let status = fields["status"].flatMap({ Int($0) }),
      let received = fields["received"].flatMap({ Int64($0) })
    else { return nil }
    result = .success(
      FetchResponse(
        status: status,
        headers: headers,
        body: Array(bytes[(end + 2)...]),
        url: fields["url"] ?? request,
        hops: hops,
        isTruncated: fields["truncated"] == "true",
        received: Timestamp(seconds: received)
      )
    )
  }

  init(request: String, result: Result<FetchResponse, FetchError>) {
    self.request = request
    self.result = result
  }

  private static func field(_ line: Substring) -> (Substring, String)? {
    line.cut(atFirst: ":").map { ($0.before, String($0.after.trimmingBlanks)) }
  }

  private static let codes: [FetchError.Code] = [
    .cancelled, .badURL, .unsupportedScheme, .hostNotFound, .refused, .timedOut, .tls, .bodyTooLarge,
    .headersTooLarge, .tooManyRedirects, .redirectLoop, .downgradeRefused, .forbiddenAddress, .fileNotFound,
    .badResponse, .transport,
  ]
  private static func name(of code: FetchError.Code) -> String { "\(code)" }
  private static func code(named name: String) -> FetchError.Code? {
    codes.first { Self.name(of: $0) == name }
  }
}
