import Glibc
package import Modules
package import NewsCore
import NewsFiles
import NewsFormats
import NewsPostgres
import NewsSQLite
import NewsSync
import NewsText
import NewsToolbox

// MARK: - The store, documents and the web server

extension Configurator {
  package func prune(_ rules: RetentionRules, isDryRun: Bool) async throws -> ExitStatus {
    let make: @Sendable (ServiceContainer) throws(StoreError) -> PruneInteractor = {
      (services) throws(StoreError) in
      let store = try services.store()
      return PruneInteractor(pruning: store, settings: store, clock: services.clock)
    }
    let request = (rules: rules, isDryRun: isDryRun)
    guard let all = try await eachAccount(withDisabled: false) else {
      return try await list(try make(services), request, Tables.pruned, writesAtEnd: true)
    }
    let module = EachAccountInteractor.records(of: all) {
      (account, emit: @escaping Emit<RecordList<PruneReport.Entry>>) in
      try await with(account) { try await make($0).run(request, emit: emit) }
    }
    return try await list(module, (), Tables.pruned.ofAccounts, writesAtEnd: true)
  }

  package func check(_ request: CheckRequest) async throws -> ExitStatus {
    let module = CheckInteractor(store: try services.store())
    return try await list(module, request, Tables.problems, writesAtEnd: true)
  }

  /// With `withMedia`, also copies the pictures, to a media store beside the copy. For all accounts, `path` is a folder.
  package func backup(to path: String, withMedia: Bool) async throws -> ExitStatus {
    try await tellEach { services, account in
      var file = path
      if let account {
        FileFolders.create(path, isShared: true)
        file = "\(path)/\(account).db"
        guard access(file, F_OK) != 0 else {
          throw UserMessage(code: .cannotCreate, text: "\(file) exists already; name a new folder")
        }
      }
      var module = BackupInteractor(store: try services.store())
      if withMedia { module.media = (try services.media(), MediaFile(besides: file)) }
      return (module, file)
    }
  }

  /// Makes a backup in a folder, verifies it, and keeps the newest `count` backups there. For all accounts, each has a
  /// folder of its own there.
  package func backupKeep(in folder: String, count: Int) async throws -> ExitStatus {
    try await tellEach { services, account in
      var own = folder
      if let account {
        own = "\(folder)/\(account)"
        FileFolders.create(own, isShared: true)
      }
      let module = BackupKeepInteractor(
        store: try services.store(),
        folder: try BackupFolder(path: own),
        clock: services.clock
      ) { path, progress in
        let copy = try StorePlace.file(path).open(mustExist: true)
        do {
          let problems = try await copy.ports.check(progress: progress)
          await copy.close()
          return problems
        } catch {
          await copy.close()
          throw error
        }
      }
      return (module, count)
    }
  }

  package func restore(from backup: String) async throws -> ExitStatus {
    let store = try services.store()
    var account: RestoredAccount?
    if services.settings.account != nil {
      account = try await AccountSet.restored(store, issuer: services.settings.openID.issuer)
    }
    let module = RestoreInteractor(store: store, account: account)
    return try await tell(module, (services.settings.storeName, backup))
  }

  /// Upgrades the store.
  package func upgrade() async throws -> ExitStatus {
    if isForAllAccounts { try await accounts?.upgradeShared() }
    return try await tellEach { services, _ in
      let module = UpgradeInteractor(store: try services.upgrades(), turn: try services.upgradeTurn())
      return (module, services.settings.storeName)
    }
  }

  package func upgradeCheck() async throws -> ExitStatus {
    guard let all = try await eachAccount() else {
      let module = UpgradeCheckInteractor(store: try services.upgrades())
      return try await show(module, services.settings.storeName, as: LinesView())
    }
    let module = EachAccountInteractor.lines(of: all) { account, emit in
      try await with(account) {
        try await UpgradeCheckInteractor(store: try $0.upgrades()).run($0.settings.storeName, emit: emit)
      }
    }
    return try await show(module, (), as: LinesView())
  }

  package func upgradeFinish() async throws -> ExitStatus {
    if isForAllAccounts { try await accounts?.upgradeShared(finishes: true) }
    return try await tellEach { services, _ in
      (UpgradeFinishInteractor(store: try services.upgrades()), services.settings.storeName)
    }
  }

  /// Upgrades the stores of earlier layouts before a command that changes them.
  package func upgradeBeforeChange() async throws -> ExitStatus {
    guard let all = try await eachAccount() else {
      guard services.settings.storeUpgrade == .auto, try await services.upgrades().upgradePlan() != nil else {
        return .done
      }
      return try await upgrade()
    }
    for account in all where services.settings.storeUpgrade == .auto {
      guard case .active = account.state, let services = try? self.accounts?.container(of: account) else {
        continue
      }
      let configurator = Configurator(services: services, presentation: presentation)
      // The command itself reports a store that cannot be upgraded.
      _ = try? await configurator.upgradeBeforeChange()
      await services.close()
    }
    return .done
  }

