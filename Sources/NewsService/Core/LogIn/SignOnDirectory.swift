import NewsToolbox
import Synchronization

/// Finds the account of an identity, among all accounts of the process.
public struct SignOnDirectory: Sendable {
  public enum Entry: Sendable {
    case granted(WebLogin)
    /// The text is the reason, for the person and the log.
    case refused(String)
    /// The identity may be linked to an account whose store cannot be read now.
    case unavailable
  }

  private let logins: @Sendable () -> [WebLogin]
  /// False while an account of the process is closed.
  private let isComplete: @Sendable () -> Bool
  /// True if the identity is linked to an account that is disabled.
  private let isDisabled: @Sendable (ProviderIdentity) async throws -> Bool
  /// True: an identity is linked to the account that has its name, if no other one is.
  private let linksAccounts: Bool
  /// Makes an account with this name and link, and returns its log-in once it is served; nil if that fails. Nil: no accounts
  /// are made.
  private let create: (@Sendable (String, ProviderIdentity) async throws -> WebLogin?)?
  private let running = KeyedSlots()
  private let known = KnownPersons()

  /// The log-ins of one person, and of all who have not logged in before, that may run at the same time.
  private static let (mostOfPerson, most) = (2, 32)

  /// The persons for whom an account was found since the start.
  private final class KnownPersons: Sendable {
    private let persons = Mutex<Set<String>>([])

    func contains(_ person: String) -> Bool { persons.withLock { $0.contains(person) } }

    func add(_ person: String) { persons.withLock { _ = $0.insert(person) } }
  }

  public init(
    logins: @escaping @Sendable () -> [WebLogin],
    isComplete: @escaping @Sendable () -> Bool = { true },
    isDisabled: @escaping @Sendable (ProviderIdentity) async throws -> Bool = { _ in false },
    linksAccounts: Bool,
    create: (@Sendable (String, ProviderIdentity) async throws -> WebLogin?)? = nil
  ) {
    self.logins = logins
    self.isComplete = isComplete
    self.isDisabled = isDisabled
    self.linksAccounts = linksAccounts
    self.create = create
  }

  /// Calls `body`, which logs the identity in. Returns nil if too many log-ins run: each reads the stores of accounts, and a
  /// person whose store is slow must not hold all places of the server. Those who have logged in before need none of the places of
  /// all: persons without an account must not keep them out.
  public func enter<Result>(
    _ identity: ProviderIdentity,
    _ body: () async throws -> Result
  ) async throws -> Result? {
    let person = Self.person(identity)
    let limits: KeyValuePairs<String, Int> =
      known.contains(person)
      ? ["person \(person)": Self.mostOfPerson]
      : ["person \(person)": Self.mostOfPerson, "all": Self.most]
    guard running.enter(limits) else { return nil }
    defer { running.leave(limits) }
    return try await body()
  }

  /// Finds the account to which the identity is linked; otherwise, links or makes one if the configuration permits it.
  public func login(of identity: ProviderIdentity) async throws -> Entry {
    let entry = try await entry(of: identity)
    if case .granted = entry { known.add(Self.person(identity)) }
    return entry
  }

  private static func person(_ identity: ProviderIdentity) -> String {
    "\(identity.issuer) \(identity.subject)"
  }

  private func entry(of identity: ProviderIdentity) async throws -> Entry {
    var isComplete = isComplete()
    let logins = logins()
    var linked: [WebLogin] = []
    await withTaskGroup(of: (WebLogin, Bool?).self) { group in
      for login in logins { group.addTask { (login, try? await isLinked(login, to: identity)) } }
      for await (login, isLinked) in group {
        if isLinked == true { linked.append(login) }
        if isLinked == nil { isComplete = false }
      }
    }
    guard linked.count < 2 else {
      return .refused("two accounts are linked to it; 'newsd web link --remove' ends a link")
    }
    if let login = linked.first { return .granted(login) }
    guard isComplete else { return .unavailable }
    // A disabled person must not get another account.
    do {
      guard try await !isDisabled(identity) else {
        return .refused("the account that is linked to it is disabled")
      }
    } catch {
      return .unavailable
    }
    guard let name = identity.name, !name.isEmpty else {
      return .refused("no account is linked to it, and the provider gives no preferred_username")
    }
    if let login = logins.first(where: { $0.user.utf8.elementsEqual(name.utf8) }) {
      return try await link(login, identity)
    }
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
  public func endSession(cookie: String) async {
    for login in logins() where cookie.hasPrefix(bytesOf: login.prefix) {
      // A damaged store of another account must not hinder a log-in.
      try? await login.endSession(cookie: cookie)
    }
  }
}
