import Modules
import NewsCore
import NewsFiles
import NewsFormats
import NewsText

// MARK: - Screens of subscriptions, rules and refreshes

extension Configurator {
  func runSubscriptions(_ route: SubscriptionsRoute) async throws -> ExitStatus {
    let store = try services.store()
    let output = try presentation.feedOutput(services)
    let module = SubscriptionsInteractor(
      feeds: store,
      editing: store,
      searches: store,
      presenter: SubscriptionsPresenter(showsLines: output.format == .text, times: output.terminal.times)
    )
    return try await show(module, route, as: output.view(text: SubscriptionsView(terminal: output.terminal)))
  }

  func runFolders() async throws -> ExitStatus {
    try await show(
      FoldersInteractor(feeds: try services.store()),
      (),
      as: presentation.recordShape.folders()
    )
  }

  func runAddition(_ route: FeedAdditionRoute) async throws -> ExitStatus {
    try await services.registerHooks()
    let module = FeedAdditionInteractor(adder: try services.makeFeedAdder())
    let status = try await show(module, route, as: SilentView<FeedAdditionViewModel>())
    await services.shutdown()
    return status
  }

  func runFeedListImport(_ route: FeedListImportRoute) async throws -> ExitStatus {
    let module = FeedListImportInteractor(transfer: try services.makeSubscriptionTransfer())
    return try await show(module, route, as: SilentView<FeedListImportViewModel>())
  }

  func runFeedListExport(_ includesSecrets: Bool) async throws -> ExitStatus {
    let module = FeedListExportInteractor(transfer: try services.makeSubscriptionTransfer())
    return try await show(module, includesSecrets, as: BytesView())
  }

  func runMoves(_ route: MovesRoute) async throws -> ExitStatus {
    let module = MovesInteractor(feeds: try services.store(), editor: try services.makeMoveEditor())
    return try await show(module, route, as: presentation.recordShape.moves())
  }

  func runFeedIdentity(_ route: FeedIdentityRoute) async throws -> ExitStatus {
    let store = try services.store()
    let module = FeedIdentityInteractor(feeds: store, identities: store)
    return try await show(
      module,
      route,
      as: RecordTextView<FeedIdentityViewModel>(terminal: presentation.terminal)
    )
  }

  func runFeedSettings(_ route: FeedSettingsRoute) async throws -> ExitStatus {
    let store = try services.store()
    let editor = FeedSettingsEditor(
      feeds: store,
      editing: store,
      folders: store,
      moves: try services.makeMoveEditor(),
      general: services.settings.poll.intervals
    )
    return try await show(
      FeedSettingsInteractor(editor: editor),
      route,
      as: LinesView<FeedSettingsViewModel>()
    )
  }

  func runArticlePreview(_ route: ArticlePreviewRoute) async throws -> ExitStatus {
    let store = try services.store()
    let module = ArticlePreviewInteractor(
      feeds: store,
      preview: ArticlePreview(fetch: services.makeArticleFetch(), store: store)
    )
    let view = RecordTextView<ArticlePreviewViewModel>(terminal: presentation.terminal)
    let status = try await show(module, route, as: view)
    await services.shutdown()
    return status
  }

  func runRules(_ route: RulesRoute) async throws -> ExitStatus {
    let module = RulesInteractor(rules: try services.store(), clock: services.clock)
    return try await show(module, route, as: presentation.recordShape.rules())
  }

  func runFetch(_ route: FetchRoute) async throws -> ExitStatus {
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
    let status = try await show(module, route, on: refreshScreen(isLive: presentation.progressWidth != nil))
    await services.shutdown()
    return status
  }

  func runReplay(_ route: ReplayRoute) async throws -> ExitStatus {
    let records = try records(route.directory, isCreated: false)
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
    return try await show(module, route, on: refreshScreen(isLive: false))
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
        terminal: presentation.messageTerminal ?? presentation.terminal,
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

  func runStatus() async throws -> ExitStatus {
    let store = try services.store()
    let module = StatusInteractor(
      feeds: store,
      changes: store,
      measure: services.storeMeasure,
      clock: services.clock
    )
    return try await show(module, services.settings.storeName, as: presentation.recordShape.status())
  }

  func runHealth(_ answersVerdict: Bool) async throws -> ExitStatus {
    let store: Result<any FeedReading & HookKeeping, StoreError>
    do throws(StoreError) {
      store = .success(try services.store())
    } catch {
      store = .failure(error)
    }
    let module = HealthInteractor(store: store, measure: services.storeMeasure, clock: services.clock)
    return try await show(module, answersVerdict, as: presentation.recordShape.health())
  }

  func runPlan(_ horizon: Int64) async throws -> ExitStatus {
    let module = PollPlanInteractor(
      feeds: try services.store(),
      clock: services.clock,
      presenter: PollPlanPresenter(times: presentation.terminal.times)
    )
    return try await show(module, horizon, as: presentation.recordShape.plan())
  }

  func runFailures() async throws -> ExitStatus {
    let module = FailuresInteractor(
      feeds: try services.store(),
      clock: services.clock,
      presenter: FailuresPresenter(times: presentation.terminal.times)
    )
    return try await show(module, (), as: presentation.recordShape.failures())
  }
}