  package func copy(from: String, to: String) async throws -> ExitStatus {
    let upgraded = try StorePlace(from).upgradedCopy()
    defer { upgraded?.remove() }
    let source = try StorePlace(upgraded?.path ?? from).open(forCopyTo: StorePlace(to))
    let target = try StorePlace(to).open(asCopyOf: StorePlace(from))
    let module = CopyInteractor(from: source.ports, to: target.ports)
    let status = try await tell(module, StoreURI.redacted(to))
    await source.close()
    await target.close()
    return status
  }

  package func nodes() async throws -> ExitStatus {
    try await list(NodesInteractor(store: try services.nodes(), times: presentation.times), (), Tables.nodes)
  }

  package func compact() async throws -> ExitStatus {
    try await tell(CompactInteractor(store: try services.store()), services.settings.storeName)
  }

  package func ingest(into feed: String) async throws -> ExitStatus {
    try await services.registerHooks()
    let module = IngestInteractor(ingestion: try services.makeItemIngestion(), input: presentation.input)
    return try await tell(module, feed)
  }

  package func export() async throws -> ExitStatus {
    try await show(ExportInteractor(store: try services.store()), (), as: BytesView())
  }

  package func `import`(_ path: String, feed: String?, isTrusted: Bool) async throws -> ExitStatus {
    let module = ImportInteractor(items: services.makeItemImport()) { path throws(FileError) in
      try LineFile(path)
    }
    return try await tell(module, (path, feed, isTrusted))
  }

  /// Imports from the server of another reader at `address`.
  package func importFrom(
    _ address: String,
    _ api: ServerAPI,
    _ credentials: ServerCredentials
  ) async throws -> ExitStatus {
    let module = ImportFromInteractor(items: try services.makeServerImport())
    let server = api.server(at: address, credentials, services.makeServerRequests(to: address))
    return try await tell(module, (server, api.source(at: address, credentials)))
  }

  // MARK: Documents

  /// Prints a parsed document piece by piece.
  package func parse(_ source: DocumentSource, read: @escaping FileReading) async throws -> ExitStatus {
    Allocator.returnLargeBlocks()
    let module = ParseInteractor(
      parser: services.parser,
      encoder: ParsedFeedJSONEncoder(),
      read: read
    )
    return try await show(module, source, as: BytesView())
  }

  package func parseArticle(
    _ page: DocumentSource,
    excerpt: String?,
    read: @escaping FileReading
  ) async throws -> ExitStatus {
    let module = ParseArticleInteractor(articles: services.articles, read: read)
    return try await show(module, (page, excerpt), as: ParseArticleView())
  }

  package func parseCheck(_ source: DocumentSource, read: @escaping FileReading) async throws
    -> ExitStatus
  {
    let module = ParseCheckInteractor(parser: services.parser, read: read)
    let view = RecordTextView<SyntaxProblem>(terminal: presentation.shape.terminal)
    return try await show(module, source, as: view)
  }

  package func debugTokens(of text: String, isQuery: Bool) async throws -> ExitStatus {
    try await show(DebugTokensInteractor(), (text, isQuery), as: LinesView())
  }

  // MARK: The web server

  package func webApps(_ request: WebAppsRequest) async throws -> ExitStatus {
    try await list(
      WebAppsInteractor(account: try await services.makeWebLogin()),
      request,
      Tables.appPasswords
    )
  }

  package func webSessions(_ request: WebSessionsRequest) async throws -> ExitStatus {
    try await list(
      WebSessionsInteractor(account: try await services.makeWebLogin()),
      request,
      Tables.webSessions
    )
  }

  /// Makes `password` the login password; nil: removes it.
  package func webPassword(_ password: String?) async throws -> ExitStatus {
    try await tell(WebPasswordInteractor(passwords: try await services.makeWebLogin()), password)
  }

  /// Links the account to a subject at the OpenID provider; nil: ends its links.
  package func webLink(_ subject: String?) async throws -> ExitStatus {
    let login = try await services.makeWebLogin()
    return try await tell(WebLinkInteractor(login: login, issuer: services.settings.openID.issuer), subject)
  }

  package func webStatus() async throws -> ExitStatus {
    let web = services.settings.web
    let module = WebStatusInteractor(
      account: try await services.makeWebLogin(),
      takesPassword: web.ways.contains(.password)
    )
    let isServed = web.listen != nil || web.url != nil
    let url = isServed ? services.settings.setUpSite.url("/") : nil
    return try await list(module, (web.listen, url), Tables.webStatus)
  }

  /// Answers messages of a program that uses a language model on standard input until its end.
  package func mcp(writes: Bool) async throws -> ExitStatus {
    let server = try services.makeMCPServer(writes: writes)
    let output = presentation.output
    try await MCPLines(server: server, input: presentation.input) { bytes in try output.write(bytes) }.run()
    return .done
  }
}
