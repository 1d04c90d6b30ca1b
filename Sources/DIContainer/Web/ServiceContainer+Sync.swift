import NewsHTTP
import Modules
import NewsCore
import NewsSync

extension ServiceContainer {
  /// Makes the use case that sync clients share.
  func makeSyncStreams() throws(StoreError) -> SyncStreams {
    SyncStreams(
      store: try store(),
      transfer: try makeSubscriptionTransfer(),
      clock: clock,
      makeAdder: { [self] () throws(StoreError) -> FeedAdder in try makeFeedAdder() }
    )
  }

  private func makeOwnAPI() throws(StoreError) -> OwnAPI {
    OwnAPI(store: try store(), ingestion: try makeItemIngestion(), richText: richText, clock: clock)
  }

  /// Makes the server of tools for language models. With `writes`, it has the tools that change the store.
  func makeMCPServer(writes: Bool) throws(StoreError) -> MCPServer {
    let store = try store()
    let status = StatusInteractor(feeds: store, changes: store, measure: storeMeasure, clock: clock)
    return MCPServer(
      api: try makeOwnAPI(),
      streams: try makeSyncStreams(),
      status: status,
      storePath: settings.storeName,
      version: version,
      writes: writes
    )
  }

  /// The routes of sync protocols, of newsd's own API and of tools for language models.
  func syncRoutes(_ account: any WebAccount) throws(StoreError) -> [WebRoute] {
    let streams = try makeSyncStreams()
    let api = try makeOwnAPI()
    let web = settings.web
    var routes = api.routes
    if web.serves(.greader) { routes += GoogleReader(streams: streams, account: account).routes }
    if web.serves(.fever) { routes += Fever(streams: streams, account: account).routes }
    if web.serves(.miniflux) { routes += Miniflux(api: api, streams: streams, account: account).routes }
    if web.mcp != .off {
      routes.append(MCPEndpoint(server: try makeMCPServer(writes: web.mcp == .write)).route)
    }
    return routes
  }
}
