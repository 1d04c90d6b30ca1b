package import Modules
import NewsCore
import NewsFiles
import NewsFormats
import NewsText
import NewsToolbox

// MARK: - Subscriptions, refreshes, rules and hooks

extension Configurator {
  func subscriptions(_ route: SubscriptionsRoute) async throws -> ExitStatus {
    let store = try services.store()
    let shape = presentation.shape
    let module = SubscriptionsInteractor(
      feeds: store,
      searches: store,
      presenter: SubscriptionsPresenter(showsLines: shape.format == .text, times: presentation.times)
    )
    let view = try shape.feedView(
      lists: services.listCoder,
      secretsLeftOut: { [messages = presentation.messages] count in
        let feeds = Plural.of(count, "feed")
        let text = "newsd: left out the secrets of \(feeds); 'newsd feeds export --secrets' writes them\n"
        try? messages.write(Array(text.utf8))
      },
      text: SubscriptionsView(terminal: shape.terminal)
    )
    return try await show(module, route, as: view)
  }

  func feedsFolders() async throws -> ExitStatus {
    try await list(FeedsFoldersInteractor(feeds: try services.store()), (), Tables.folders)
  }

  func feedsAdd(_ route: FeedsAddRoute) async throws -> ExitStatus {
    try await services.registerHooks()
    return try await tell(FeedsAddInteractor(adder: try services.makeFeedAdder()), route)
  }

  package func feedsImport(_ request: FeedsImportRequest) async throws -> ExitStatus {
    try await tell(FeedsImportInteractor(transfer: try services.makeSubscriptionTransfer()), request)
  }

  package func feedsExport(includesSecrets: Bool) async throws -> ExitStatus {
    let module = FeedsExportInteractor(transfer: try services.makeSubscriptionTransfer())
    return try await show(module, includesSecrets, as: BytesView())
  }

  package func feedsMoves(_ request: FeedsMovesRequest) async throws -> ExitStatus {
    let module = FeedsMovesInteractor(feeds: try services.store(), editor: try services.makeMoveEditor())
    return try await list(module, request, Tables.moves)
  }

  package func feedsIdentity(of feed: String, policy: String?) async throws -> ExitStatus {
    let view = RecordTextView<FeedIdentity>(terminal: presentation.shape.terminal)
    return try await show(FeedsIdentityInteractor(store: try services.store()), (feed, policy), as: view)
  }

  package func feedsSet(_ request: FeedsSetRequest) async throws -> ExitStatus {
    let editor = try services.makeSettingsEditor()
    return try await show(FeedsSetInteractor(editor: editor), request, as: LinesView())
  }

  package func feedsPreview(of feed: String, limit: Int) async throws -> ExitStatus {
    let store = try services.store()
    let module = FeedsPreviewInteractor(
      feeds: store,
      preview: ArticlePreview(fetch: services.makeArticleFetch(), store: store)
    )
    let view = RecordTextView<ArticlePreview.Entry>(terminal: presentation.shape.terminal)
    return try await show(module, (feed, limit), as: view)
  }

  package func rules(_ request: RulesRequest) async throws -> ExitStatus {
    try await list(
      RulesInteractor(rules: try services.store(), clock: services.clock),
      request,
      Tables.rules
    )
  }

  package func hooks(_ request: HooksRequest) async throws -> ExitStatus {
    let module = try services.makeHooks(services.filters(), presentation.times)
    return try await list(module, request, Tables.hooks)
  }

  package func hookFailures() async throws -> ExitStatus {
    let module = HookFailuresInteractor(store: try services.store(), times: presentation.times)
    return try await list(module, (), Tables.hookFailures)
  }

  // MARK: Refreshes

  func refresh(_ route: RefreshRoute) async throws -> ExitStatus {
    let recorder = try route.record.map { directory throws(UserMessage) in
      FetchRecorder(services.fetcher, records: try records(directory, isCreated: true))
    }
    try await services.registerHooks()
    let module = RefreshInteractor(
      feeds: try services.store(),
      refresher: try services.makeRefresher(fetcher: recorder),
      recorder: recorder,
      articles: route.fetchesArticles ? try services.makeArticleQueue() : nil
    )
    return try await show(module, route, on: refreshScreen(isLive: presentation.progressWidth != nil))
  }

  package func replay(_ directory: String, isSeparate: Bool) async throws -> ExitStatus {
    let records = try records(directory, isCreated: false)
    let replayer: FetchReplayer
    do throws(FileError) {
      replayer = try FetchReplayer(records: records, clock: services.clock)
    } catch {
      throw UserMessage(code: .badData, text: error.message)
    }
    let module = ReplayInteractor(
      replay: try services.makeReplay(replayer),
      unreadable: replayer.unreadable
    )
    return try await show(module, (directory, isSeparate), on: refreshScreen(isLive: false))
  }

