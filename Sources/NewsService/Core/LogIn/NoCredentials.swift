/// Credentials without any password: a log-in with them refuses every name and secret, after the same work as for a real
/// account. With the hash of a login password, it makes no session for the right one: `addSession` throws.
public struct NoCredentials: CredentialKeeping {
  /// The hash of the login password, which is unknown to everybody if none was given.
  private let hash: String?
  private let secret: [UInt8]

  /// Credentials of an account whose store is closed for now. `hash` is that of its login password; nil: none is set.
  public init(hash: String?) {
    secret = WebLogin.random(32)
    self.hash = hash
  }

  public init(hasher: any PasswordHashing) {
    secret = WebLogin.random(32)
    hash = hasher.hash(String(WebLogin.random(16).map { Character(Unicode.Scalar($0 % 26 + 97)) }))
  }

  public func serverSecret() -> [UInt8] { secret }
  public func removeForeignCredentials() {}

  public func appPasswords() -> [StoredAppPassword] { [] }
  public func addAppPassword(
    named name: String,
    hash: [UInt8],
    feverHash: [UInt8],
    made: Timestamp
  ) -> AppPassword? { nil }
  public func removeAppPassword(named name: String) -> Bool { false }
  public func noteUse(ofAppPassword id: Int64, at time: Timestamp) {}

  public func loginPasswordHash() -> String? { hash }
  public func setLoginPasswordHash(_ hash: String?) {}

  public func setUpToken(orStore new: SetUpToken, now: Timestamp) -> SetUpToken? { nil }
  public func currentSetUpToken(now: Timestamp) -> SetUpToken? { nil }
  public func finishSetUp(token: String, hash: String, _ choices: SetUpChoices, now: Timestamp) -> Bool {
    false
  }
  public func setUpChoices() -> SetUpChoices { SetUpChoices() }
  public func keepConfiguredUser(_ name: String) {}

  public func signOnLink(to issuer: String) -> SignOnLink? { nil }
  public func keep(_ link: SignOnLink, to issuer: String) throws(StoreError) -> SignOnLink {
    throw StoreError(code: .other, message: "nobody has links")
  }
  public func removeSignOnLinks() -> Int { 0 }

  public func addSession(hash: [UInt8], agent: String, address: String, made: Timestamp) throws(StoreError)
    -> WebSession
  {
    throw StoreError(code: .other, message: "no session can be stored")
  }
  public func sessions(seenAfter time: Timestamp) -> [WebSession] { [] }
  public func session(hash: [UInt8], seenAfter time: Timestamp) -> WebSession? { nil }
  public func noteSession(_ id: Int64, seen time: Timestamp, address: String) {}
  public func removeSession(_ id: Int64) -> Bool { false }
}
