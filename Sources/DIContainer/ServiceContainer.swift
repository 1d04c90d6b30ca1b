import Glibc
import Modules
public import NewsCore
import NewsFiles
import NewsFormats
import NewsNetwork
import NewsPostgres
import NewsPrograms
import NewsSQLite
import NewsSyndication
import NewsToolbox

/// Makes the services. The store and the network are opened once, on first use: a one-shot query opens only
/// the store.
public final class ServiceContainer: Sendable {
  /// All ports that the store implements.
  public typealias Store = FeedReading & FeedEditing & RefreshStoring & ItemReading & ItemMarking
    & SearchHistoryKeeping & ChangeReading & FeedChangeReading & RuleKeeping & SavedSearchKeeping
    & ItemVersionReading & StoryReading
    & FeedIdentityKeeping & ItemPruning & StoreChecking & StoreBackingUp & StoreRestoring & StoreCompacting
    & StoreWatching
    & StoreCopying & ItemImporting & ArticleKeeping & HookKeeping & FolderSettingsKeeping
    & HubSubscriptionKeeping & PollPlanKeeping & CredentialKeeping & StreamReading & StreamEditing

  /// Replacements for services: for tests, and for the daemon, which keeps its store and clock on a reload.
  public struct Overrides: Sendable {
    public var store: (any Store)?
    public var fetcher: (any Fetching)?
    public var clock: (any WallClock)?
    public init() {}
  }

  public let settings: Settings
  public let clock: any WallClock
  /// The version of the program.
  let version: String
  private let lazyStore: Lazy<Result<any Store, StoreError>>
  private let lazyNetwork: Lazy<CurlFetcher>
  private let fetcherOverride: (any Fetching)?
  private let lockFile: LockFile?
  /// The path from which the processes of this machine derive the names of their lock files.
  let lockPath: String
  private let credentialVariables: CredentialVariables
  /// The environment's PATH.
  private let searchPath: String
  /// The cooldowns of hosts, shared by refreshes and the network adapter.
  private let cooldowns = HostCooldowns()

  /// `program` is newsd's name and version, for the User-Agent field.
  public init(
    settings: Settings,
    environment: [String: String],
    program: String,
    overrides: Overrides = Overrides()
  ) {
    self.settings = settings
    version = program.cut(atFirst: "/").map { String($0.after) } ?? program
    let clock = overrides.clock ?? NodeClock { SystemClock.milliseconds() }
    self.clock = clock
    searchPath = environment["PATH"] ?? "/usr/bin:/bin"
    lazyStore = Lazy { [version] in
      if let store = overrides.store { return .success(store) }
      return Self.makeStore(settings, version: version, clock: clock as? NodeClock)
    }
    credentialVariables = CredentialVariables { [lazyStore] in try? lazyStore.existing?.get() }
    let locks = LockFile(store: settings.lockPath(environment))
    lockPath = settings.lockPath(environment)
    lazyNetwork = Lazy { [cooldowns, lazyStore] in
      var configuration = settings.networkConfiguration(environment, program)
      configuration.cooldowns = cooldowns
      configuration.clock = clock
      configuration.sites = Self.shared(lazyStore)?.sites ?? SiteSlots(file: locks)
      return CurlFetcher(configuration: configuration)
    }
    fetcherOverride = overrides.fetcher
    lockFile = overrides.fetcher == nil ? locks : nil
  }

  /// The store at the configured path, opened on first use.
  public func store() throws(StoreError) -> any Store { try lazyStore.value.get() }

  /// Fetches from the network, and runs the programs of `exec:` subscriptions.
  public var fetcher: any Fetching {
    fetcherOverride
      ?? ProgramFetcher(programs: programs, clock: clock, other: lazyNetwork.value, storeOwner: otherOwner)
  }

  /// The owner of the store's file, if newsd runs as root and the file belongs to another user.
  private var otherOwner: UInt32? {
    var status = stat()
    guard geteuid() == 0, stat(settings.store, &status) == 0, status.st_uid != 0 else { return nil }
    return status.st_uid
  }
  public var programs: any ProgramRunning {
    ProgramRunner { [credentialVariables] in await credentialVariables.names() }
  }
  public var parser: any FeedParsing { ProgramOutputParser(FeedParser(), decoder: ItemLines()) }
  public var articles: any ArticleExtracting { ArticleExtractor() }
  public var discoverer: any FeedDiscovering { FeedDiscovery() }
  public var listCoder: any SubscriptionListCoding { SubscriptionLists() }
  public var richText: any RichTextRendering { HTMLRichText() }

