package import NewsCore

/// The identity policy of one feed. It is set by the user, or else derived from the feed's history.
package struct FeedIdentityReview {
  private let feed: Feed.ID
  package private(set) var policy: IdentityPolicy
  /// True if the user set the policy. Such a policy never changes automatically.
  package let isSetByUser: Bool
  /// The feed's current settings.
  package let settings: FeedSettings
  private let hasItems: Bool
  /// True if the feed has no items and no document of it was stored before.
  package let isNew: Bool
  /// True if the feed's items were imported and no document of it was stored before.
  package let isFirstPoll: Bool
  /// True if the store has neither items of the feed nor tombstones.
  package let isUntouched: Bool

  /// Reads the state of a feed. Returns nil if the feed was removed, or if this process lost its claim on it.
  package init?(_ feed: Feed.ID, in session: inout some ItemSession) throws(StoreError) {
    guard let state = try session.feedState(of: feed) else { return nil }
    self.feed = feed
    policy = state.policy
    settings = state.settings
    let chosen = settings.identity.flatMap(IdentityPolicy.init(rawValue:))
    isSetByUser = chosen != nil
    hasItems = state.hasItems
    isNew = state.isNew
    isFirstPoll = state.isUnpolled && state.hasItems
    isUntouched = !state.hasItems && !state.hasTombstones
    if let chosen, chosen != policy { try adopt(chosen, &session) }
  }

  /// Changes the policy if the current one does not suit a new document.
  package mutating func review(
    _ items: [StoredItem],
    in session: inout some ItemSession
  ) throws(StoreError) {
    guard !isSetByUser, !items.isEmpty else { return }
    if let better = try betterPolicy(items, session) { try adopt(better, &session) }
    if policy == .content { try RenamedItems(feed).storeGuidsAndLinks(items, in: &session) }
  }

  private func betterPolicy(
    _ items: [StoredItem],
    _ session: some ItemSession
  ) throws(StoreError) -> IdentityPolicy? {
    if let better = betterInDocument(items) { return better }
    guard hasItems else { return nil }
    if policy == .content { return try RenamedItems(feed).stablePolicy(items, in: session) }
    let survey = try DocumentSurvey(items, of: feed, under: policy, in: session)
    if survey.known == 0 { return try betterByHistory(items, session) }
    if policy == .guid, survey.guidsAreReused, tellsApart(.link, items) { return .link }
    return survey.linksAreReused ? .content : nil
  }

  private func tellsApart(_ policy: IdentityPolicy, _ items: [StoredItem]) -> Bool {
    Set(items.map(policy.identity(of:))).count == items.count && items.allSatisfy { $0.url != nil }
  }

  /// Returns a better policy if items of the document share guids or links; nil if the current policy suits.
  private func betterInDocument(_ items: [StoredItem]) -> IdentityPolicy? {
    guard items.count > 1 else { return nil }
    func distinct(_ policy: IdentityPolicy) -> Int { Set(items.map(policy.identity(of:))).count }
    let present = distinct(policy)
    guard present < items.count else { return nil }
    let link = distinct(.link)
    // Even two items with the same guid show that guids are wrong if all links and texts differ: one of the items would
    // be lost.
    if policy == .guid, link == items.count, items.allSatisfy({ $0.url != nil }),
      distinct(.content) == items.count
    {
      return .link
    }
    guard present * 2 <= items.count else { return nil }
    if policy == .guid, link > present, link * 10 >= items.count * 9 { return .link }
    return policy != .content && distinct(.content) > max(present, link) ? .content : nil
  }

  /// Handles a document whose items all seem new, although their links or titles are stored: the guids, or guids and
  /// links, change with every fetch.
  private func betterByHistory(
    _ items: [StoredItem],
    _ session: some ItemSession
  ) throws(StoreError) -> IdentityPolicy? {
    guard items.contains(where: { $0.guid != nil || $0.url != nil }) else { return nil }
    let recent = try RecentItems(feed, limit: ItemRevisions.examined(items.count), in: session)
    if policy == .guid, try recent.matchesByLink(items, in: session) { return .link }
    return try recent.matchesByContent(items, in: session) ? .content : nil
  }

  private mutating func adopt(_ new: IdentityPolicy, _ session: inout some ItemSession) throws(StoreError) {
    policy = new
    try session.adopt(new, for: feed)
  }
}
