import NewsToolbox

/// A password that newsd made for one client. It gives access to the protocols for programs, not to the page.
public struct AppPassword: Hashable, Sendable {
  /// Maximum number of app passwords of an account.
  public static let most: Int64 = 100

  public var id: Int64
  /// The name that the user gave the password; unique.
  public var name: String
  public var made: Timestamp
  public var lastUsed: Timestamp?
  /// True: the protocols that have a choice give this client ids of items with 16 digits. False: its client has stored
  /// shorter ids.
  public var hasLongIDs: Bool
  /// The account that has admitted the program, if newsd has several.
  public internal(set) var account: String?

  public init(
    id: Int64,
    name: String,
    made: Timestamp,
    lastUsed: Timestamp? = nil,
    hasLongIDs: Bool = false
  ) {
    self.id = id
    self.name = name
    self.made = made
    self.lastUsed = lastUsed
    self.hasLongIDs = hasLongIDs
  }

  /// The rule for names, for messages such as `the name … must …`.
  public static let nameRule = "must have 1 to 100 bytes and no control characters"

  /// True for a name that a new password may have.
  public static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 100 && FeedSettings.isSendable(text)
  }
}

/// A browser that is logged in.
public struct WebSession: Hashable, Sendable {
  public var id: Int64
  public var made: Timestamp
  public var lastSeen: Timestamp
  /// The browser's User-Agent, shortened.
  public var agent: String
  /// The address from which the browser last sent a request.
  public var address: String
  /// The token in every form, which is checked when the form is sent. Empty in lists of sessions.
  public var formToken: String
  /// The account that has admitted the browser, if newsd has several.
  public internal(set) var account: String?
  /// How the browser has logged in.
  public var way = LogInWay.password
  /// The value of the session's cookie if the browser does not have it yet.
  public var newCookie: String?

  public init(
    id: Int64,
    made: Timestamp,
    lastSeen: Timestamp,
    agent: String,
    address: String,
    formToken: String = ""
  ) {
    self.id = id
    self.made = made
    self.lastSeen = lastSeen
    self.agent = agent
    self.address = address
    self.formToken = formToken
  }
}

/// The outcome of an attempt to log in.
public enum LoginOutcome<Granted: Sendable>: Sendable {
  case granted(Granted)
  /// Wrong name or password.
  case refused
  /// Too many wrong passwords, from this address or from all: answer 429 with Retry-After.
  case blocked(seconds: Int)
  /// Too many verifications wait: answer 503 with Retry-After.
  case busy
}

/// Checks credentials for the web page and the sync protocols. There is one account, with the name of `web.user`.
///
/// Wrong passwords are counted by address and logged; missing credentials, unknown tokens and unknown cookies are not.
public protocol WebAccount: Sendable {
  /// The account's name.
  var user: String { get }

  // MARK: App passwords

  /// Checks a name and an app password, as sent to ClientLogin or as Basic. A nil name is not compared. With a nil name
  /// or address, a wrong password is not counted.
  func app(user: String?, password: String, address: String?) async throws(StoreError) -> LoginOutcome<
    AppPassword
  >
  /// Checks Fever's `api_key`, the MD5 of `user:password` in hexadecimal. With a nil address, a wrong key is not counted.
  func app(feverKey: String, address: String?) async throws(StoreError) -> LoginOutcome<AppPassword>
  /// Finds the app password from which a Google Reader auth token (`user/…`) was made; returns nil if there is none.
  func app(authToken: String) async throws(StoreError) -> AppPassword?
  /// Finds the app password from which an action token (`T`) was made; also accepts an auth token. The caller must trim
  /// the token.
  func app(actionToken: String) async throws(StoreError) -> AppPassword?
  /// Returns the auth token of ClientLogin. It is valid until the app password is revoked.
  func authToken(of app: AppPassword) async throws(StoreError) -> String
  /// Returns the token of `/reader/api/0/token`. It is valid today and tomorrow.
  func actionToken(of app: AppPassword) async throws(StoreError) -> String

  func apps() async throws(StoreError) -> [AppPassword]
  /// Makes an app password. The second value is the password, which cannot be read again. Nil: the name is taken.
  func addApp(named name: String) async throws(StoreError) -> (app: AppPassword, password: String)?
  /// Revokes an app password. Returns false if there is no such app password.
  func removeApp(named name: String) async throws(StoreError) -> Bool

  // MARK: Sessions

  /// True if a login password is set. Otherwise no login is possible, and the page shows the command that sets it.
  func hasLoginPassword() async throws(StoreError) -> Bool
  /// Checks name and login password and makes a session. The cookie's value is returned once and stored as a hash.
  func logIn(
    user: String,
    password: String,
    address: String,
    agent: String
  ) async throws(StoreError) -> LoginOutcome<(session: WebSession, cookie: String)>
  /// Returns the session of a cookie's value and extends it; nil if it is unknown or expired.
  func session(cookie: String, address: String) async throws(StoreError) -> WebSession?
  func sessions() async throws(StoreError) -> [WebSession]
  /// Ends a session. Returns false if there is no such session.
  func removeSession(_ id: Int64) async throws(StoreError) -> Bool
}

/// The lifetime and number of sessions.
public enum WebSessionRule {
  /// Maximum number of sessions; beyond it, the one whose browser has been away longest ends.
  public static let mostSessions = 100
  /// Seconds from the last request.
  public static let lifetime: Int64 = 30 * 86_400
}

/// Which names the account may have.
public enum AccountName {
  /// The rule, for messages such as `web.user must …`.
  public static let rule = "must have 1 to 100 bytes, without colons and control characters"

  /// True for a name that Basic credentials can carry.
  public static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 100 && FeedSettings.isSendable(text)
      && !text.utf8.contains(UInt8(ascii: ":"))
  }
}
