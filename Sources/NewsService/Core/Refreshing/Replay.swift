/// Refreshes a store from recorded exchanges: feeds that it lacks are subscribed to, then each is polled as often as it
/// was recorded. No network is touched.
public struct Replay: Sendable {
  private let replayer: FetchReplayer
  private let subscriptions: any FeedReading & FeedEditing
  private let refresher: Refresher

  public init(
    replayer: FetchReplayer,
    parser: any FeedParsing,
    subscriptions: any FeedReading & FeedEditing,
    store: any RefreshStoring,
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

  /// Why the store must not be used. What a stranger recorded would become items, validators and moves of feeds that are
  /// subscribed there.
  ///
  /// - Parameter isSeparate: True: the user named the store for this.
  /// - Returns: A message; nil when the store may be used.
  /// - Throws: When the store cannot be read.
  public func refusal(isSeparate: Bool) async throws(StoreError) -> String? {
    guard !isSeparate, try await !subscriptions.feeds().isEmpty else { return nil }
    return
      "replay would put what was recorded into a store with feeds. Name another store: newsd --db NEW.db replay DIR"
  }

  /// - Parameter report: Called in order, from one task at a time.
  /// - Returns: What the last round came to.
  /// - Throws: When the store cannot be read or written.
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
