public import NewsCore
import NewsToolbox

/// Runs the program of an `exec:` subscription and reads its output as the document. Other URLs go to another fetcher.
///
/// `exec:/usr/local/bin/backup-report --days 3` contains a program and its arguments, split by a shell's quoting rules;
/// no shell runs. The program runs only if the user typed the subscription, which `allowsLocalOrigin`
/// records; it is missing after an import of a list or of an untrusted export. The configuration cannot
/// override this.
public struct ProgramFetcher: Fetching {
  public static let prefix = "exec:"

  private let programs: any ProgramRunning
  private let other: any Fetching
  private let clock: any WallClock
  private let foreignStore: @Sendable () -> String?

  /// `other` fetches all other URLs. If another user can write the store, `foreignStore` returns how: that user must
  /// not have this one run programs, or send this user's files, variables and secrets to servers.
  public init(
    programs: any ProgramRunning,
    clock: any WallClock,
    other: any Fetching,
    foreignStore: @escaping @Sendable () -> String? = { nil }
  ) {
    self.foreignStore = foreignStore
    self.programs = programs
    self.clock = clock
    self.other = other
  }

  public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    if let use = Self.localUse(request), let reason = foreignStore() {
      throw FetchError(
        code: .forbiddenAddress,
        message:
          "\(use), and the store can be changed by another user: \(reason); refused. Run newsd as the owner "
          + "of the store, and let only that user write to it."
      )
    }
    guard request.url.hasPrefix(bytesOf: Self.prefix) else { return try await other.fetch(request) }
    // Run no program for a redirect: the user did not type its target.
    let isSubscription = request.subscriptionURL.map { $0 == request.url } ?? true
    let isTyped =
      isSubscription && request.settings.allowsLocalOrigin == true
      || request.reach == .localOrigin(of: request.url)
    guard isTyped else {
      throw FetchError(
        code: .forbiddenAddress,
        message:
          "\(request.url) runs a program, and was not added with 'newsd feeds add'; refused. If you trust it, "
          + "remove the feed and add it with 'newsd feeds add'."
      )
    }
    let words: [String]
    do {
      words = try CommandWords.split(
        String(decoding: request.url.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
      )
    } catch {
      throw FetchError(code: .badURL, message: "\(request.url): \(error.message)")
    }
    let limits = request.limits
    let call = ProgramCall(words: words, outputBytes: limits.bodyBytes, timeout: limits.totalTimeout)
    return try response(to: request, words[0], limits, await programs.run(call))
  }

  /// Returns what the feed's settings use of this user's rights; nil if nothing.
  private static func localUse(_ request: FetchRequest) -> String? {
    guard WebAddress.isWeb(request.url) else { return "\(request.url) is a program or a file" }
    let settings = request.settings
    return settings.credential.map { "the feed's credential is read from \($0)" }
      ?? settings.clientCertificate.map { "the feed's client certificate is read from \($0)" }
      ?? settings.certificateAuthority.map { "the feed's certificate authorities are read from \($0)" }
  }

  private func response(
    to request: FetchRequest,
    _ program: String,
    _ limits: FetchLimits,
    _ result: ProgramResult
  ) throws(FetchError) -> FetchResponse {
    guard result.isSuccess else {
      let code: FetchError.Code =
        switch result.end {
        case .cancelled: .cancelled
        case .timedOut: .timedOut
        case .tooMuchOutput: .bodyTooLarge
        case .notStarted: .fileNotFound
        case .exited, .signalled: .badResponse
        }
      throw FetchError(
        code: code,
        message: "the program \(program) \(result.outcome)\(bound(result.end, limits))\(said(result))"
      )
    }
    return FetchResponse(status: 200, body: result.output, url: request.url, received: clock.now())
  }

  private func bound(_ end: ProgramResult.End, _ limits: FetchLimits) -> String {
    switch end {
    case .timedOut: " after \(limits.totalTimeout / 1000) s (raise 'timeout')"
    case .tooMuchOutput: " after \(limits.bodyBytes) bytes (raise 'maximum-size')"
    default: ""
    }
  }

  /// Returns the last line of standard error, made safe for a terminal.
  private func said(_ result: ProgramResult) -> String {
    let lines = result.errors.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard let last = lines.last else { return "" }
    return ": " + MessageText.printable(String(decoding: last.prefix(200), as: UTF8.self))
  }
}