  /// Stops the network thread if it was started; cancels transfers in flight.
  public func shutdown() async {
    await lazyNetwork.existing?.shutdown()
  }

  /// Closes the store. If no other process uses it, the WAL is merged into the store's file.
  public func closeStore() async {
    guard case .success(let store) = lazyStore.existing else { return }
    await (store as? NewsStore)?.close()
    await (store as? PostgresStore)?.close()
  }

  private static func makeStore(
    _ settings: Settings,
    version: String,
    clock: NodeClock?
  ) -> Result<any Store, StoreError> {
    do {
      if StoreURI.isStoreURI(settings.store) {
        return .success(
          try makePostgresStore(
            settings.store,
            mustExist: settings.storeMustExist,
            node: settings.nodeName ?? Self.machineName,
            version: version,
            clock: clock
          )
        )
      }
    } catch {
      return .failure(error)
    }
    if settings.storeMustExist {
      let hint = "Create one with 'newsd feeds add URL', or name another with --db"
      var status = stat()
      guard stat(settings.store, &status) == 0 else {
        return .failure(StoreError(code: .missing, message: "there is no store \(settings.store). \(hint)"))
      }
      // Reject an empty file: creating a store in it would hide the loss of the file's content.
      guard status.st_size > 0 else {
        let message = "\(settings.store) is an empty file, not a store. \(hint)"
        return .failure(StoreError(code: .missing, message: message))
      }
    }
    let report: @Sendable (String) -> Void = { line in
      let bytes = Array("newsd: \(line)\n".utf8)
      _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
    if let note = settings.storeNote { report(note) }
    do {
      return .success(try NewsStore(path: settings.store, notice: report))
    } catch {
      return .failure(error)
    }
  }
}

// MARK: - Other stores

extension ServiceContainer {
  /// A store that a command names in addition to the one it works on.
  struct OtherStore {
    var store: any Store
    var close: @Sendable () async -> Void
  }

  /// Opens a store by its path or address.
  func otherStore(_ address: String, mustExist: Bool) throws(StoreError) -> OtherStore {
    guard !StoreURI.isStoreURI(address) else {
      let store = try Self.makePostgresStore(address, mustExist: mustExist)
      return OtherStore(store: store) { await store.close() }
    }
    var status = stat()
    guard !mustExist || stat(address, &status) == 0 else {
      throw StoreError(code: .missing, message: "there is no store \(address)")
    }
    let store = try NewsStore(path: address)
    return OtherStore(store: store) { await store.close() }
  }

  private static func makePostgresStore(
    _ address: String,
    mustExist: Bool,
    node: String = "newsd",
    version: String = "",
    clock: NodeClock? = nil
  ) throws(StoreError) -> PostgresStore {
    PostgresStore(try StoreURI(address), mustExist: mustExist, node: node, version: version, clock: clock) {
      (source, path) throws(StoreError) in
      try await writeBackup(of: source, to: path)
    }
  }

  /// Writes the content of a store to a new file.
  private static func writeBackup(of source: any StoreCopying, to path: String) async throws(StoreError) {
    guard access(path, F_OK) != 0 else {
      throw StoreError(code: .unreadable, message: "\(path) exists already; name a new file for the backup")
    }
    do {
      let file = try NewsStore(path: path)
      _ = try await StoreCopy().copy(from: source, to: file)
      await file.close()
    } catch let error as StoreError {
      unlink(path)
      throw error
    } catch {
      unlink(path)
      throw StoreError(code: .unreadable, message: "cannot write \(path): \(error)")
    }
  }
}

// MARK: - Use cases

extension ServiceContainer {
  /// Makes the use case that refreshes feeds and stores their items. `fetcher` is the source of documents;
  /// nil: the network.
  public func makeRefresher(fetcher: (any Fetching)? = nil) throws(StoreError) -> Refresher {
    let store = try storeForFetching()
    return Refresher(
      fetcher: fetcher ?? self.fetcher,
      parser: parser,
      store: store,
      editor: store,
      clock: clock,
      policy: PollPolicy(settings.pollConfiguration),
      options: refreshOptions,
      cooldowns: cooldowns
    )
  }

  /// Makes the use case that subscribes to a feed, or to the feed that a web page links to.
  public func makeFeedAdder() throws(StoreError) -> FeedAdder {
    let store = try storeForFetching()
    return FeedAdder(
      fetcher: fetcher,
      parser: parser,
      discoverer: discoverer,
      subscriptions: store,
      store: store,
      clock: clock,
      policy: PollPolicy(settings.pollConfiguration),
      options: refreshOptions
    )
  }

