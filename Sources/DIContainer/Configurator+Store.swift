import Modules
import NewsCore
import NewsFiles
import NewsFormats
import NewsText

// MARK: - Screens of the store's upkeep

extension Configurator {
  func runPrune(_ route: PruneRoute) async throws -> Int32 {
    let module = PruneInteractor(pruning: try services.store(), clock: services.clock)
    return try await show(module, route, as: presentation.recordShape.prune())
  }

  func runBackup(_ path: String) async throws -> Int32 {
    try await show(BackupInteractor(store: try services.store()), path, as: SilentView<BackupViewModel>())
  }

  func runRestore(_ route: RestoreRoute) async throws -> Int32 {
    try await show(RestoreInteractor(store: try services.store()), route, as: SilentView<RestoreViewModel>())
  }

  func runCompact(_ path: String) async throws -> Int32 {
    try await show(CompactInteractor(store: try services.store()), path, as: SilentView<CompactViewModel>())
  }

  func runIngest(_ feed: String) async throws -> Int32 {
    try await services.registerHooks()
    let module = IngestInteractor(ingestion: try services.makeItemIngestion(), input: presentation.input)
    return try await show(module, feed, as: SilentView<IngestViewModel>())
  }

  func runPublisherCheck(_ route: PublisherCheckRoute) async throws -> Int32 {
    try await show(
      PublisherCheckInteractor(parser: services.parser),
      route,
      as: RecordTextView<PublisherCheckViewModel>(terminal: presentation.terminal)
    )
  }

  func runExport() async throws -> Int32 {
    try await show(StoreExportInteractor(store: try services.store()), (), as: BytesView())
  }

  func runStoreImport(_ route: StoreImportRoute) async throws -> Int32 {
    let module = StoreImportInteractor(items: services.makeItemImport()) { path throws(FileError) in
      try LineFile(path)
    }
    return try await show(module, route, as: SilentView<StoreImportViewModel>())
  }

  func runCheck(_ route: CheckRoute) async throws -> Int32 {
    let module = CheckInteractor(store: try services.store())
    return try await show(module, route, as: presentation.recordShape.check())
  }
}
