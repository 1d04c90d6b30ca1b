import NewsCore

@testable import Modules

// Requests and presenters as tests write them, for modules with types of their own for these.

extension Emitted where Content: RecordListContent {
  /// The text of each record.
  func lines() -> [String] { content?.lines.map(\.text.string) ?? [] }
}

extension Emitted where Content == HealthViewModel {
  func lines() -> [String] { content?.lines.map(\.string) ?? [] }
}

extension NodesInteractor {
  init(store: (any NodeListing)?, times: TimeDisplay) {
    self.init(store: store, presenter: NodesPresenter(times: times))
  }
}

extension HookFailuresInteractor {
  init(store: any HookKeeping, times: TimeDisplay) {
    self.init(store: store, presenter: HookFailuresPresenter(times: times))
  }
}

extension HooksInteractor {
  init(
    configured: [Hook],
    store: any HookKeeping,
    runner: HookRunner,
    filters: FilterResolver,
    clock: any WallClock,
    times: TimeDisplay
  ) {
    self.init(
      configured: configured,
      store: store,
      runner: runner,
      filters: filters,
      clock: clock,
      presenter: HooksPresenter(times: times)
    )
  }
}

extension StoriesInteractor {
  init(stories: any StoryReading, times: TimeDisplay) {
    self.init(stories: stories, presenter: StoriesPresenter(times: times))
  }
}

extension FeedIdentityInteractor {
  init(store: any FeedReading & FeedIdentityKeeping) { self.init(feeds: store, identities: store) }
}

func emitted(_ module: RestoreInteractor, _ request: (store: String, backup: String)) async throws
  -> Emitted<RestoreInteractor.ViewModel>
{
  try await emitted(module, RestoreRoute(store: request.store, backup: request.backup))
}

func emitted(_ module: StoreImportInteractor, _ request: (path: String, feed: String?, isTrusted: Bool))
  async throws -> Emitted<StoreImportInteractor.ViewModel>
{
  let route = StoreImportRoute(path: request.path, feed: request.feed, isTrusted: request.isTrusted)
  return try await emitted(module, route)
}

func emitted(_ module: TokensInteractor, _ request: (text: String, isQuery: Bool)) async throws
  -> Emitted<TokensInteractor.ViewModel>
{
  try await emitted(module, TokensRoute(text: request.text, isQuery: request.isQuery))
}

func emitted(_ module: WebStatusInteractor, _ request: (listen: String?, url: String?)) async throws
  -> Emitted<WebStatusInteractor.ViewModel>
{
  try await emitted(module, WebStatusRoute(listen: request.listen, url: request.url))
}

func emitted(_ module: WebPasswordInteractor, _ password: String?) async throws
  -> Emitted<WebPasswordInteractor.ViewModel>
{
  try await emitted(module, password.map { .set($0) } ?? .remove)
}

func emitted(_ module: PageArticleInteractor, _ request: (page: DocumentSource, excerpt: String?))
  async throws
  -> Emitted<PageArticleInteractor.ViewModel>
{
  try await emitted(module, PageArticleRoute(page: request.page, excerpt: request.excerpt))
}

func emitted(_ module: FeedIdentityInteractor, _ request: (feed: String, policy: String?)) async throws
  -> Emitted<FeedIdentityInteractor.ViewModel>
{
  try await emitted(module, FeedIdentityRoute(feed: request.feed, policy: request.policy))
}
