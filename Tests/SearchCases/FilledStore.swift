public import NewsCore

/// A test's store, with helpers to fill and to ask it.
public protocol FilledStore {
  typealias Ports = any FeedKeeping & ArrivalStoring & ItemReading
  var ports: Ports { get }
}

extension FilledStore {
  /// Subscribes to a feed.
  public func subscribe(_ url: String = "http://example.org/feed", title: String? = nil) async throws -> Feed
  {
    try await ports.add(NewFeed(url: url, title: title), at: Timestamp(seconds: 1_000_000))
  }

  /// Stores a document with these items.
  @discardableResult
  public func refresh(
    _ feed: Feed,
    _ items: [ParsedItem],
    at seconds: Int64 = 2_000_000,
    language: String? = nil
  ) async throws -> RefreshChange {
    var parsed = ParsedFeed(format: "rss20")
    parsed.title = "Example"
    parsed.items = items
    parsed.language = language
    // A feed without a success is polled for the first time.
    var state = FetchState.unfetched
    state.lastSuccess = Timestamp(seconds: seconds)
    let record = RefreshRecord(
      feedID: feed.id,
      state: state,
      parsed: parsed,
      time: Timestamp(seconds: seconds)
    )
    let changes = try await ports.commit([record])
    return changes.first ?? RefreshChange(feedID: feed.id)
  }

  public func titles(
    _ query: Query = .all,
    order: ItemOrder = .newest,
    offset: Int = 0,
    limit: Int? = nil
  ) async throws -> [String] {
    let request = ItemRequest(query: query, order: order, offset: offset, limit: limit, parts: [])
    return try await ports.items(request).map(\.item.title)
  }
}

extension ChangeReading {
  /// Reads changes whatever bytes their items have.
  public func changes(
    after sequence: Int64,
    limit: Int,
    query: Query
  ) async throws(StoreError) -> [Change] {
    try await changes(after: sequence, limit: limit, query: query, within: .max).changes
  }
}

extension ParsedItem {
  public init(
    _ id: String?,
    title: String = "",
    text: String = "",
    url: String? = nil,
    published: Int64? = nil
  ) {
    self.init()
    self.id = id
    self.title = title
    contentText = text
    self.url = url
    self.published = published.map(Timestamp.init(seconds:))
  }
}
