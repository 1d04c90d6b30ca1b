import NewsHTTP
import Modules
import NewsCore
import NewsSync

extension ServiceContainer {
  /// Makes the use case that sync clients share.
  func makeSyncStreams(_ refreshes: SyncRefreshes? = nil) throws(StoreError) -> SyncStreams {
    let refreshes = refreshes ?? makeSyncRefreshes { _ in }
    return SyncStreams(
      store: try store(),
      transfer: try makeSubscriptionTransfer(),
      clock: clock,
      icons: try makeFeedIcons(),
      network: SyncNetwork(
        makeAdder: { [self] () throws(StoreError) -> FeedAdder in try makeFeedAdder() },
        refresh: { (feed) throws(StoreError) in await (try refreshes.start([feed]))?.value },
        startRefresh: { (feeds) throws(StoreError) in try refreshes.start(feeds) },
        article: { [self] job in await makeArticleFetch().read(job, isUrgent: true) }
      ),
      separator: FolderSeparator(settings.web.folderSeparator)
    )
  }

  func makeSyncRefreshes(_ report: @escaping @Sendable (RefreshEvent) -> Void) -> SyncRefreshes {
    SyncRefreshes(report: report) { [self] () throws(StoreError) -> Refresher in try makeRefresher() }
  }

  private func makeOwnAPI(followers: WorkShare? = nil) throws(StoreError) -> OwnAPI {
    OwnAPI(
      store: try store(),
      ingestion: try makeItemIngestion(),
      richText: richText,
      clock: clock,
      followers: followers
    )
  }

  /// Makes the server of tools for language models. With `writes`, it has the tools that change the store.
  func makeMCPServer(writes: Bool) throws(StoreError) -> MCPServer {
    MCPServer(
      api: try makeOwnAPI(),
      streams: try makeSyncStreams(),
      status: try makeStatus(),
      storePath: settings.storeName,
      version: version,
      writes: writes
    )
  }

  /// The routes of sync protocols, of newsd's own API and of tools for language models. `followers` is the account's share of
  /// the server's places for event streams; nil: the account is alone.
  func syncRoutes(
    _ account: any WebAccount,
    _ refreshes: SyncRefreshes,
    followers: WorkShare? = nil
  ) throws(StoreError) -> [WebRoute] {
    let streams = try makeSyncStreams(refreshes)
    let api = try makeOwnAPI(followers: followers)
    let web = settings.web
    var routes = api.routes + IconEndpoint(icons: streams.icons).routes
    if web.serves(.greader) { routes += GoogleReader(streams: streams, account: account).routes }
    if web.serves(.fever) { routes += Fever(streams: streams, account: account).routes }
    if web.serves(.miniflux) { routes += Miniflux(streams: streams, account: account).routes }
    if web.mcp != .off {
      routes.append(MCPEndpoint(server: try makeMCPServer(writes: web.mcp == .write)).route)
    }
    return routes
  }
}
