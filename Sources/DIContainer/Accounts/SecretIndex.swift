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

/// The secrets in a request, and the name that the client sends with them.
struct WebSecrets {
  private(set) var found: [WebSecret] = []
  /// The user name; nil: there is none. A former name of an account is possible.
  private(set) var user: String?

  var isEmpty: Bool { found.isEmpty }

  /// Collects the secrets in the head of a request.
  init(inHead request: HTTPRequest) {
    if let password = request.fields.first("X-Auth-Token") { found.append(.app(password)) }
    guard let (scheme, value) = request.fields.first("Authorization")?.trimmingBlanks.cut(atFirst: " ") else {
      return
    }
    let text = String(value.trimmingBlanks)
    switch scheme.lowercased() {
    case "bearer": found.append(.app(text))
    case "basic":
      let decoded = text.withBytes { bytes in Base64.decode(bytes)?.string() }
      guard let (user, password) = decoded?.cut(atFirst: ":") else { return }
      self.user = String(user)
      found.append(.app(String(password)))
    case "googlelogin":
      if text.hasPrefix(bytesOf: "auth=") { add(token: String(text.dropFirst(5).trimmingBlanks)) }
    default: break
    }
  }

  /// Collects the secrets in the form or the address of a request.
  init(inBody request: HTTPRequest) {
    if let key = request.form.first("api_key") {
      found.append(.fever(SecureHash.sha256.digest(key.utf8.map(ASCII.lowercase))))
    }
    if let password = request.form.first("Passwd") ?? request.query.first("Passwd") {
      user = request.form.first("Email") ?? request.query.first("Email")
      found.append(.app(password))
    }
    if let token = request.form.first("T")?.filter({ !$0.isWhitespace }), !token.isEmpty {
      add(token: token)
      found.append(.action(token))
    }
  }

  /// Adds a token of Google Reader, `NAME/SECRET`.
  private mutating func add(token: String) {
    let parts = token.cut(atLast: "/")
    user = user ?? parts.map { String($0.before) }
    found.append(.token(parts.map { String($0.after) } ?? token))
  }
}

extension WebSecret {
  fileprivate static func app(_ password: String) -> WebSecret {
    .password(SecureHash.sha256.digest(Array(password.utf8)))
  }
}

/// Knows which accounts have which secret, by hashes. A hit only chooses the account, which then checks the secret itself.
final class SecretIndex: Sendable {
  private struct State {
    /// What was read last of each account, also of those whose stores are closed for now.
    var prints: [String: LoginFingerprints] = [:]
    var accounts: [WebSecret: [String]] = [:]
    /// The accounts of which nothing could be read, and open ones that could not be read last.
    var unread: Set<String> = []
    var read: ContinuousClock.Instant?

    /// If nothing could be read, keeps what is known.
    mutating func take(_ new: LoginFingerprints?, of name: String) {
      if let new { prints[name] = new }
      if prints[name] == nil { unread.insert(name) } else { unread.remove(name) }
    }

    /// Two accounts that were made from one store may have the same secrets.
    mutating func sort() {
      accounts = [:]
      for (name, own) in prints.sorted(by: { $0.key < $1.key }) {
        let secrets =
          own.passwords.map { WebSecret.password($0) } + own.feverKeys.map { WebSecret.fever($0) }
          + own.tokens.map { WebSecret.token($0) }
        for secret in secrets { accounts[secret, default: []].append(name) }
      }
    }
  }

  private let state = Mutex(State())
  private let reader = Reader()
  /// Shortest time between two readings of all accounts, so that wrong secrets cost little.
  private static let pause = Duration.seconds(1)
  /// A slow store makes a reading slow. Only so many requests with unknown secrets wait for it, so that strangers do not
  /// take the places of other requests.
  private let waiting = HandlerSlots(limit: 8)

  /// True if an account could not be read: a secret that is not found may be one of its own.
  var isIncomplete: Bool { state.withLock { !$0.unread.isEmpty } }

  /// Returns the accounts with one of the secrets, sorted by name; only the account that the client names, if it is one of
  /// them.
  func accounts(of secrets: WebSecrets) -> [String] {
    let (prints, accounts) = state.withLock { ($0.prints, $0.accounts) }
    for secret in secrets.found {
      var names = accounts[secret] ?? []
      // Not in the lock: this computes some hashes for each app password of all accounts.
      if case .action(let token) = secret { names += prints.filter { $0.value.admits(token) }.keys.sorted() }
      if let user = secrets.user, names.contains(user) { return [user] }
      if !names.isEmpty { return names }
    }
    return []
  }

  private var isDue: Bool {
    state.withLock { state in state.read.map { .now - $0 >= Self.pause } ?? true }
  }

  /// Reads the secrets of accounts, unless they were read just now. What is known of others is kept. Returns false if too
  /// many requests wait for that.
  func refresh(_ logins: [(name: String, login: WebLogin)]) async -> Bool {
    guard isDue else { return true }
    guard waiting.enter() else { return false }
    defer { waiting.leave() }
    await reader.run { [self] in
      guard isDue else { return }
      let new = await withTaskGroup(of: (String, LoginFingerprints?).self) { group in
        for (name, login) in logins { group.addTask { (name, try? await login.fingerprints()) } }
        var found: [(String, LoginFingerprints?)] = []
        for await reading in group { found.append(reading) }
        return found
      }
      state.withLock { state in
        for (name, prints) in new {
          state.take(prints, of: name)
          // An open account whose store does not answer may have new secrets.
          if prints == nil { state.unread.insert(name) }
        }
        state.read = .now
        state.sort()
      }
    }
    return true
  }

  /// Reads the secrets of an account that is opened or closed now.
  func read(_ name: String, _ login: WebLogin) async {
    let prints = try? await login.fingerprints()
    state.withLock { state in
      state.take(prints, of: name)
      state.sort()
    }
  }

  /// Forgets an account that is gone.
  func forget(_ name: String) {
    state.withLock { state in
      state.unread.remove(name)
      guard state.prints.removeValue(forKey: name) != nil else { return }
      state.sort()
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
