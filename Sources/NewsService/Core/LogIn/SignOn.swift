import NewsToolbox

/// A way to log in to the page.
public enum LogInWay: String, CaseIterable, Sendable {
  /// Name and login password.
  case password
  /// A header field in which a trusted reverse proxy names the account.
  case header
  /// An OpenID provider.
  case oidc

  /// The character before the random part of a session's cookie; never a hexadecimal digit.
  var mark: String {
    switch self {
    case .password: ""
    case .header: "h"
    case .oidc: "o"
    }
  }

  /// The way in which the session of a cookie was opened. The store has the hash of the whole cookie, so that a browser
  /// cannot change the way.
  static func opening(_ cookie: String) -> LogInWay {
    let random = cookie.cut(atLast: ".")?.after ?? cookie[...]
    switch random.utf8.first {
    case UInt8(ascii: "h"): return .header
    case UInt8(ascii: "o"): return .oidc
    default: return .password
    }
  }
}

/// A person as an OpenID provider names them.
public struct ProviderIdentity: Hashable, Sendable {
  public var issuer: String
  /// Identifies the person at the issuer for ever (OpenID Connect Core section 5.7).
  public var subject: String
  /// `preferred_username`, which the person may be able to change.
  public var name: String?
  public var groups: [String]

  public init(issuer: String, subject: String, name: String? = nil, groups: [String] = []) {
    self.issuer = issuer
    self.subject = subject
    self.name = name
    self.groups = groups
  }
}

/// The person at a provider who may log in to an account.
public struct SignOnLink: Hashable, Sendable {
  /// The name of the account for which the link was made; empty for the only account. The link of a copied store is not
  /// one of the account that has the copy.
  public var account: String
  public var subject: String

  public init(account: String, subject: String) {
    self.account = account
    self.subject = subject
  }
}

extension WebLogin {
  /// Opens a session without a password, for a browser that is known in another way.
  public func openSession(
    by way: LogInWay,
    address: String,
    agent: String
  ) async throws(StoreError) -> (session: WebSession, cookie: String) {
    let cookie = prefix + way.mark + Hex.encode(Self.random(32))
    var session = try await keeper.addSession(
      hash: SecureHash.sha256.digest(Array(cookie.utf8)),
      agent: Self.shortened(agent, Self.longestText),
      address: address,
      made: clock.now()
    )
    admit(&session, cookie)
    return (session, cookie)
  }

  /// Returns the subject at a provider that is linked to the account.
  public func linkedSubject(at issuer: String) async throws(StoreError) -> String? {
    guard let link = try await keeper.signOnLink(to: issuer), link.account == account ?? "" else {
      return nil
    }
    return link.subject
  }

  /// Links an identity to the account unless another one is linked. Returns false if another one is.
  public func link(_ identity: ProviderIdentity) async throws(StoreError) -> Bool {
    let link = SignOnLink(account: account ?? "", subject: identity.subject)
    return try await keeper.keep(link, to: identity.issuer) == link
  }

  /// Removes the links to all issuers, and ends all sessions. Returns false if there were no links.
  public func unlink() async throws(StoreError) -> Bool { try await keeper.removeSignOnLinks() > 0 }

  /// Ends the session of a cookie if this account has it.
  public func endSession(cookie: String) async throws(StoreError) {
    guard let session = try await session(cookie: cookie, address: "") else { return }
    _ = try await removeSession(session.id)
  }
}

/// Finds the account of an identity, among all accounts of the process.
public struct SignOnDirectory: Sendable {
  public enum Entry: Sendable {
    case granted(WebLogin)
    /// The text is the reason, for the person and the log.
    case refused(String)
  }

  private let logins: @Sendable () -> [WebLogin]
  /// True: an identity is linked to the account that has its name, if no other one is.
  private let linksAccounts: Bool
  /// Makes an account with this name and link, and returns its log-in once it is served; nil if that fails. Nil: no accounts
  /// are made.
  private let create: (@Sendable (String, ProviderIdentity) async throws -> WebLogin?)?

  public init(
    logins: @escaping @Sendable () -> [WebLogin],
    linksAccounts: Bool,
    create: (@Sendable (String, ProviderIdentity) async throws -> WebLogin?)? = nil
  ) {
    self.logins = logins
    self.linksAccounts = linksAccounts
    self.create = create
  }

  /// Finds the account to which the identity is linked; otherwise, links or makes one if the configuration permits it.
  public func login(of identity: ProviderIdentity) async throws -> Entry {
    let logins = logins()
    var linked: [WebLogin] = []
    for login in logins where try await isLinked(login, to: identity) { linked.append(login) }
    guard linked.count < 2 else {
      return .refused("two accounts are linked to it; 'newsd web link --remove' ends a link")
    }
    if let login = linked.first { return .granted(login) }
    guard let name = identity.name, !name.isEmpty else {
      return .refused("no account is linked to it, and the provider gives no preferred_username")
    }
    if let login = logins.first(where: { $0.user == name }) { return try await link(login, identity) }
    guard let create, Account.isName(name) else {
      return .refused("there is no account with the name of its preferred_username")
    }
    // A disabled or damaged account has the name, too.
    guard let login = try await create(name, identity), try await isLinked(login, to: identity) else {
      return .refused("the account of that name cannot be made or is not served")
    }
    return .granted(login)
  }

  /// Subjects are compared by their bytes (OpenID Connect Core, section 2: case-sensitive strings).
  private func isLinked(_ login: WebLogin, to identity: ProviderIdentity) async throws -> Bool {
    guard let subject = try await login.linkedSubject(at: identity.issuer) else { return false }
    return subject.utf8.elementsEqual(identity.subject.utf8)
  }

  private func link(_ login: WebLogin, _ identity: ProviderIdentity) async throws -> Entry {
    guard linksAccounts else {
      return .refused("the account is not linked to it; see oidc.links_accounts in the configuration")
    }
    guard try await login.link(identity) else {
      return .refused("the account is linked to another identity; 'newsd web link --remove' ends that")
    }
    return .granted(login)
  }

  /// Ends the session that a browser had before, in whatever account.
  public func endSession(cookie: String) async throws(StoreError) {
    for login in logins() where cookie.hasPrefix(bytesOf: login.prefix) {
      try await login.endSession(cookie: cookie)
    }
  }
}