  /// Makes the use case that fetches the page of one item.
  public func makeArticleFetch() -> ArticleFetch {
    let options = refreshOptions
    return ArticleFetch(
      fetcher: fetcher,
      extractor: articles,
      clock: clock,
      reach: options.reach,
      limits: options.limits
    )
  }

  /// Makes the use case that fetches the pages in the queue.
  public func makeArticleQueue() throws(StoreError) -> ArticleQueue {
    ArticleQueue(
      fetch: makeArticleFetch(),
      store: try storeForFetching(),
      clock: clock,
      site: refreshOptions.site
    )
  }

  /// Makes the use case that delivers the outboxes of hooks.
  public func makeHookRunner() throws(StoreError) -> HookRunner {
    let store = try store()
    let sender = HookSender(
      poster: fetcherOverride == nil ? lazyNetwork.value : nil,
      programs: programs,
      secrets: settings.credentials,
      mailer: MailProgram.path(searching: searchPath),
      reachesAnywhere: settings.network.allowsPrivate,
      clock: clock
    )
    return HookRunner(
      store: store,
      items: store,
      sender: sender,
      renderer: HookBodyWriter(zone: .local, clock: clock, richText: richText),
      clock: clock,
      offset: { Zone.local.offset(at: $0) }
    )
  }

  /// Registers the configured hooks in the store, so that they fire for items that this process stores.
  /// `hooks` are the daemon's, which replace all others in the store. Nil: the container's hooks are added to
  /// them.
  public func registerHooks(_ hooks: [Hook]? = nil) async throws(StoreError) {
    guard hooks != nil || !settings.hooks.isEmpty else { return }
    try await store().register(hooks ?? settings.hooks, isComplete: hooks != nil)
  }

  /// Makes the use case that stores items written by a script.
  public func makeItemIngestion() throws(StoreError) -> ItemIngestion {
    ItemIngestion(decoder: ItemLines(), parser: parser, store: try store(), clock: clock)
  }

  /// Makes the use case that reads and writes lists of subscriptions.
  public func makeSubscriptionTransfer() throws(StoreError) -> SubscriptionTransfer {
    let store = try store()
    return SubscriptionTransfer(
      coder: listCoder,
      subscriptions: store,
      searches: store,
      rules: store,
      clock: clock,
      check: settingsCheck
    )
  }

  /// Validates the settings in imported lists and exports.
  var settingsCheck: SettingsCheck {
    SettingsCheck(
      isProxy: { NetworkSetting.isProxy($0) },
      isEncoding: { EncodingSetting.isEncoding($0) },
      selectorProblem: { SelectorWords.problem(in: $0) },
      limits: settings.limits,
      minimumInterval: settings.pollConfiguration.minimumInterval
    )
  }

  /// Makes the use case that lists, adopts and reverts permanent redirects.
  public func makeMoveEditor() throws(StoreError) -> MoveEditor {
    let store = try store()
    return MoveEditor(subscriptions: store, store: store, clock: clock)
  }

  /// Makes the service that asks hubs to push feeds to this machine. `report` receives one line when pushes
  /// stop arriving, when they resume, and when the listener is full. Returns nil if a test replaces the
  /// network.
  public func makeWebSub(
    callback: String,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreError) -> (any WebSubSubscribing)? {
    guard fetcherOverride == nil else { return nil }
    let fetcher = lazyNetwork.value
    var configuration = WebSubConfiguration(callback: callback)
    if let address = settings.webSub.listen ?? CallbackAddress.listening(for: callback) {
      configuration.listen = address
    }
    configuration.bodyBytes = settings.limits.bodyBytes
    configuration.reachesAnywhere = settings.network.allowsPrivate
    configuration.report = report
    let keeper = try store()
    if let shared = Self.shared(lazyStore) {
      configuration.sharing = HubSharing(
        maySendRequests: { await shared.node.holds(.hubs) },
        waiter: shared.changeWaiter(for: [.hubs, .feedList], every: .seconds(5))
      )
    }
    return WebSubSubscriber(
      configuration: configuration,
      fetcher: fetcher,
      clock: clock,
      keeper: keeper
    )
  }

  /// Makes the use case that refreshes the store from recorded exchanges.
  public func makeReplay(_ replayer: FetchReplayer) throws(StoreError) -> Replay {
    let store = try store()
    return Replay(
      replayer: replayer,
      parser: parser,
      subscriptions: store,
      store: store,
      policy: PollPolicy(settings.pollConfiguration),
      options: refreshOptions
    )
  }

