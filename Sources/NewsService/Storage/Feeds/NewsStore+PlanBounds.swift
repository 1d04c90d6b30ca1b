public import NewsCore

extension NewsStore: PollPlanKeeping {
  public func rescheduleAll(within bounds: ClosedRange<Int64>) async throws(StoreError) {
    // Check with a reader first: usually no write transaction is needed.
    let isNeeded = try await read { (connection) throws(StoreError) in
      try !Self.plansOutside(bounds, connection).isEmpty
    }
    guard isNeeded else { return }
    try await write { (connection) throws(StoreError) in
      try Self.plan(Self.plansOutside(bounds, connection), connection)
      try Counter.feedList.add(1, connection)
    }
  }

  /// Returns the feeds whose next poll is outside their interval limits, with the corrected state.
  private static func plansOutside(
    _ bounds: ClosedRange<Int64>,
    _ connection: Connection
  ) throws(StoreError) -> [(id: Feed.ID, state: FetchState)] {
    // Read every feed with settings, because it may have its own limits.
    let feeds = try connection.prepare(
      """
      SELECT \(FeedRow.columns) FROM feeds
      WHERE failures = 0 AND (settings IS NOT NULL OR next_due < last_fetched + ?1 OR next_due > last_fetched + ?2)
      """
    )
    try feeds.bind(1, bounds.lowerBound)
    try feeds.bind(2, bounds.upperBound)
    var plans: [(id: Feed.ID, state: FetchState)] = []
    while try feeds.step() {
      let feed = FeedRow.feed(feeds)
      let state = feed.fetchState.rescheduled(within: feed.settings.intervals(bounds))
      if state != feed.fetchState { plans.append((feed.id, state)) }
    }
    return plans
  }

  /// Stores the next poll of each state.
  static func plan(_ plans: [(id: Feed.ID, state: FetchState)], _ connection: Connection) throws(StoreError) {
    let plan = try connection.prepare("UPDATE feeds SET next_due = ?, next_due_reason = ? WHERE id = ?")
    for (id, state) in plans {
      try plan.bind(1, state.nextDue)
      try plan.bind(2, state.nextDueReason?.description)
      try plan.bind(3, id.rawValue)
      try plan.run()
    }
  }
}
