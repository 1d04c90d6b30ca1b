/// Refreshes a store from recorded exchanges: subscribes to the recorded feeds that the store lacks, then
/// polls all of them as often as the feed with the most recordings was recorded. Uses no network.
public struct Replay: Sendable {
  private let replayer: FetchReplayer
  private let subscriptions: any FeedKeeping
  private let refresher: Refresher

  public init(
    replayer: FetchReplayer,
    parser: any FeedParsing,
    subscriptions: any FeedKeeping,
    store: any ArrivalStoring,
    policy: PollPolicy = PollPolicy(),
    options: RefreshOptions = RefreshOptions()
  ) {
    self.replayer = replayer
    self.subscriptions = subscriptions
    refresher = Refresher(
      fetcher: replayer,
      parser: parser,
      store: store,
      editor: subscriptions,
      clock: replayer,
      policy: policy,
      options: options
    )
  }

  /// Returns why the store must not be used. A recording from someone else would add items, validators and
  /// moves to the user's feeds. `isSeparate`: the user named this store for the replay.
  public func refusal(isSeparate: Bool) async throws(StoreError) -> String? {
    guard !isSeparate, try await !subscriptions.feeds().isEmpty else { return nil }
    return
      "the store has feeds, which a replay would change. Name a new store: newsd --db NEW.db replay DIR"
  }

  /// Subscribes to the recorded feeds that are missing, then polls all recorded feeds `FetchReplayer.rounds`
  /// times. `report` is called sequentially. Returns the totals of the last round.
  public func run(
    report: @escaping @Sendable (RefreshEvent) -> Void = { _ in }
  ) async throws(StoreError) -> RefreshSummary {
    let new = replayer.urls.map { NewFeed(url: $0) }
    _ = try await subscriptions.add(new, at: replayer.now())
    let recorded = Set(replayer.urls)
    let ids = try await subscriptions.feeds().filter { recorded.contains($0.url) }.map(\.id)
    var summary = RefreshSummary()
    for _ in 0..<replayer.rounds { summary = await refresher.refresh(named: ids, report: report) }
    return summary
  }
}
