import Glibc
public import Modules
public import NewsCore
import NewsFiles
import NewsHTTP
import NewsNetwork
import NewsPostgres
import NewsSQLite
import NewsWeb
package import NewsToolbox

/// The accounts of a configuration, and the container of each.
public struct AccountSet: Sendable {
  let keeper: any AccountKeeping
  /// What accounts on a server share; nil for a folder.
  private let server: AccountServer?
  let settings: Settings
  let environment: [String: String]
  /// newsd's name and version.
  let program: String

  /// Returns nil if the configuration has no accounts.
  public init?(settings: Settings, environment: [String: String], program: String) throws(StoreError) {
    if let directory = settings.accounts.directory {
      keeper = AccountFolder(path: directory)
      server = nil
    } else if let address = settings.accounts.server {
      let server = try AccountServer(
        address,
        node: settings.nodeName ?? StorePlace.machineName,
        version: ServiceContainer.version(of: program),
        upgrades: settings.storeUpgrade == .auto
      )
      keeper = try AccountSchemas(address, server.pool)
      self.server = server
    } else {
      return nil
    }
    self.settings = settings
    self.environment = environment
    self.program = program
  }

  /// Returns all accounts, sorted by name.
  public func accounts() async throws -> [Account] { try await keeper.accounts() }

  /// Joins the nodes that poll the accounts, if they are on a server.
  public func join() async throws(StoreError) {
    try await server?.join()
  }

  /// Throws if the server of the accounts does not answer, or this process has lost its lease there.
  public func checkServer() throws(StoreError) { try server?.shared.node.check() }

  /// Upgrades what accounts on a server share; `finishes` ends the upgrade.
  func upgradeShared(finishes: Bool = false) async throws(StoreError) {
    try await server?.upgrade(finishes: finishes)
  }

  /// Sets the function that receives the seconds by which the server's clock is ahead of this machine's; see `NodeClock`.
  public func reportClock(to report: @escaping @Sendable (Int64) -> Void) {
    server?.clock.reportDifferences(to: report)
  }

  /// Leaves the nodes, and closes what the accounts were read with.
  public func close() async { await server?.close() }

  /// The same for the process that has taken the lock. Throws if the folder does not exist, or has neither accounts nor the
  /// lock: their disk may not be mounted.
  package func presentAccounts() async throws -> [Account] {
    guard let path = settings.accounts.directory else { return try await accounts() }
    let accounts = try AccountFolder(path: path).presentAccounts()
    guard !accounts.isEmpty || access(path + "/newsd.lock", F_OK) == 0 else {
      throw FileError(code: .cannotRead, message: "\(path) is empty; mount the disk with the accounts")
    }
    return accounts
  }

  /// Raises the limit on open files. Returns the number of accounts whose stores it allows to be open at a time.
  package func raiseLimit() -> Int {
    DescriptorLimit.raise()
    return settings.accounts.descriptors.accounts()
  }

  /// Says why newsd cannot open an account beyond that number, if so many shall be open.
  package func limitNotice(_ count: Int) -> String {
    let descriptors = settings.accounts.descriptors
    return "not opened: \(DescriptorLimit.attainable) open files (ulimit -n) are enough for "
      + "\(Plural.of(descriptors.accounts(), "account")), and \(count) need \(descriptors.limit(forAccounts: count))"
  }

  /// The settings with which newsd works for an account.
  public func settings(of account: Account) -> Settings {
    var own = settings
    own.store = account.store
    own.account = account.name
    // An account exists once it was added: a missing file must not look like an empty one.
    own.storeMustExist = true
    own.credentials = settings.accounts.credentials[account.name] ?? [:]
    own.hooks = settings.accounts.hooks[account.name] ?? []
    own.accountRights = settings.accounts.rights[account.name] ?? []
    return own
  }

