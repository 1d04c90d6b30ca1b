import Glibc
package import Modules
public import NewsCore
import NewsFiles
import NewsFormats
import NewsNetwork
import NewsPostgres
import NewsPrograms
import NewsSyndication
package import NewsToolbox

/// Makes the services. The store and the network are opened once, on first use: a one-shot query opens only
/// the store.
public final class ServiceContainer: Sendable {
  /// Replacements for services.
  public struct Overrides: Sendable {
    /// The daemon's container before a reload, whose store and clock stay.
    public var former: ServiceContainer?
    /// The network client that the accounts of a process share.
    public var network: SharedNetwork?
    /// True if the process uses the stores of other accounts at the same time.
    var isOneOfMany = false
    /// What the stores of accounts on a server share.
    var server: AccountServer?
    public var fetcher: (any Fetching)?
    public var clock: (any WallClock)?
    public init() {}
  }

  public let settings: Settings
  public let clock: any WallClock
  /// The version of the program.
  let version: String
  /// The clock, unless a test replaces it.
  private let nodeClock: NodeClock?
  private let lazyStore: Lazy<Result<OpenedStore, StoreError>>
  private let lazyNetwork: Lazy<CurlFetcher>
  /// The polls that the account shares with others, which use the network, too. Nil: the network is this container's own.
  private let sharedPolls: SharedPolls?
  private let sharedIcons: SharedIcons?
  /// Claims the requests of an account together with those of others; nil: the claims of the store suffice.
  private let accountClaims: AccountClaims?
  private let fetcherOverride: (any Fetching)?
  private let lockFile: LockFile?
  /// The path from which the processes of this machine derive the names of their lock files.
  let lockPath: String
  private let credentialVariables: CredentialVariables
  /// The environment's PATH.
  private let searchPath: String
  /// The cooldowns of hosts: those of the network adapter, and, for an account among several, those in its store.
  private let cooldowns: HostCooldowns
  /// The hooks of the configuration and of the page.
  public let hooks: HookRegistry
  /// Those of all requests and tasks that extract articles.
  private let articleTurns: TaskTurns
  /// The memory for feeds and hooks.
  private let memory: SharedMemory

  /// `program` is newsd's name and version, for the User-Agent field.
  public init(
    settings: Settings,
    environment: [String: String],
    program: String,
    overrides: Overrides = Overrides()
  ) {
    self.settings = settings
    version = Self.version(of: program)
    hooks = overrides.former?.hooks ?? HookRegistry(settings.hookSource)
    articleTurns = overrides.former?.articleTurns ?? makeArticleTurns()
    let own = overrides.former?.nodeClock ?? NodeClock { Timestamp.milliseconds() }
    let nodeClock = overrides.clock == nil ? own : nil
    self.nodeClock = nodeClock
    let clock: any WallClock = overrides.clock ?? own
    self.clock = clock
    searchPath = environment["PATH"] ?? "/usr/bin:/bin"
    let lazyStore =
      overrides.former?.lazyStore
      ?? Lazy { [version, server = overrides.server, isOneOfMany = overrides.isOneOfMany] in
        Result { () throws(StoreError) in
          try StorePlace(settings.store).open(
            settings,
            version: version,
            clock: nodeClock,
            server: server,
            isOneOfMany: isOneOfMany
          )
        }
      }
    self.lazyStore = lazyStore
    credentialVariables = CredentialVariables { try? lazyStore.existing?.get().ports }
    let locks = LockFile(store: settings.lockPath(environment))
    lockPath = settings.lockPath(environment)
    let network =
      overrides.network
      ?? SharedNetwork(settings, environment, program, clock) {
        if let path = settings.accountsLockPath(environment) { return SiteSlots(file: LockFile(store: path)) }
        return Self.shared(lazyStore)?.sites ?? SiteSlots(file: locks)
      }
    // What the store of one account says of a host must not keep the others from it.
    cooldowns =
      overrides.network == nil ? network.cooldowns : HostCooldowns(beside: network.cooldowns)
    lazyNetwork = network.client
    memory = overrides.former?.memory ?? network.memory
    sharedPolls = overrides.network?.polls
    sharedIcons = overrides.network?.icons
    accountClaims = overrides.former?.accountClaims ?? Self.claims(settings, overrides.network, lazyStore)
    fetcherOverride = overrides.fetcher
    lockFile = overrides.fetcher == nil ? locks : nil
  }

