import NewsService

/// How the items of one feed are told apart.
enum IdentityPolicy: String {
  /// The guid, else the link, else the content: right for all feeds that keep their guids.
  case guid
  /// The link, else the guid: for feeds whose guids change, or which give one guid to all items.
  case link
  /// Title and text: for feeds where neither means anything.
  case content

  func identity(guid: String?, url: String?, title: String, text: String) -> Int64 {
    var hash = StableHash()
    switch self {
    case .guid: if Self.add(guid, to: &hash) || Self.add(url, to: &hash) { return hash.value }
    case .link: if Self.add(url, to: &hash) || Self.add(guid, to: &hash) { return hash.value }
    case .content: break
    }
    hash.add("c")
    hash.add(title)
    hash.add(text)
    return hash.value
  }

  func identity(of item: StoredItem) -> Int64 {
    identity(guid: item.guid, url: item.url, title: item.title, text: item.text)
  }

  /// Of a removed item the texts are gone: nil when they would be needed.
  func identity(guid: String?, url: String?) -> Int64? {
    guard self != .content, guid?.isEmpty == false || url?.isEmpty == false else { return nil }
    return identity(guid: guid, url: url, title: "", text: "")
  }

  /// A guid and a link are one kind: a feed that begins to repeat its links as guids keeps its items.
  private static func add(_ value: String?, to hash: inout StableHash) -> Bool {
    guard let value, !value.isEmpty else { return false }
    hash.add(value)
    return true
  }
}

/// The policy of one feed: chosen by the user, else from the feed's own history.
struct FeedIdentityState {
  private let feed: Feed.ID
  private(set) var policy: IdentityPolicy
  private let isChosen: Bool

  /// Nil when the feed is gone.
  init?(_ feed: Feed.ID, _ connection: Connection) throws(StoreError) {
    let statement = try connection.prepare("SELECT identity, settings FROM feeds WHERE id = ?")
    try statement.bind(1, feed.rawValue)
    guard try statement.step() else { return nil }
    self.feed = feed
    policy = statement.optionalString(0).flatMap(IdentityPolicy.init(rawValue:)) ?? .guid
    let chosen = FeedSettings(stored: statement.optionalString(1)).identity.flatMap(
      IdentityPolicy.init(rawValue:)
    )
    isChosen = chosen != nil
    if let chosen, chosen != policy { try adopt(chosen, connection) }
  }

  /// Looks at a new document and changes the policy when the present one fails the feed.
  mutating func review(_ items: [StoredItem], _ connection: Connection) throws(StoreError) {
    guard !isChosen, !items.isEmpty else { return }
    if let better = betterInDocument(items) {
      try adopt(better, connection)
    } else if let better = try betterByHistory(items, connection) {
      try adopt(better, connection)
    }
  }

  /// One guid, or one link, for most items of a document tells nothing apart.
  private func betterInDocument(_ items: [StoredItem]) -> IdentityPolicy? {
    guard items.count > 1 else { return nil }
    func distinct(_ policy: IdentityPolicy) -> Int { Set(items.map(policy.identity(of:))).count }
    let present = distinct(policy)
    guard present * 2 <= items.count else { return nil }
    let link = distinct(.link)
    if policy == .guid, link > present, link * 10 >= items.count * 9 { return .link }
    return policy != .content && distinct(.content) > max(present, link) ? .content : nil
  }

  /// Every item seems new, though their links (or their titles) are known: the guids (or the links, too) change at
  /// every fetch.
  private func betterByHistory(
    _ items: [StoredItem],
    _ connection: Connection
  ) throws(StoreError) -> IdentityPolicy? {
    guard policy != .content, items.contains(where: { $0.guid != nil || $0.url != nil }) else { return nil }
    let known = try connection.prepare("SELECT 1 FROM items WHERE feed = ? AND identity = ?")
    for item in items {
      try known.bind(1, feed.rawValue)
      try known.bind(2, policy.identity(of: item))
      let isKnown = try known.step()
      known.reset()
      if isKnown { return nil }
    }
    // As many as the document before this one may have had: many feeds bring nothing but news, and should not pay.
    let history = try connection.prepare(
      "SELECT url, title FROM items WHERE feed = ? ORDER BY key DESC LIMIT ?"
    )
    try history.bind(1, feed.rawValue)
    try history.bind(2, min(items.count * 2 + 10, 500))
    var urls: Set<String> = []
    var titles: Set<String> = []
    while try history.step() {
      if let url = history.optionalString(0) { urls.insert(url) }
      titles.insert(history.string(1))
    }
    guard !titles.isEmpty else { return nil }
    let sameURL = items.filter { $0.url.map(urls.contains) ?? false }
    let sameTitle = items.filter { !$0.title.isEmpty && titles.contains($0.title) }
    // A single item must agree in both: a page that is rewritten in place keeps its link.
    let isOne = items.count == 1
    if policy == .guid, sameURL.count * 10 >= items.count * 6, Set(sameURL.map(\.url)).count == sameURL.count,
      !isOne || !sameTitle.isEmpty
    {
      return .link
    }
    guard items.count >= 3, sameTitle.count == items.count, sameURL.isEmpty else { return nil }
    return try isKnownByContent(items, connection) ? .content : nil
  }

  /// True when most items were stored before, word for word. Titles alone recur: "Comment by …", "Weather today".
  private func isKnownByContent(
    _ items: [StoredItem],
    _ connection: Connection
  ) throws(StoreError) -> Bool {
    let history = try connection.prepare(
      """
      SELECT i.title, c.text FROM items AS i JOIN contents AS c ON c.key = i.key
      WHERE i.feed = ? ORDER BY i.key DESC LIMIT 500
      """
    )
    try history.bind(1, feed.rawValue)
    var known: Set<Int64> = []
    while try history.step() {
      known.insert(
        IdentityPolicy.content.identity(
          guid: nil,
          url: nil,
          title: history.string(0),
          text: history.string(1)
        )
      )
    }
    let found = Set(items.map(IdentityPolicy.content.identity(of:))).intersection(known)
    return found.count * 10 >= items.count * 6
  }

  /// Changes the policy and gives the stored items, and the tombstones, their identity under it.
  private mutating func adopt(_ new: IdentityPolicy, _ connection: Connection) throws(StoreError) {
    policy = new
    let feeds = try connection.prepare("UPDATE feeds SET identity = ? WHERE id = ?")
    try feeds.bind(1, new.rawValue)
    try feeds.bind(2, feed.rawValue)
    try feeds.run()
    let items = try connection.prepare(
      """
      SELECT i.key, coalesce(i.guid, i.url), i.url, i.title, c.text
      FROM items AS i JOIN contents AS c ON c.key = i.key WHERE i.feed = ?
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
