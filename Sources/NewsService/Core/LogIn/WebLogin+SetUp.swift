import NewsToolbox

/// The outcome of a set-up.
public enum SetUpOutcome: Hashable, Sendable {
  case done
  /// The name or the password is refused; the text says which and why.
  case invalid(String)
  /// The token is not valid any more.
  case expired
}

extension WebLogin {
  /// True if the set-up page asks for the account's name. The configuration's name takes precedence, and app passwords
  /// belong to the name with which they were made.
  public func asksName() async throws(StoreError) -> Bool {
    guard configuredUser == nil else { return false }
    return try await keeper.appPasswords().isEmpty
  }

  /// Returns the token with which the login password can be set; makes one if none is valid. Nil: a password is set.
  public func setUpToken() async throws(StoreError) -> SetUpToken? {
    let now = clock.now()
    let text = prefix + Hex.encode(Self.random(16))
    return try await keeper.setUpToken(
      orStore: SetUpToken(text: text, expires: now + SetUpToken.lifetime),
      now: now
    )
  }

  /// True if the token is valid and no password is set.
  public func admitsSetUp(token: String) async throws(StoreError) -> Bool {
    guard let stored = try await keeper.currentSetUpToken(now: clock.now()) else { return false }
    return SecretComparison.areEqual(stored.text, token)
  }

  /// Sets the first login password and the account's name. The token is invalid afterwards. `host` is kept unless nil.
  public func finishSetUp(
    token: String,
    user: String,
    password: String,
    host: String?
  ) async throws(StoreError) -> SetUpOutcome {
    var choices = SetUpChoices(host: host)
    if try await asksName() {
      guard AccountName.isValid(user) else { return .invalid("the name \(AccountName.rule)") }
      choices.user = user
    }
    if let problem = PasswordRule.problem(password) { return .invalid("the password \(problem)") }
    guard try await admitsSetUp(token: token) else { return .expired }
    guard let hash = await limits.verifier.hash(password) else {
      return .invalid("the password cannot be hashed; libcrypt may be missing")
    }
    guard try await keeper.finishSetUp(token: token, hash: hash, choices, now: clock.now()) else {
      return .expired
    }
    try await readName()
    return .done
  }

  /// Returns the host that the set-up page kept.
  public func keptHost() async throws(StoreError) -> String? { try await keeper.setUpChoices().host }
}