  /// The version in newsd's name and version.
  static func version(of program: String) -> String {
    program.cut(atFirst: "/").map { String($0.after) } ?? program
  }

  /// The claims of an account whose requests several nodes share; nil for all others.
  private static func claims(
    _ settings: Settings,
    _ network: SharedNetwork?,
    _ store: Lazy<Result<OpenedStore, StoreError>>
  ) -> AccountClaims? {
    guard let account = settings.account, let requests = network?.requests else { return nil }
    return AccountClaims(account: account, requests: requests) {
      shared(store)?.claims
    } feed: { (id) async throws(StoreError) in
      try await store.value.get().ports.feed(id)
    }
  }

  /// The store at the configured path, opened on first use.
  public func store() throws(StoreError) -> any StorePorts { try lazyStore.value.get().ports }

  /// The upgrade of the store.
  public func upgrades() throws(StoreError) -> any StoreUpgrading { try lazyStore.value.get().upgrading }

  /// The media store beside the store, opened on first use.
  func media() throws(StoreError) -> any MediaKeeping { try lazyStore.value.get().media }

  /// Fetches from the network, and runs the programs of `exec:` subscriptions.
  public var fetcher: any Fetching {
    let fetcher = fetcherOverride ?? ownFetcher
    guard let account = settings.account else { return fetcher }
    let shared = sharedPolls?.fetcher(of: account, fetcher) ?? fetcher
    return AccountFetcher(account: account, rights: settings.accountRights, other: shared) {
      [accountClaims] id in
      accountClaims.map { $0.request(of: id) } ?? id
    }
  }

  private var ownFetcher: any Fetching {
    ProgramFetcher(programs: programs, clock: clock, other: lazyNetwork.value) {
      [place = StorePlace(settings.store)] in
      guard case .file(let path) = place else { return nil }
      return FileTrust.finding(ofDatabase: path)?.reason
    }
  }

  /// Sends requests other than for the documents of feeds.
  private var poster: any BodyPosting {
    guard let account = settings.account, let sharedPolls else { return lazyNetwork.value }
    return sharedPolls.poster(of: account, lazyNetwork.value)
  }

  /// The names of the environment variables that hold credentials of feeds.
  func credentialNames() async -> Set<String> { await credentialVariables.names() }

  public var programs: any ProgramRunning {
    ProgramRunner { [credentialVariables] in await credentialVariables.names() }
  }
  public var parser: any FeedParsing { ProgramOutputParser(FeedParser(), decoder: ItemLines()) }
  public var articles: any ArticleExtracting { ArticleExtractor() }
  public var discoverer: any FeedDiscovering { FeedDiscovery() }
  public var listCoder: any SubscriptionListCoding { SubscriptionLists() }
  public var richText: any RichTextRendering { HTMLRichText() }

  /// Stops the network thread if it was started and is not shared; cancels transfers in flight.
  public func shutdown() async {
    if sharedPolls == nil { await lazyNetwork.existing?.shutdown() }
  }

  /// Stops the network and closes the store. If no other process uses it, the WAL is merged into the store's file.
  public func close() async {
    await shutdown()
    await (try? lazyStore.existing?.get())?.close()
  }
}

// MARK: - Use cases

