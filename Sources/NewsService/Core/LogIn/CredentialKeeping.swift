/// An app password as stored: only hashes, which cannot be used for logging in.
public struct StoredAppPassword: Hashable, Sendable {
  public var app: AppPassword
  /// SHA-256 of the password.
  public var hash: [UInt8]
  /// SHA-256 of the Fever key, which is itself a credential.
  public var feverHash: [UInt8]

  public init(app: AppPassword, hash: [UInt8], feverHash: [UInt8]) {
    self.app = app
    self.hash = hash
    self.feverHash = feverHash
  }
}

/// A secret that lets its holder set the first login password.
public struct SetUpToken: Hashable, Sendable {
  /// Seconds for which a token is valid.
  public static let lifetime: Int64 = 3600

  public var text: String
  public var expires: Timestamp

  public init(text: String, expires: Timestamp) {
    self.text = text
    self.expires = expires
  }
}

/// What the set-up page stores besides the password, and the name that the configuration set.
public struct SetUpChoices: Hashable, Sendable {
  /// The account's name; nil: none was chosen.
  public var user: String?
  /// The host, with port, by which the set-up page was reached; nil: none is kept.
  public var host: String?
  /// The name that the configuration had when the store was last served or an app password made; nil: none.
  public var configured: String?

  public init(user: String? = nil, host: String? = nil, configured: String? = nil) {
    self.user = user
    self.host = host
    self.configured = configured
  }
}

/// Keeps the account's credentials in the store. Backups contain them, exports do not.
public protocol CredentialKeeping: Sendable {
  /// Returns a random value of 32 bytes that belongs to the store; made at the first call.
  func serverSecret() async throws(StoreError) -> [UInt8]
  /// Keeps only what a store from elsewhere may bring along, each within its limits: the server's secret, the login
  /// password, the names, the settings of the page, and app passwords. Removes all else, such as links to OpenID providers,
  /// set-up tokens, the quota and sessions. Throws `corrupt` if the store has other values that are longer than those of newsd.
  func removeForeignCredentials() async throws(StoreError)

  func appPasswords() async throws(StoreError) -> [StoredAppPassword]
  /// Stores an app password. Returns nil if the name is taken.
  func addAppPassword(
    named name: String,
    hash: [UInt8],
    feverHash: [UInt8],
    made: Timestamp
  ) async throws(StoreError) -> AppPassword?
  /// Removes an app password. Returns false if there is no such app password.
  func removeAppPassword(named name: String) async throws(StoreError) -> Bool
  func noteUse(ofAppPassword id: Int64, at time: Timestamp) async throws(StoreError)

  /// Returns the crypt(3) hash of the login password; nil: none is set.
  func loginPasswordHash() async throws(StoreError) -> String?
  /// Sets or removes the login password and ends all sessions.
  func setLoginPasswordHash(_ hash: String?) async throws(StoreError)

  /// Returns the token of the set-up page; if none is valid, stores `new` and returns it. Nil: a login password is set.
  func setUpToken(orStore new: SetUpToken, now: Timestamp) async throws(StoreError) -> SetUpToken?
  /// Returns the token of the set-up page; nil: none is valid, or a login password is set.
  func currentSetUpToken(now: Timestamp) async throws(StoreError) -> SetUpToken?
  /// Sets the login password and the choices that are not nil, and removes the token, in one transaction. Returns false
  /// if the token is not valid.
  func finishSetUp(
    token: String,
    hash: String,
    _ choices: SetUpChoices,
    now: Timestamp
  ) async throws(StoreError) -> Bool
  /// Returns what was chosen on the set-up page, and the name that `keepConfiguredUser` kept.
  func setUpChoices() async throws(StoreError) -> SetUpChoices
  /// Keeps the account's name in the configuration.
  func keepConfiguredUser(_ name: String) async throws(StoreError)

  /// Returns who at an OpenID provider may log in.
  func signOnLink(to issuer: String) async throws(StoreError) -> SignOnLink?
  /// Stores a link unless the same account has one to this issuer. Returns the stored link.
  func keep(_ link: SignOnLink, to issuer: String) async throws(StoreError) -> SignOnLink
  /// Removes the links to all issuers and, if there were some, ends all sessions. Returns how many there were.
  func removeSignOnLinks() async throws(StoreError) -> Int

  /// Stores a session by the SHA-256 of its cookie's value.
  func addSession(
    hash: [UInt8],
    agent: String,
    address: String,
    made: Timestamp
  ) async throws(StoreError) -> WebSession
  /// Returns the sessions last seen after `time`.
  func sessions(seenAfter time: Timestamp) async throws(StoreError) -> [WebSession]
  func session(hash: [UInt8], seenAfter time: Timestamp) async throws(StoreError) -> WebSession?
  func noteSession(_ id: Int64, seen time: Timestamp, address: String) async throws(StoreError)
  /// Removes a session. Returns false if there is no such session.
  func removeSession(_ id: Int64) async throws(StoreError) -> Bool
}

/// Hashes login passwords slowly. Each call takes tens of milliseconds and tens of megabytes.
public protocol PasswordHashing: Sendable {
  /// Makes a hash with a new salt; nil: the password is empty, too long or holds a NUL, or the library is missing.
  func hash(_ password: String) -> String?
  /// True if the hash was made of the password.
  func matches(_ password: String, hash: String) -> Bool
}

/// A refused log-in, for the log.
public struct LoginRefusal: Hashable, Sendable {
  /// The name as the client sent it, shortened; untrusted.
  public var user: String
  public var address: String
  /// Why a log-in without a password was refused; nil: the password was wrong.
  public var reason: String?

  public init(user: String, address: String, reason: String? = nil) {
    self.user = user
    self.address = address
    self.reason = reason
  }
}