  /// The hooks of the configuration that belong to none of the accounts, with the reason.
  package func idleHooks(_ accounts: [Account]) -> [(hook: String, reason: String)] {
    let names = Set(accounts.map(\.name))
    let unnamed = settings.hooks.map {
      (hook: $0.name, reason: "the hook names no account, so it is never called")
    }
    let unknown = settings.accounts.hooks.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
    return unnamed
      + unknown.flatMap { name, hooks -> [(hook: String, reason: String)] in
        let rule = Account.isName(name) ? "" : ", and can be none: a name \(Account.nameRule)"
        return hooks.map { (hook: $0.name, reason: "there is no account '\(name)'\(rule)") }
      }
  }

  /// Says that there is no account, and names the possible cause that the disk is not mounted.
  package var emptyNotice: String {
    let disk = server == nil ? "; if there were some, mount their disk" : ""
    return "there is no account in \(place); 'newsd accounts add NAME' makes one\(disk)"
  }

  /// The folder, or the address of the server without passwords.
  public var place: String { keeper.place }

  /// The path from which the processes of this machine derive the names of the lock files of all accounts.
  private var lockPath: String { settings.accountsLockPath(environment) ?? "" }

  /// Changes when a file in the folder is made, removed or renamed; nil: the accounts are on a server.
  package var folderStamp: FileStamp? { settings.accounts.directory.map { FileStamp([$0]) } }

  /// The same accounts with other settings.
  public func with(_ settings: Settings) -> AccountSet { AccountSet(self, settings) }

  private init(_ former: AccountSet, _ settings: Settings) {
    keeper = former.keeper
    server = former.server
    self.settings = settings
    environment = former.environment
    program = former.program
  }

  /// Makes the network client that the accounts of a process share. `former` is the one before a reload.
  public func makeNetwork(_ clock: any WallClock, former: SharedNetwork? = nil) -> SharedNetwork {
    let polls = former?.polls ?? SharedPolls()
    return SharedNetwork(
      settings,
      environment,
      program,
      clock,
      polls: polls,
      icons: former?.icons,
      memory: former?.memory,
      requests: server?.requests
    ) { [server, lockPath] () -> any SiteSharing in
      if let server { return server.shared.sites }
      return SiteSlots(file: LockFile(store: lockPath))
    }
  }

  /// Takes the lock that keeps a second daemon from the accounts. Nil: several daemons may share accounts on a server, or the
  /// folder is missing. It is only made here if a log-in can make the first account: its disk may not be mounted.
  public func takeLock() throws(InstanceLockError) -> (any InstanceHolding)? {
    guard let directory = settings.accounts.directory else { return nil }
    if settings.openID.createsAccounts { FileFolders.create(directory) }
    guard access(directory, F_OK) == 0 || errno != ENOENT else { return nil }
    return try InstanceLock(
      store: lockPath,
      started: Timestamp(seconds: Timestamp.milliseconds() / 1000)
    )
  }

  /// Makes the container of an account. Throws if its store must not be opened. With `former`, keeps the store and the
  /// clock of that container. `isOneOfMany`: the process uses the stores of other accounts at the same time, as with a network that
  /// they share.
  public func container(
    of account: Account,
    network: SharedNetwork? = nil,
    former: ServiceContainer? = nil,
    isOneOfMany: Bool = false
  ) throws(UserMessage) -> ServiceContainer {
    if case .unusable(let reason) = account.state { throw UserMessage(code: .io, text: reason) }
    var overrides = ServiceContainer.Overrides()
    overrides.network = network
    overrides.former = former
    overrides.isOneOfMany = isOneOfMany || network != nil
    overrides.server = server
    overrides.clock = server?.clock
    return ServiceContainer(
      settings: settings(of: account),
      environment: environment,
      program: program,
      overrides: overrides
    )
  }

  /// Makes the container of an account for a command. If several nodes can poll the account, the command sends requests
  /// as one of them.
  public func container(forCommandOn account: Account) throws(UserMessage) -> ServiceContainer {
    guard let server else { return try container(of: account) }
    let network = SharedNetwork(settings, environment, program, server.clock, requests: server.requests) {
      server.shared.sites
    }
    return try container(of: account, network: network)
  }

