import NewsCore

/// The identity policy of one feed: set by the user, or else derived from the feed's history.
struct FeedIdentityState {
  private let feed: Feed.ID
  private(set) var policy: IdentityPolicy
  /// True if the user set the policy; then it is never changed automatically.
  let isSetByUser: Bool
  /// The feed's current settings.
  let settings: FeedSettings
  private let hasItems: Bool
  /// True if no document of the feed was stored before.
  let isNew: Bool

  /// Nil if the feed was removed.
  init?(_ feed: Feed.ID, _ connection: Connection) throws(StoreError) {
    let statement = try connection.prepare(
      "SELECT identity, settings, items, items = 0 AND last_success IS NULL FROM feeds WHERE id = ?"
    )
    try statement.bind(1, feed.rawValue)
    guard try statement.step() else { return nil }
    self.feed = feed
    policy = statement.optionalString(0).flatMap(IdentityPolicy.init(rawValue:)) ?? .guid
    settings = FeedSettings(stored: statement.optionalString(1))
    let chosen = settings.identity.flatMap(IdentityPolicy.init(rawValue:))
    isSetByUser = chosen != nil
    hasItems = statement.int64(2) > 0
    isNew = statement.bool(3)
    if let chosen, chosen != policy { try adopt(chosen, connection) }
  }

  /// Changes the policy if the current one does not suit a new document.
  mutating func review(_ items: [StoredItem], _ connection: Connection) throws(StoreError) {
    guard !isSetByUser, !items.isEmpty else { return }
    if let better = try betterPolicy(items, connection) { try adopt(better, connection) }
    if policy == .content { try RenamedItems(feed, connection).storeGuidsAndLinks(items) }
  }

  private func betterPolicy(
    _ items: [StoredItem],
    _ connection: Connection
  ) throws(StoreError) -> IdentityPolicy? {
    if let better = betterInDocument(items) { return better }
    guard hasItems else { return nil }
    if policy == .content { return try RenamedItems(feed, connection).stablePolicy(items) }
    let survey = try DocumentSurvey(items, of: feed, under: policy, connection)
    if survey.known == 0 { return try betterByHistory(items, connection) }
    if policy == .guid, survey.guidsAreReused, tellsApart(.link, items) { return .link }
    return survey.linksAreReused ? .content : nil
  }

  private func tellsApart(_ policy: IdentityPolicy, _ items: [StoredItem]) -> Bool {
    Set(items.map(policy.identity(of:))).count == items.count && items.allSatisfy { $0.url != nil }
  }

  /// Returns a better policy if items of the document share guids or links; nil if the current one suits.
  private func betterInDocument(_ items: [StoredItem]) -> IdentityPolicy? {
    guard items.count > 1 else { return nil }
    func distinct(_ policy: IdentityPolicy) -> Int { Set(items.map(policy.identity(of:))).count }
    let present = distinct(policy)
    let link = distinct(.link)
    // Two items with one guid already prove the guids wrong if all links and texts differ: one item would be lost.
    if policy == .guid, present < items.count, link == items.count, items.allSatisfy({ $0.url != nil }),
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
    _ connection: Connection
  ) throws(StoreError) -> IdentityPolicy? {
    guard items.contains(where: { $0.guid != nil || $0.url != nil }) else { return nil }
    let recent = try RecentItems(feed, limit: min(items.count * 2 + 10, 500), connection)
    if policy == .guid, try recent.matchesByLink(items) { return .link }
    return try recent.matchesByContent(items) ? .content : nil
  }

  /// Changes the policy and recomputes the identities of stored items and tombstones under it.
  private mutating func adopt(_ new: IdentityPolicy, _ connection: Connection) throws(StoreError) {
    policy = new
    let feeds = try connection.prepare("UPDATE feeds SET identity = ? WHERE id = ?")
    try feeds.bind(1, new.rawValue)
    try feeds.bind(2, feed.rawValue)
    try feeds.run()
    let items = try connection.prepare(
      """
      SELECT i.key, coalesce(i.guid, i.url), i.url, i.title, \(ItemArticles.feedText)
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.feed = ?
      """
    )
    try items.bind(1, feed.rawValue)
    var identities: [(key: Int64, identity: Int64)] = []
    while try items.step() {
      let identity = new.identity(
        guid: items.optionalString(1),
        url: items.optionalString(2),
        title: items.string(3),
        text: items.string(4)
      )
      identities.append((items.int64(0), identity))
    }
    try set(identities, "UPDATE items SET identity = ? WHERE key = ?", connection)
    let stones = try connection.prepare("SELECT sequence, guid, url FROM tombstones WHERE feed = ?")
    try stones.bind(1, feed.rawValue)
    identities = []
    while try stones.step() {
      guard let identity = new.identity(guid: stones.string(1), url: stones.optionalString(2)) else {
        continue
      }
      identities.append((stones.int64(0), identity))
    }
    try set(identities, "UPDATE tombstones SET identity = ? WHERE sequence = ?", connection)
  }

  private func set(
    _ identities: [(key: Int64, identity: Int64)],
    _ sql: String,
    _ connection: Connection
  ) throws(StoreError) {
    let statement = try connection.prepare(sql)
    for entry in identities {
      try statement.bind(1, entry.identity)
      try statement.bind(2, entry.key)
      try statement.run()
    }
  }
}