extension ServiceContainer {
  /// Makes the use case that refreshes feeds and stores their items. `fetcher` is the source of documents;
  /// nil: the network.
  public func makeRefresher(fetcher: (any Fetching)? = nil) throws(StoreError) -> Refresher {
    let store = try storeForFetching()
    var options = refreshOptions
    options.seat = settings.account.flatMap { sharedPolls?.seat(of: $0) }
    // One person who refreshes again and again must not keep a site busy for all accounts.
    if sharedPolls != nil { options.pause = 60 }
    return Refresher(
      fetcher: fetcher ?? self.fetcher,
      parser: parser,
      store: store,
      editor: store,
      clock: clock,
      policy: PollPolicy(settings.pollConfiguration),
      options: options,
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
      turns: articleTurns,
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

  /// Makes the use case that looks up the icons of feeds. Returns nil without a web server to show them, or without room for them.
  public func makeIconLookup() throws(StoreError) -> IconLookup? {
    guard settings.web.listen != nil, settings.web.mediaSize > 0 else { return nil }
    let options = refreshOptions
    return IconLookup(
      fetcher: fetcher,
      finder: IconDiscovery(),
      store: try storeForFetching(),
      media: try media(),
      clock: clock,
      reach: options.reach,
      reachesTyped: settings.account == nil || settings.accountRights.contains(.local),
      limits: options.limits,
      mediaBytes: Int64(settings.web.mediaSize),
      shared: sharedIcons
    )
  }

  /// Makes the use case that fetches pictures, recordings and chapters for the page.
  func makeMediaRelay() throws(StoreError) -> MediaRelay {
    let options = refreshOptions
    return MediaRelay(
      fetcher: fetcher,
      store: try store(),
      kept: settings.web.media == .cache ? try media() : nil,
      reach: options.reach,
      limits: options.limits
    )
  }

  /// Makes the use case that keeps the pictures of starred and labelled items. Returns nil unless `web.media` asks for it.
  public func makePictureCache() throws(StoreError) -> PictureCache? {
    guard settings.web.media == .cache, settings.web.mediaSize > 0 else { return nil }
    return PictureCache(
      relay: try makeMediaRelay(),
      news: try store(),
      media: try media(),
      limit: Int64(settings.web.mediaSize)
    )
  }

  /// The kept pictures, for documents that contain their pictures.
  func keptPictures() async throws(StoreError) -> [KeptPicture] {
    guard settings.web.media == .cache else { return [] }
    let media = try media()
    var pictures: [KeptPicture] = []
    for (feed, urls) in try await media.keptSizes() {
      for url in urls.keys {
        if let picture = try await media.keptPicture(url, of: feed) { pictures.append(picture) }
      }
    }
    return pictures
  }

  /// Makes the icons that clients see.
  func makeFeedIcons() throws(StoreError) -> FeedIcons {
    FeedIcons(media: try media(), secrets: try store())
  }

  /// Makes the use case that delivers the outboxes of hooks, with the secrets of the hooks that were read last.
  public func makeHookRunner() throws(StoreError) -> HookRunner {
    let store = try store()
    let sender = HookSender(
      poster: fetcherOverride == nil ? poster : nil,
      programs: programs,
      secrets: hooks.current.secrets,
      mailer: MailProgram.path(searching: searchPath),
      reachesAnywhere: settings.network.allowsPrivate,
      clock: clock
    )
    return HookRunner(
      store: store,
      items: store,
      sender: sender,
      renderer: HookBodyWriter(zone: .local, clock: clock, richText: richText),
      memory: memory.hooks,
      account: settings.account ?? "",
      clock: clock,
      offset: { Zone.local.offset(at: $0) }
    )
  }

  /// Makes the module of hooks.
  func makeHooks(_ filters: FilterResolver, _ times: TimeDisplay) throws(StoreError) -> HooksInteractor {
    HooksInteractor(
      registry: hooks,
      store: try store(),
      makeRunner: { [self] () throws(StoreError) in try makeHookRunner() },
      filters: filters,
      clock: clock,
      times: times,
      refusal: { [self] in refusal(ofHookURL: $0) }
    )
  }

  /// Adds the configured hooks to those in the store, so that they fire for items that this process stores.
  public func registerHooks() async throws(StoreError) {
    guard !settings.hooks.isEmpty else { return }
    try await store().register(settings.hooks, isComplete: false)
  }

  /// Replaces all hooks in the store by those of this configuration and of the page.
  public func replaceHooks() async throws(StoreError) {
    hooks.follow(settings.hookSource)
    try await hooks.update(store(), always: true)
  }

  /// Returns why the page must not send anything to a URL, as far as its host tells; nil: it may.
  func refusal(ofHookURL url: String) -> String? {
    guard !settings.network.allowsPrivate, !settings.hookSource.mayReachLocal else { return nil }
    return AllowedDestination.refusal(
      of: url,
      allowed: settings.network.allowedAddresses.compactMap { AllowedDestination($0) }
    )
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

  /// Makes the use case that changes the settings of feeds and folders.
  func makeSettingsEditor() throws(StoreError) -> FeedSettingsEditor {
    FeedSettingsEditor(feeds: try store(), moves: try makeMoveEditor(), general: settings.poll.intervals)
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
        maySendRequests: { await shared.claims.holds(.hubs) },
        waiter: keeper.changeWaiter(for: [.hubs, .feedList], every: .seconds(5))
      )
    }
    return WebSubSubscriber(configuration: configuration, fetcher: fetcher, clock: clock, keeper: keeper)
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

  /// Imports exports and the files of other programs. Opens the store only when the file was recognized. `longestDocument`
  /// limits the documents in an archive, in bytes.
  func makeItemImport(longestDocument: Int = 256 << 20) -> ItemImport {
    ItemImport(
      store: { [self] () throws(StoreError) -> any ItemImport.Store in try store() },
      foreign: ForeignItems(longestDocument: longestDocument),
      untrusted: .untrusted(ItemCleaner(), settingsCheck),
      clock: clock
    )
  }

  func makeServerImport() throws(StoreError) -> ServerImport {
    ServerImport(store: try store(), cleaner: ItemCleaner(), clock: clock)
  }

  /// Makes the client for importing from a server. The user of this machine typed `address`, which may be local; nil: a
  /// user of the page did, and the address must be public.
  func makeServerRequests(to address: String?) -> ServerRequests {
    ServerRequests(
      poster: poster,
      reach: settings.network.allowsPrivate ? .anywhere : address.map { .localOrigin(of: $0) } ?? .publicOnly
    )
  }

  /// Makes the client of an OpenID provider.
  func makeOpenIDClient(_ provider: ProviderSettings) -> OpenIDClient {
    OpenIDClient(
      provider,
      poster: lazyNetwork.value,
      clock: clock,
      reachesAnywhere: settings.network.allowsPrivate
    )
  }

  /// Returns what the store shares with other machines, if it is open and on a server; otherwise nil.
  private static func shared(_ store: Lazy<Result<OpenedStore, StoreError>>) -> OpenedStore.Shared? {
    (try? store.existing?.get())?.shared
  }

  /// Lists the processes that share the store; nil for a file.
  func nodes() throws(StoreError) -> (any NodeListing)? { try lazyStore.value.get().shared?.nodes }

  /// Registers this process as a node of a store that several processes can share. `report` receives the
  /// difference in seconds when this machine's clock differs from the server's by more than five seconds;
  /// positive if this machine's clock is behind. `reportFailure` receives the error when the server cannot be
  /// asked or the lease is lost, and nil when that is over; `reportStore` the same for what concerns this store only.
  public func joinNodes(
    reportingClock report: @escaping @Sendable (Int64) -> Void,
    reportingFailures reportFailure: @escaping @Sendable (StoreError?) -> Void,
    ofStore reportStore: @escaping @Sendable (StoreError?) -> Void
  ) async throws(StoreError) {
    nodeClock?.reportDifferences(to: report)
    guard let shared = Self.shared(lazyStore) else { return }
    shared.claims.reportFailures(to: reportFailure, ofStore: reportStore)
    try await shared.node.join()
  }

  /// Throws if a server does not answer the transactions of the store, so that this process claims no feeds.
  public func checkWrites() throws(StoreError) { try Self.shared(lazyStore)?.claims.check() }

  /// The name of this process in the list of nodes; nil if the store is not shared.
  public var sharedNodeName: String? {
    Self.shared(lazyStore).map { _ in settings.nodeName ?? StorePlace.machineName }
  }

  /// The number that all nodes give to the next outage of the store; nil if it is not shared or the number is unknown.
  public var nextOutage: Int64? { Self.shared(lazyStore)?.node.outage }

  /// Ends an outage of the store, so that the next one has another number.
  public func endOutage(_ number: Int64) async { await Self.shared(lazyStore)?.node.endOutage(number) }

  /// Returns true if this process must do this work: it is the only one on its store, or has claimed the work.
  public func holds(_ duty: NodeDuty) async -> Bool {
    guard let claims = Self.shared(lazyStore)?.claims else { return true }
    return await claims.holds(duty)
  }

  /// Returns a waiter for changes of the list of feeds; nil if the store does not announce changes.
  public func feedListWaiter() -> (any ChangeAwaiting)? {
    guard case .success(let store) = lazyStore.existing, store.shared != nil else { return nil }
    return store.ports.changeWaiter(for: .feedList, every: .seconds(10))
  }

  /// Takes the lock that prevents a second daemon on the store, and two upgrades of it.
  public func takeInstanceLock(isUpgrading: Bool = false) throws(InstanceLockError) -> any InstanceHolding {
    // Several processes of one machine may poll a store on a server, so there are 64 locks, one for each process.
    let others = (1..<StorePlace(settings.store).daemonCount).map { "\(lockPath)-\($0 + 1)" }
    for path in [lockPath] + others {
      do {
        return try InstanceLock(store: path, started: clock.now(), isUpgrading: isUpgrading)
      } catch {
        guard case .held = error, path != others.last, !others.isEmpty else { throw error }
      }
    }
    throw InstanceLockError.held(by: DaemonPresence(pid: nil, started: nil))
  }

  /// Waits for the upgrades of other processes.
  package func upgradeTurn() throws(StoreError) -> UpgradeTurn {
    UpgradeTurn(store: try upgrades()) { [self] () throws(InstanceLockError) in
      try takeInstanceLock(isUpgrading: true)
    }
  }

  /// Measures the store and its disk, and finds the running daemon.
  var storeMeasure: any StoreFileMeasuring {
    var measure: any StoreFileMeasuring = StoreFileMeasure(path: lockPath)
    if case .server = StorePlace(settings.store) {
      measure = SharedStoreMeasure(files: measure) { [lazyStore] in Self.shared(lazyStore) }
    }
    guard settings.account != nil else { return measure }
    return AccountStoreMeasure(other: measure) { [lazyStore] in try? lazyStore.value.get().ports }
  }

  /// The stamp of the store, which changes when it is written; nil: its changes cannot be seen.
  package var storeStamp: FileStamp? {
    switch StorePlace(settings.store) {
    case .file(let path): FileStamp([path, path + "-wal"])
    case .server:
      // Announcements are hints: a pooler may discard them.
      Self.shared(lazyStore)?.announcements().map {
        FileStamp(count: $0 + Int(Timestamp.milliseconds() / 60_000))
      }
    }
  }

  /// Frees the caches of the store if it is open.
  package func freeStoreMemory() async { await (try? lazyStore.existing?.get())?.freeMemory() }

  /// Removes what a killed restore has left beside the store.
  package func removeLeftovers() { StorePlace(settings.store).removeLeftovers() }

  /// Waits until the network thread responds; returns at once if it was never started.
  public func awaitNetwork() async { await lazyNetwork.existing?.ping() }

  /// Returns the store after checking that its lock file is safe to use.
  private func storeForFetching() throws(StoreError) -> any StorePorts {
    let store = try store()
    guard Self.shared(lazyStore) == nil else { return store }
    do {
      try lockFile?.open()
    } catch {
      throw StoreError(code: .unreadable, message: error.message)
    }
    return store
  }

  var refreshOptions: RefreshOptions {
    // An account with many slow feeds leaves half of the transfers, and of the memory, to the others.
    let part = sharedPolls == nil ? 1 : 2
    var options = RefreshOptions(
      reach: settings.network.allowsPrivate ? .anywhere : .publicOnly,
      limits: settings.limits,
      maximumTransfers: max(1, settings.network.concurrency / part),
      transfersPerSite: settings.network.perSite,
      site: { SiteKey.of($0) },
      hub: { HubLinks.offer($0, $1, namesTopic: $2) },
      heldBytes: settings.network.bodyBudget / part,
      parsers: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    )
    let limits = TransferLimits(concurrency: settings.network.concurrency, beside: settings.otherDescriptors)
    options.openTransfers = max(1, limits.open / part)
    options.memory = memory.feeds
    options.account = settings.account ?? ""
    if let accountClaims {
      options.claims = accountClaims
    } else if fetcherOverride == nil {
      options.claims = Self.shared(lazyStore)?.claims ?? lockFile.map { FeedLocks(file: $0) }
    }
    return options
  }
}
