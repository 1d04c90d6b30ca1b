import Glibc
public import NewsCore
import NewsNetwork
import NewsPrograms
import NewsStorage
import NewsSyndication

/// Makes every service once, when it is first asked for: a one-shot query opens the store and nothing else.
public final class ServiceContainer: Sendable {
  /// All that the store does.
  public typealias Store = FeedReading & FeedEditing & RefreshStoring & ItemReading & ItemMarking
    & SearchHistoryKeeping & ChangeReading & FeedChangeReading & RuleKeeping & SavedSearchKeeping
    & ItemVersionReading
    & FeedIdentityKeeping & ItemPruning & StoreChecking & StoreBackingUp & StoreExporting & ItemImporting
    & HubSubscriptionKeeping & PollPlanKeeping

  /// Services to be used instead of the real ones, for tests.
  public struct Overrides: Sendable {
    public var store: (any Store)?
    public var fetcher: (any Fetching)?
    public var clock: (any WallClock)?
    public init() {}
  }

  public let settings: Settings
  public let clock: any WallClock
  private let lazyStore: Lazy<Result<any Store, StoreError>>
  private let lazyNetwork: Lazy<CurlFetcher>
  private let fetcherOverride: (any Fetching)?
  private let feedClaims: FeedClaims?

  /// - Parameters:
  ///   - settings: Paths, limits and policies.
  ///   - environment: Variables that name proxies and credentials.
  ///   - program: Name and version, for the User-Agent field.
  ///   - overrides: Services to be used instead.
  public init(
    settings: Settings,
    environment: [String: String],
    program: String,
    overrides: Overrides = Overrides()
  ) {
    self.settings = settings
    clock = overrides.clock ?? SystemClock()
    lazyStore = Lazy {
      if let store = overrides.store { return .success(store) }
      return Self.makeStore(settings)
    }
    let claims = ClaimFile(store: settings.store)
    lazyNetwork = Lazy {
      var configuration = settings.networkConfiguration(environment, program)
      configuration.sites = SitePlaces(file: claims)
      return CurlFetcher(configuration: configuration)
    }
    fetcherOverride = overrides.fetcher
    feedClaims = overrides.fetcher == nil ? FeedClaims(file: claims) : nil
  }

  /// The store at the configured path; nothing is opened before it is used.
  public func store() throws(StoreError) -> any Store { try lazyStore.value.get() }

  /// The network, and the programs behind `exec:` subscriptions.
  public var fetcher: any Fetching {
    fetcherOverride ?? ProgramFetcher(programs: programs, clock: clock, other: lazyNetwork.value)
  }
  public var programs: any ProgramRunning { ProgramRunner() }
  public var parser: any FeedParsing { ProgramOutputParser(FeedParser(), decoder: ItemLines()) }
  public var discoverer: any FeedDiscovering { FeedDiscovery() }
  public var listCoder: any SubscriptionListCoding { SubscriptionLists() }
  public var richText: any RichTextRendering { HTMLRichText() }

  /// Ends the network's thread, if it was started; transfers in flight are given up.
  public func shutdown() async {
    await lazyNetwork.existing?.shutdown()
  }

  /// Leaves the store as one file, if this process was the last to use it.
  public func closeStore() async {
    if case .success(let store as NewsStore) = lazyStore.existing { await store.close() }
  }

  private static func makeStore(_ settings: Settings) -> Result<any Store, StoreError> {
    if settings.storeMustExist {
      let hint = "'newsd feeds add URL' makes one, --db names another"
      var status = stat()
      guard stat(settings.store, &status) == 0 else {
        return .failure(StoreError(code: .missing, message: "there is no store \(settings.store); \(hint)"))
      }
      // Whatever it was, it is no store any more; to make one of it would hide that.
      guard status.st_size > 0 else {
        let message = "\(settings.store) is an empty file and no store; \(hint)"
        return .failure(StoreError(code: .missing, message: message))
      }
    }
    do {
      return .success(try NewsStore(path: settings.store))
    } catch {
      return .failure(error)
    }
  }
}

// MARK: - Use cases

extension ServiceContainer {
  /// Refreshes feeds, storing what they bring.
  ///
  /// - Parameter fetcher: Where documents come from; nil: the network.
  /// - Returns: The use case.
  /// - Throws: When there can be no store.
  public func makeRefresher(fetcher: (any Fetching)? = nil) throws(StoreError) -> Refresher {
    let store = try store()
    return Refresher(
      fetcher: fetcher ?? self.fetcher,
      parser: parser,
      store: store,
      editor: store,
      clock: clock,
      policy: PollPolicy(settings.pollConfiguration),
      options: refreshOptions
    )
  }

  /// Subscribes to what a user types: a feed, or a page that names one.
  ///
  /// - Returns: The use case.
  /// - Throws: When there can be no store.
  public func makeFeedAdder() throws(StoreError) -> FeedAdder {
    let store = try store()
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

  /// Takes in items that a script writes.
  ///
  /// - Returns: The use case.
  /// - Throws: When there can be no store.
  public func makeItemIngestion() throws(StoreError) -> ItemIngestion {
    ItemIngestion(decoder: ItemLines(), parser: parser, store: try store(), clock: clock)
  }

  /// Reads and writes lists of subscriptions.
  ///
  /// - Returns: The use case.
  /// - Throws: When there can be no store.
  public func makeSubscriptionTransfer() throws(StoreError) -> SubscriptionTransfer {
    let store = try store()
    return SubscriptionTransfer(
      coder: listCoder,
      subscriptions: store,
      searches: store,
      rules: store,
      clock: clock,
      check: SettingsCheck(
        isProxy: { NetworkWords.isProxy($0) },
        isEncoding: { EncodingWords.isEncoding($0) }
      )
    )
  }

  /// Lists permanent redirects, adopts them and takes them back.
  ///
  /// - Returns: The use case.
  /// - Throws: When there can be no store.
  public func makeMoveEditor() throws(StoreError) -> MoveEditor {
    let store = try store()
    return MoveEditor(subscriptions: store, store: store, clock: clock)
  }

  /// Has hubs push feeds to this machine.
  ///
  /// - Parameter callback: The URL under which hubs reach it.
  /// - Returns: Nil when the network is a test's.
  /// - Throws: When there can be no store.
  public func makeWebSub(callback: String) throws(StoreError) -> (any WebSubRunning)? {
    guard fetcherOverride == nil else { return nil }
    let fetcher = lazyNetwork.value
    var configuration = WebSubConfiguration(callback: callback)
    if let address = settings.webSub.listen ?? CallbackAddress.listening(for: callback) {
      configuration.listen = address
    }
    configuration.bodyBytes = settings.limits.bodyBytes
    configuration.reachesAnywhere = settings.network.allowsPrivate
    return WebSubSubscriber(
      configuration: configuration,
      fetcher: fetcher,
      clock: clock,
      keeper: try store()
    )
  }

  /// Refreshes the store from recorded exchanges.
  ///
  /// - Parameter replayer: The recordings.
  /// - Returns: The use case.
  /// - Throws: When there can be no store.
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

  private var refreshOptions: RefreshOptions {
    var options = RefreshOptions(
      reach: settings.network.allowsPrivate ? .anywhere : .publicOnly,
      limits: settings.limits,
      maximumTransfers: settings.network.concurrency,
      transfersPerSite: settings.network.perSite,
      site: { SiteKey.of($0) },
      hub: { HubLinks.offer($0, $1) },
      heldBytes: settings.network.bodyBudget,
      readers: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    )
    options.claims = feedClaims
    return options
  }
}