  /// Imports exports and the files of other programs. Opens the store only when the file was recognized.
  func makeItemImport() -> ItemImport {
    ItemImport(
      store: { [self] () throws(StoreError) -> any ItemImport.Store in try store() },
      foreign: ForeignItems(),
      untrusted: .untrusted(ItemCleaner(), settingsCheck),
      clock: clock
    )
  }

  /// Returns the store if it is open and on a PostgreSQL server, where several machines can share it; otherwise nil.
  private static func shared(_ store: Lazy<Result<any Store, StoreError>>) -> PostgresStore? {
    guard case .success(let store)? = store.existing else { return nil }
    return store as? PostgresStore
  }

  /// Registers this process as a node of a store that several processes can share. `report` receives the
  /// difference in seconds when this machine's clock differs from the server's by more than five seconds;
  /// positive if this machine's clock is behind. `reportFailure` receives the error when the server cannot be
  /// asked or the lease is lost, and nil when that is over.
  public func joinNodes(
    reportingClock report: @escaping @Sendable (Int64) -> Void,
    reportingFailures reportFailure: @escaping @Sendable (StoreError?) -> Void
  ) async throws(StoreError) {
    (clock as? NodeClock)?.reportDifferences(to: report)
    guard let node = Self.shared(lazyStore)?.node else { return }
    node.reportFailures(to: reportFailure)
    try await node.join()
  }

  /// The name of this process in the list of nodes; nil if the store is not shared.
  public var sharedNodeName: String? {
    Self.shared(lazyStore).map { _ in settings.nodeName ?? Self.machineName }
  }

  /// The number that all nodes give to the next outage of the store; nil if it is not shared or the number is unknown.
  public var nextOutage: Int64? { Self.shared(lazyStore)?.node.outage }

  /// Ends an outage of the store, so that the next one has another number.
  public func endOutage(_ number: Int64) async { await Self.shared(lazyStore)?.node.endOutage(number) }

  /// Returns true if this process must do this work: it is the only one on its store, or has claimed the work.
  public func holds(_ duty: NodeDuty) async -> Bool {
    guard let node = Self.shared(lazyStore)?.node else { return true }
    return await node.holds(duty)
  }

  /// Returns a waiter for changes of the list of feeds; nil if the store does not announce changes.
  public func feedListWaiter() -> (any ChangeAwaiting)? {
    Self.shared(lazyStore)?.changeWaiter(for: .feedList, every: .seconds(10))
  }

  private static var machineName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, 255) == 0 else { return "newsd" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Takes the lock that prevents a second daemon on the store.
  public func takeInstanceLock() throws(InstanceLockError) -> any InstanceHolding {
    // Several processes of one machine may poll a store on a server, so there are 64 locks, one for each process.
    let others = StoreURI.isStoreURI(settings.store) ? (2...64).map { "\(lockPath)-\($0)" } : []
    for path in [lockPath] + others {
      do {
        return try InstanceLock(store: path, started: clock.now())
      } catch {
        guard case .held = error, path != others.last, !others.isEmpty else { throw error }
      }
    }
    throw InstanceLockError.held(by: DaemonPresence(pid: nil, started: nil))
  }

  /// Measures the store and its disk, and finds the running daemon.
  var storeMeasure: any StoreFileMeasuring {
    let files = StoreFileMeasure(path: lockPath)
    guard StoreURI.isStoreURI(settings.store) else { return files }
    return PostgresMeasure(files: files) { [lazyStore] in Self.shared(lazyStore) }
  }

  /// Waits until the network thread responds; returns at once if it was never started.
  public func awaitNetwork() async { await lazyNetwork.existing?.ping() }

  /// Returns the store after checking that its lock file is safe to use.
  private func storeForFetching() throws(StoreError) -> any Store {
    let store = try store()
    guard Self.shared(lazyStore) == nil else { return store }
    do {
      try lockFile?.open()
    } catch {
      throw StoreError(code: .unreadable, message: error.message)
    }
    return store
  }

  private var refreshOptions: RefreshOptions {
    var options = RefreshOptions(
      reach: settings.network.allowsPrivate ? .anywhere : .publicOnly,
      limits: settings.limits,
      maximumTransfers: settings.network.concurrency,
      transfersPerSite: settings.network.perSite,
      site: { SiteKey.of($0) },
      hub: { HubLinks.offer($0, $1, namesTopic: $2) },
      heldBytes: settings.network.bodyBudget,
      parsers: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    )
    options.openTransfers = TransferLimits(concurrency: settings.network.concurrency).open
    options.claims =
      fetcherOverride == nil ? Self.shared(lazyStore)?.node ?? lockFile.map { FeedLocks(file: $0) } : nil
    return options
  }
}
