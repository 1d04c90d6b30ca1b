import Glibc
public import Modules
public import NewsCore
import NewsFiles
import NewsNetwork
import NewsSQLite
import NewsWeb
package import NewsToolbox

/// The accounts of a configuration, and the container of each.
public struct AccountSet: Sendable {
  let folder: AccountFolder
  let settings: Settings
  let environment: [String: String]
  /// newsd's name and version.
  let program: String

  /// Returns nil if the configuration has no accounts.
  public init?(settings: Settings, environment: [String: String], program: String) {
    guard let directory = settings.accounts.directory else { return nil }
    folder = AccountFolder(path: directory)
    self.settings = settings
    self.environment = environment
    self.program = program
  }

  /// Returns all accounts, sorted by name.
  public func accounts() throws(FileError) -> [Account] { try folder.accounts() }

  /// The same for the process that has taken the lock. Throws if the folder does not exist, or has neither accounts nor the
  /// lock: their disk may not be mounted.
  package func presentAccounts() throws(FileError) -> [Account] {
    let accounts = try folder.presentAccounts()
    guard !accounts.isEmpty || access(path + "/newsd.lock", F_OK) == 0 else {
      throw FileError(code: .cannotRead, message: "\(path) is empty; mount the disk with the accounts")
    }
    return accounts
  }

  /// Raises the limit on open files. Returns the number of accounts whose stores it allows to be open at a time.
  package func raiseLimit() -> Int {
    DescriptorLimit.raise()
    return TransferLimits.accounts()
  }

  /// Says why newsd cannot open an account beyond that number, if so many shall be open.
  package func limitNotice(_ count: Int) -> String {
    "not opened: \(DescriptorLimit.attainable) open files (ulimit -n) are enough for "
      + "\(Plural.of(TransferLimits.accounts(), "account")), and \(count) need \(TransferLimits.limit(forAccounts: count))"
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

  /// The path of the folder.
  public var path: String { folder.path }

  /// Changes when a file in the folder is made, removed or renamed.
  package var folderStamp: FileStamp { FileStamp([path]) }

  /// The same accounts with other settings.
  public func with(_ settings: Settings) -> AccountSet {
    AccountSet(folder: folder, settings: settings, environment: environment, program: program)
  }

  private init(folder: AccountFolder, settings: Settings, environment: [String: String], program: String) {
    self.folder = folder
    self.settings = settings
    self.environment = environment
    self.program = program
  }

  /// Makes the network client that the accounts of a process share. `former` is the one before a reload.
  public func makeNetwork(_ clock: any WallClock, former: SharedNetwork? = nil) -> SharedNetwork {
    SharedNetwork(settings, environment, program, clock, polls: former?.polls ?? SharedPolls()) { [path] in
      SiteSlots(file: LockFile(store: path + "/newsd"))
    }
  }

  /// Takes the lock that keeps a second daemon from the accounts.
  public func takeLock() throws(InstanceLockError) -> any InstanceHolding {
    FileFolders.create(path)
    return try InstanceLock(
      store: path + "/newsd",
      started: Timestamp(seconds: Timestamp.milliseconds() / 1000)
    )
  }

  /// Makes the container of an account. Throws if its store must not be opened. With `former`, keeps the store and the
  /// clock of that container.
  public func container(
    of account: Account,
    network: SharedNetwork? = nil,
    former: ServiceContainer? = nil
  ) throws(UserMessage) -> ServiceContainer {
    if case .unusable(let reason) = account.state { throw UserMessage(code: .io, text: reason) }
    var overrides = ServiceContainer.Overrides()
    overrides.network = network
    overrides.former = former
    return ServiceContainer(
      settings: settings(of: account),
      environment: environment,
      program: program,
      overrides: overrides
    )
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

  /// Makes the store of a new account at `path`: an empty one, or a copy of another store. The copy of another account has
  /// no app passwords: programs that send no name would reach either account.
  func fill(_ path: String, from source: String?) async throws {
    guard let source else {
      let store = try NewsStore(path: path)
      // The first transaction creates the file.
      let secrets: any CredentialKeeping = store
      _ = try await secrets.serverSecret()
      return await store.close()
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
    let opened = try StorePlace(upgraded?.path ?? source).open(mustExist: true)
    do {
      try await opened.ports.backup(to: path) { _ in }
    } catch {
      await opened.close()
      throw error
    }
    await opened.close()
    guard case .file(let file) = place, let resolved = FileTrust.resolved(file),
      try accounts().contains(where: { FileTrust.resolved($0.store) == resolved })
    else { return }
    let copy = try NewsStore(path: path)
    let keeper: any CredentialKeeping = copy
    do {
      for stored in try await keeper.appPasswords() {
        _ = try await keeper.removeAppPassword(named: stored.app.name)
      }
    } catch {
      await copy.close()
      throw error
    }
    await copy.close()
  }
}