  /// Reads the figures of an account's store.
  func report(on account: Account) async -> AccountReport {
    var report = AccountReport(account)
    guard report.problem == nil else { return report }
    do {
      let services = try container(of: account)
      let store = try services.store()
      do throws(StoreError) {
        let feeds = try await store.feeds()
        report.feeds = feeds.count
        report.items = feeds.reduce(0) { $0 + $1.itemCount }
        report.failing = feeds.count { $0.fetchState.failures > 0 && $0.isPolled && !$0.fetchState.isGone }
        let quota = try await store.quota()
        report.quota = quota.isSet ? quota : nil
        // A limit is one on data, not on pages that became free.
        report.size = quota.usedBytes
        if quota.bytes == nil { report.size = await services.storeMeasure.figures()?.storeBytes }
        let uses = try await store.appPasswords().compactMap(\.app.lastUsed)
        let sessions = try await store.sessions(seenAfter: services.clock.now() - WebSessionRule.lifetime)
        report.lastUse = (uses + sessions.map(\.lastSeen)).max()
      } catch {
        report.problem = error.message
      }
      await services.close()
    } catch {
      report.problem = UserMessage(reporting: error)?.text ?? "\(error)"
    }
    return report
  }

  /// Changes the quota of an account's store, and returns it.
  func limit(_ account: Account, _ changes: [QuotaChange]) async throws -> StoreQuota {
    let services = try container(of: account)
    do {
      let store = try services.store()
      if !changes.isEmpty { try await store.change(changes) }
      let quota = try await store.quota()
      await services.close()
      return quota
    } catch {
      await services.close()
      throw error
    }
  }

  /// Returns the address at which the person can set a login password; nil: one is set, or no web server is configured.
  func setUpAddress(of account: Account) async throws -> String? {
    guard settings.web.listen != nil, settings.web.ways.contains(.password) else { return nil }
    let services = try container(of: account)
    let token: SetUpToken?
    do {
      token = try await services.makeWebLogin().setUpToken()
    } catch {
      await services.close()
      throw error
    }
    await services.close()
    return token.map { settings.setUpSite.url(SetUpPage.path($0)) }
  }

  /// Makes the store of a new account at a path or address: an empty one, or a copy of another store. The copy of another
  /// account has no app passwords: programs that send no name would reach either account.
  func fill(_ target: String, from source: String?) async throws {
    guard let source else {
      return try await Self.use(StorePlace(target).open(mustExist: false)) { store in
        // The first transaction creates the store.
        _ = try await store.ports.serverSecret()
        try await Self.requireEmpty(store)
        // A log-in may have begun the account for a person; who gets it now is for 'newsd web link' to say.
        try await Self.removeForeignCredentials(store.ports)
      }
    }
    let place = StorePlace(source)
    if case .file(let file) = place, let daemon = InstanceLock.holder(of: file) {
      let process = daemon.pid.map { "process \($0)" } ?? "a process"
      throw UserMessage(
        code: .cannotCreate,
        text: "newsd run (\(process)) uses \(file); stop it first, because the account begins with a copy"
      )
    }
    let upgraded = try place.upgradedCopy()
    defer { upgraded?.remove() }
    // The nodes that poll an account are not in the list of its store.
    let services = try await account(at: place).map { try container(of: $0) }
    let from = StorePlace(upgraded?.path ?? source)
    try await Self.use(from.open(forCopyTo: StorePlace(target), becomesAccount: true)) { store in
      if let node = try await (services?.nodes() ?? store.shared?.nodes)?.nodes().first {
        throw UserMessage(
          code: .cannotCreate,
          text:
            "newsd run (\(node.name)) polls the store; stop it first, because the account begins with a copy"
        )
      }
      guard case .server = StorePlace(target) else {
        return try await store.ports.backup(to: target) { _ in }
      }
      try await Self.use(StorePlace(target).open(asCopyOf: place)) { new in
        _ = try await StoreCopy().copy(from: store.ports, to: new.ports)
      }
    }
    await services?.close()
    try await Self.use(StorePlace(target).open(mustExist: true)) { copy in
      // A copy by way of lines has skipped the numbers.
      if case .file = StorePlace(target) { _ = try await copy.ports.noteRestore() }
      try await Self.removeForeignCredentials(copy.ports)
      guard services != nil else { return }
      for stored in try await copy.ports.appPasswords() {
        _ = try await copy.ports.removeAppPassword(named: stored.app.name)
      }
    }
  }

