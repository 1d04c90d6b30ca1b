import NewsCore
import NewsHTTP
import NewsToolbox
import Synchronization

/// A secret in a request, in the form in which accounts are found by it.
enum WebSecret: Hashable, Sendable {
  /// The SHA-256 of an app password.
  case password([UInt8])
  /// The SHA-256 of a Fever key.
  case fever([UInt8])
  /// The part of a Google Reader token after the name.
  case token(String)
  /// An action token of Google Reader.
  case action(String)
}

/// Collects the secrets in a request.
enum WebSecrets {
  static func inHead(of request: HTTPRequest) -> [WebSecret] {
    var found: [WebSecret] = []
    if let password = request.fields.first("X-Auth-Token") { found.append(.app(password)) }
    guard let (scheme, value) = request.fields.first("Authorization")?.trimmingBlanks.cut(atFirst: " ") else {
      return found
    }
    let text = String(value.trimmingBlanks)
    switch scheme.lowercased() {
    case "bearer": found.append(.app(text))
    case "basic":
      let decoded = text.withBytes { bytes in Base64.decode(bytes)?.string() }
      if let password = decoded?.cut(atFirst: ":")?.after { found.append(.app(String(password))) }
    case "googlelogin":
      if text.hasPrefix(bytesOf: "auth=") { found.append(.auth(String(text.dropFirst(5).trimmingBlanks))) }
    default: break
    }
    return found
  }

  /// The secrets in the form or the address of a request.
  static func inBody(of request: HTTPRequest) -> [WebSecret] {
    var found: [WebSecret] = []
    if let key = request.form.first("api_key") {
      found.append(.fever(SecureHash.sha256.digest(key.utf8.map(ASCII.lowercase))))
    }
    if let password = request.form.first("Passwd") ?? request.query.first("Passwd") {
      found.append(.app(password))
    }
    if let token = request.form.first("T")?.filter({ !$0.isWhitespace }), !token.isEmpty {
      found += [.auth(token), .action(token)]
    }
    return found
  }
}

extension WebSecret {
  fileprivate static func app(_ password: String) -> WebSecret {
    .password(SecureHash.sha256.digest(Array(password.utf8)))
  }

  fileprivate static func auth(_ token: String) -> WebSecret {
    .token(token.cut(atLast: "/").map { String($0.after) } ?? token)
  }
}

/// Knows which account has which secret, by hashes. A hit only chooses the account, which then checks the secret itself.
final class SecretIndex: Sendable {
  private struct State {
    var accounts: [WebSecret: String] = [:]
    var fingerprints: [(account: String, fingerprints: LoginFingerprints)] = []
    var read: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  private let reader = Reader()
  /// Shortest time between two readings of all accounts, so that wrong secrets cost little.
  private static let pause = Duration.seconds(1)

  /// Returns the account that has one of the secrets.
  func account(of secrets: [WebSecret]) -> String? {
    state.withLock { state in
      for secret in secrets {
        if let name = state.accounts[secret] { return name }
        guard case .action(let token) = secret else { continue }
        if let owner = state.fingerprints.first(where: { $0.fingerprints.admits(token) }) {
          return owner.account
        }
      }
      return nil
    }
  }

  /// Reads the secrets of all accounts, unless they were read just now.
  func refresh(_ logins: [(name: String, login: WebLogin)]) async {
    await reader.run { [self] in
      let isDue = state.withLock { state in
        state.read.map { .now - $0 >= Self.pause } ?? true
      }
      guard isDue else { return }
      var new = State()
      for (name, login) in logins {
        guard let prints = try? await login.fingerprints() else { continue }
        new.fingerprints.append((name, prints))
        for hash in prints.passwords { new.accounts[.password(hash)] = name }
        for hash in prints.feverKeys { new.accounts[.fever(hash)] = name }
        for token in prints.tokens { new.accounts[.token(token)] = name }
      }
      new.read = .now
      let done = new
      state.withLock { $0 = done }
    }
  }

  /// Runs one reading at a time; others wait for it.
  private actor Reader {
    private var task: Task<Void, Never>?

    func run(_ body: @escaping @Sendable () async -> Void) async {
      if let task { return await task.value }
      let new = Task { await body() }
      task = new
      await new.value
      task = nil
    }
  }
}
