import Modules
import NewsCore
import NewsFiles
import NewsFormats
import NewsPostgres
import NewsText
import NewsToolbox

// MARK: - Screens of the store's upkeep

extension Configurator {
  func runPrune(_ route: PruneRoute) async throws -> ExitStatus {
    let module = PruneInteractor(pruning: try services.store(), clock: services.clock)
    return try await show(module, route, as: presentation.recordShape.prune())
  }

  func runBackup(_ path: String) async throws -> ExitStatus {
    try await show(BackupInteractor(store: try services.store()), path, as: SilentView<BackupViewModel>())
  }

  func runRestore(_ route: RestoreRoute) async throws -> ExitStatus {
    try await show(RestoreInteractor(store: try services.store()), route, as: SilentView<RestoreViewModel>())
  }

  func runCopy(_ route: StoreCopyRoute) async throws -> ExitStatus {
    let source = try services.otherStore(route.source, mustExist: true)
    let target = try services.otherStore(route.target, mustExist: false)
    let module = StoreCopyInteractor(
      from: (source.store, StoreURI.redacted(route.source)),
      to: (target.store, StoreURI.redacted(route.target))
    )
    let status = try await show(module, route, as: SilentView<StoreCopyViewModel>())
    await source.close()
    await target.close()
    return status
  }

  func runNodes() async throws -> ExitStatus {
    let module = NodesInteractor(
      store: try services.store() as? any NodeListing,
      presenter: NodesPresenter(times: presentation.terminal.times)
    )
    return try await show(module, (), as: presentation.recordShape.nodes())
  }

  func runCompact(_ path: String) async throws -> ExitStatus {
    try await show(CompactInteractor(store: try services.store()), path, as: SilentView<CompactViewModel>())
  }

  func runIngest(_ feed: String) async throws -> ExitStatus {
    try await services.registerHooks()
    let module = IngestInteractor(ingestion: try services.makeItemIngestion(), input: presentation.input)
    return try await show(module, feed, as: SilentView<IngestViewModel>())
  }

  /// Prints a parsed document piece by piece.
  func runParsedFeed(_ source: DocumentSource) async throws -> ExitStatus {
    Allocator.returnLargeBlocks()
    return try await show(
      ParsedFeedInteractor(
        parser: services.parser,
        encoder: ParsedFeedJSONEncoder(),
        read: { [host] in try host.read($0) }
      ),
      source,
      as: BytesView()
    )
  }

  func runPageArticle(_ route: PageArticleRoute) async throws -> ExitStatus {
    let module = PageArticleInteractor(articles: services.articles, read: { [host] in try host.read($0) })
    return try await show(module, route, as: PageArticleView())
  }

  func runPublisherCheck(_ source: DocumentSource) async throws -> ExitStatus {
    try await show(
      PublisherCheckInteractor(parser: services.parser, read: { [host] in try host.read($0) }),
      source,
      as: RecordTextView<PublisherCheckViewModel>(terminal: presentation.terminal)
    )
  }

  func runExport() async throws -> ExitStatus {
    try await show(StoreExportInteractor(store: try services.store()), (), as: BytesView())
  }

  func runStoreImport(_ route: StoreImportRoute) async throws -> ExitStatus {
    let module = StoreImportInteractor(items: services.makeItemImport()) { path throws(FileError) in
      try LineFile(path)
    }
    return try await show(module, route, as: SilentView<StoreImportViewModel>())
  }

  func runCheck(_ route: CheckRoute) async throws -> ExitStatus {
    let module = CheckInteractor(store: try services.store())
    return try await show(module, route, as: presentation.recordShape.check())
  }
}