  /// Keeps of the credentials of a store from elsewhere what the account may have. Its owner may have written the others:
  /// a link to another person, a quota, or a hash that takes minutes to compare. The account gets the quota of new ones.
  static func removeForeignCredentials(_ store: any StorePorts) async throws {
    try await store.removeForeignCredentials()
    if let hash = try await store.loginPasswordHash(), !YescryptHasher().isAffordable(hash) {
      try await store.setLoginPasswordHash(nil)
    }
    try await store.change(StoreQuota.ofNewAccounts)
  }

  /// Returns what the store of an account keeps when it is restored from a file: its link and its quota. A store that is missing or
  /// damaged has neither. Throws if the store is only busy or the disk full, or its link cannot be read.
  static func restored(_ store: any StorePorts, issuer: String?) async throws -> RestoredAccount {
    var account = RestoredAccount { YescryptHasher().isAffordable($0) }
    do {
      account.quota = try await store.quota()
    } catch {
      if error.code == .busy || error.code == .full { throw error }
    }
    if let issuer, account.quota != nil { account.links[issuer] = try await store.signOnLink(to: issuer) }
    return account
  }

  /// Makes an account with an empty store, to which the identity is linked. Throws if there is such an account.
  func add(_ name: String, linkedTo identity: ProviderIdentity) async throws {
    try await keeper.add(name) { target in
      try await Self.use(StorePlace(target).open(mustExist: false)) { store in
        _ = try await store.ports.serverSecret()
        try await Self.requireEmpty(store)
        // Another node may be making the account for another person.
        let link = SignOnLink(account: name, subject: identity.subject)
        guard try await store.ports.keep(link, to: identity.issuer) == link else {
          throw UserMessage(code: .cannotCreate, text: "another person's account of that name is being made")
        }
        try await store.ports.change(StoreQuota.ofNewAccounts)
      }
    }
  }

  /// True if the identity is linked to an account that is disabled. Throws if the store of such an account cannot be read.
  func hasDisabledAccount(linkedTo identity: ProviderIdentity) async throws -> Bool {
    for account in try await accounts() where account.state == .disabled {
      let isLinked = try await Self.use(StorePlace(account.store).open(mustExist: true)) { store in
        let link = SignOnLink(account: account.name, subject: identity.subject)
        return try await store.ports.signOnLink(to: identity.issuer) == link
      }
      if isLinked { return true }
    }
    return false
  }

  /// Throws if an interrupted copy of another store has begun there.
  private static func requireEmpty(_ store: OpenedStore) async throws {
    guard try await store.ports.feeds().isEmpty else {
      throw UserMessage(
        code: .cannotCreate,
        text:
          "the account was begun with a copy of a store; finish that with 'newsd accounts add NAME --from STORE'"
      )
    }
  }

  /// The account whose store it is; nil: none.
  private func account(at place: StorePlace) async throws -> Account? {
    let accounts = try await accounts()
    switch place {
    case .file(let path):
      guard let resolved = FileTrust.resolved(path) else { return nil }
      return accounts.first { FileTrust.resolved($0.store) == resolved }
    case .server(let address):
      let schema = try StoreURI(address).schema
      guard let own = accounts.first(where: { (try? StoreURI($0.store))?.schema == schema }) else {
        return nil
      }
      // The same server can have several addresses, and another server a schema of that name.
      return try await Self.secret(address) == Self.secret(own.store) ? own : nil
    }
  }

  private static func secret(_ store: String) async throws -> [UInt8] {
    let opened = try StorePlace(store).open(mustExist: true)
    do {
      let secret = try await opened.ports.serverSecret()
      await opened.close()
      return secret
    } catch {
      await opened.close()
      throw error
    }
  }

  /// Calls `body` with a store, and closes it.
  private static func use<Result>(
    _ store: OpenedStore,
    _ body: (OpenedStore) async throws -> Result
  ) async throws -> Result {
    do {
      let result = try await body(store)
      await store.close()
      return result
    } catch {
      await store.close()
      throw error
    }
  }
}