  private func records(_ directory: String, isCreated: Bool) throws(UserMessage) -> RecordDirectory {
    do throws(FileError) {
      return try RecordDirectory(directory, isCreated: isCreated)
    } catch {
      throw UserMessage(code: isCreated ? .cannotCreate : .notFound, text: error.message)
    }
  }

  /// The screen of a refresh reports on standard error; in quiet mode, only failures.
  private func refreshScreen(isLive: Bool) -> Screen<RefreshViewModel> {
    Screen(
      view: RefreshView(
        terminal: presentation.messageTerminal ?? presentation.shape.terminal,
        width: presentation.progressWidth,
        detail: presentation.isVerbose ? .everyFeed : .failures,
        isLive: isLive
      ),
      output: presentation.isQuiet ? DiscardingWriter() : presentation.messages,
      messages: presentation.messages,
      help: presentation.help,
      isQuiet: presentation.isQuiet,
      flushesAlways: true
    )
  }

  // MARK: Status

  func status() async throws -> ExitStatus {
    let shape = presentation.shape
    let view = try shape.view(Tables.status, text: StatusView(terminal: shape.terminal))
    return try await show(services.makeStatus(), services.settings.storeName, as: view)
  }

  /// Reports on the store for a bug report, even if it cannot be used.
  package func support(_ request: SupportRequest) async throws -> ExitStatus {
    let module = SupportInteractor(
      store: Result { () throws(StoreError) -> any FeedKeeping & HookKeeping & ChangeReading in
        try services.store()
      },
      kind: Settings.isStoreAddress(services.settings.store) ? "PostgreSQL" : "SQLite",
      upgrades: Result { () throws(StoreError) in try services.upgrades() },
      measure: services.storeMeasure,
      clock: services.clock
    )
    return try await show(module, request, as: LinesView())
  }

  /// With `answersVerdict` the exit status is the verdict; otherwise it is 0.
  package func health(answersVerdict: Bool) async throws -> ExitStatus {
    let isPrometheus = presentation.shape.format == .prometheus
    let found: [Account]?
    do {
      found = try await eachAccount(withDisabled: false)
    } catch {
      // A monitor knows no other status than that of a report.
      guard let reason = UserMessage(reporting: error)?.text else { throw error }
      let module = StatusWithoutAccountsInteractor(reason: reason, clock: services.clock)
      guard !isPrometheus else { return try await show(module, answersVerdict, as: AccountMetricsView()) }
      return try await list(module, answersVerdict, Tables.health.ofAccounts)
    }
    guard let all = found else {
      let module = Self.makeHealth(services)
      guard !isPrometheus else { return try await show(module, answersVerdict, as: HealthMetricsView()) }
      return try await list(module, answersVerdict, Tables.health)
    }
    // Several at once: each may wait for a locked store.
    let module = EachAccountInteractor.records(of: all, atOnce: 8) {
      (account, emit: @escaping Emit<RecordList<HealthReport>>) in
      if case .unusable(let reason) = account.state {
        return try await Self.makeHealth(services, unusable: reason).run(answersVerdict, emit: emit)
      }
      // A locked store must not keep a monitor from the others.
      try await with(account) {
        try await Self.makeHealth($0, patience: .seconds(5)).run(answersVerdict, emit: emit)
      }
    }
    guard !isPrometheus else { return try await show(module, (), as: AccountMetricsView()) }
    return try await list(module, (), Tables.health.ofAccounts)
  }

  private static func makeHealth(
    _ services: ServiceContainer,
    unusable reason: String? = nil,
    patience: Duration? = nil
  ) -> HealthInteractor {
    let store = Result { () throws(StoreError) -> any FeedKeeping & HookKeeping in
      if let reason { throw StoreError(code: .unreadable, message: reason) }
      return try services.store()
    }
    return HealthInteractor(
      store: store,
      measure: services.storeMeasure,
      clock: services.clock,
      patience: patience
    )
  }

  func plan(_ horizon: Int64) async throws -> ExitStatus {
    let module = PollPlanInteractor(feeds: try services.store(), times: presentation.times)
    return try await list(module, horizon, Tables.plan)
  }

  func failures() async throws -> ExitStatus {
    let module = FailuresInteractor(feeds: try services.store(), times: presentation.times)
    return try await list(module, (), Tables.failures)
  }
}
