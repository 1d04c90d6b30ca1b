import NewsCore
import NewsToolbox
import Synchronization

@testable import Modules
@testable import NewsFormats
@testable import NewsText

/// An in-memory store with the ports that modules use.
final class FakeStore: ItemReading, FeedKeeping, ItemMarking, DefinitionKeeping, PartialFake, Sendable {
  struct State {
    var items: [NewsItem] = []
    var feeds: [Feed] = []
    var searches: [String] = []
    /// Items that are read together.
    var stories: [[NewsItem.ID]] = []
    var requests: [ItemRequest] = []
    var failure: StoreError?
    /// Calls in order, for tests that check the order.
    var log: [String] = []
  }

  let state: Mutex<State>

  init(items: [NewsItem] = [], feeds: [Feed] = [], failure: StoreError? = nil) {
    state = Mutex(State(items: items, feeds: feeds, failure: failure))
  }

  private func check() throws(StoreError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Evaluates the few kinds of queries that the tests use.
  private func selected(_ query: Query) -> [NewsItem] {
    state.withLock { state in
      state.items.filter { Self.matches($0, query) }.sorted { ($1.sortTime, $1.id) < ($0.sortTime, $0.id) }
    }
  }

  private static func matches(_ item: NewsItem, _ query: Query) -> Bool {
    switch query {
    case .all: true
    case .and(let parts): parts.allSatisfy { matches(item, $0) }
    case .feedID(let id): item.feedID == id
    case .isRead(let wanted): item.isRead == wanted
    case .isStarred(let wanted): item.isStarred == wanted
    case .text(let match): item.title.lowercased().contains(match.text.lowercased())
    default: false
    }
  }

  func items(_ request: ItemRequest) async throws(StoreError) -> [ItemMatch] {
    try check()
    state.withLock { $0.requests.append(request) }
    var ordered = selected(request.query)
    if request.order == .oldest { ordered.reverse() }
    if let id = request.continuing {
      guard let item = state.withLock({ $0.items.first { $0.id == id } }) else {
        throw StoreError(code: .noSuchItem, message: "No item \(id.rawValue).")
      }
      let isOldest = request.order == .oldest
      ordered.removeAll { other in
        let isBefore = (other.sortTime, other.id) < (item.sortTime, item.id)
        return other.id == id || isBefore == isOldest
      }
    }
    let all = ordered.dropFirst(request.offset)
    return all.prefix(request.limit ?? .max).map { ItemMatch(item: $0) }
  }

  func count(_ request: ItemRequest) async throws(StoreError) -> Int {
    try check()
    state.withLock { $0.log.append("counted") }
    return selected(request.query).count
  }

  func forEachBatch(
    _ request: ItemRequest,
    of size: Int,
    _ consume: @Sendable ([ItemMatch]) throws -> Bool
  ) async throws {
    try check()
    state.withLock { $0.requests.append(request) }
    var rest = selected(request.query).prefix(request.limit ?? .max)
    while !rest.isEmpty {
      guard try consume(rest.prefix(size).map { ItemMatch(item: $0) }) else { return }
      rest = rest.dropFirst(size)
    }
  }

  func item(_ id: NewsItem.ID) async throws(StoreError) -> NewsItem {
    try check()
    guard let item = state.withLock({ $0.items.first { $0.id == id } }) else {
      throw StoreError(code: .noSuchItem, message: "No item \(id.rawValue).")
    }
    return item
  }

  func textSizes(of ids: [NewsItem.ID], within bytes: Int) async throws(StoreError) -> [Int] {
    try check()
    return state.withLock { state in
      ids.map { id in state.items.first { $0.id == id }?.contentText.utf8.count ?? 0 }
    }
  }

  func activity(_ query: Query) async throws(StoreError) -> [DayCount] {
    try check()
    let days = Dictionary(grouping: selected(query)) { Int($0.sortTime.seconds / 86_400) }
    return days.map { DayCount(day: $0.key, count: $0.value.count) }.sorted { $0.day < $1.day }
  }

  func edit(_ ids: [NewsItem.ID], _ edit: StreamEdit) async throws(StoreError) -> [NewsItem.ID] {
    try check()
    return state.withLock { state in
      for index in state.items.indices where ids.contains(state.items[index].id) {
        let kept = state.items[index].labels.filter { !edit.removedLabels.contains($0) }
        state.items[index].labels = kept + edit.addedLabels.filter { !kept.contains($0) }
      }
      return ids.filter { id in !state.items.contains { $0.id == id } }
    }
  }

  func labelNames() async throws(StoreError) -> [String] { [] }

  func hooks(with event: HookEvent) async throws(StoreError) -> [String] { ["later"] }

  func save(_ ids: [NewsItem.ID]) async throws(StoreError) -> [NewsItem.ID] {
    state.withLock { $0.log.append("save \(ids.map(\.rawValue))") }
    return []
  }

  func apply(_ mark: ItemMark, to ids: [NewsItem.ID]) async throws(StoreError) -> MarkOutcome {
    try check()
    return state.withLock { state in
      var outcome = MarkOutcome()
      for id in ids {
        guard state.items.contains(where: { $0.id == id }) else {
          outcome.missing.append(id)
          continue
        }
        let copies = mark == .read ? state.stories.first { $0.contains(id) } ?? [] : []
        for index in state.items.indices
        where state.items[index].id == id || copies.contains(state.items[index].id) {
          let before = state.items[index]
          switch mark {
          case .read: state.items[index].isRead = true
          case .unread: state.items[index].isRead = false
          case .starred: state.items[index].isStarred = true
          case .unstarred: state.items[index].isStarred = false
          }
          let after = state.items[index]
          guard before.isRead != after.isRead || before.isStarred != after.isStarred else { continue }
          outcome.changed.append(after.id)
        }
      }
      return outcome
    }
  }

  func recentSearches(limit: Int) async throws(StoreError) -> [String] {
    try check()
    return state.withLock { Array($0.searches.prefix(limit)) }
  }

  func remember(search query: String, at time: Timestamp) async {
    state.withLock { state in
      state.searches.removeAll { $0 == query }
      state.searches.insert(query, at: 0)
      state.log.append("remember \(query)")
    }
  }

  func feeds() async throws(StoreError) -> [Feed] {
    try check()
    return state.withLock { $0.feeds.sorted { $0.position < $1.position } }
  }

  func feeds(_ window: FeedWindow) async throws(StoreError) -> (feeds: [Feed], totals: FeedWindow.Totals) {
    let all = try await feeds()
    let found = all.filter {
      switch window.subset {
      case .all: true
      case .unreadOrFailing: $0.unreadCount > 0 || FailureReport.isFailing($0)
      case .failing: FailureReport.isFailing($0)
      case .feed(let id): $0.id == id
      }
    }
    let unread = all.reduce(0) { $0 + $1.unreadCount }
    let totals = FeedWindow.Totals(matching: found.count, feeds: all.count, unread: unread)
    return (Array(found.dropFirst(window.places.lowerBound).prefix(window.places.count)), totals)
  }

  func folders() async throws(StoreError) -> [String] {
    Array(Set(try await feeds().compactMap(\.folder)))
  }

  func feed(named name: String) async throws(StoreError) -> Feed {
    try check()
    let found = state.withLock {
      $0.feeds.first { String($0.id.rawValue) == name || $0.title == name || $0.url == name }
        ?? $0.feeds.first { $0.title.lowercased().contains(name.lowercased()) }
    }
    guard let found else { throw StoreError(code: .noSuchFeed, message: "No feed “\(name)”.") }
    return found
  }

  func add(_ feed: NewFeed, at time: Timestamp) async throws(StoreError) -> Feed {
    try check()
    return state.withLock { state in
      let id = Feed.ID(rawValue: Int64(state.feeds.count + 1))
      let added = Feed(id: id, url: feed.url, title: feed.title ?? feed.url, position: state.feeds.count + 1)
      state.feeds.append(added)
      return added
    }
  }

  func add(_ feeds: [NewFeed], at time: Timestamp) async throws(StoreError) -> (
    added: [Feed], duplicates: [NewFeed]
  ) {
    var added: [Feed] = []
    for feed in feeds { added.append(try await add(feed, at: time)) }
    return (added, [])
  }

  func remove(_ id: Feed.ID) async throws(StoreError) {
    try check()
    state.withLock { $0.feeds.removeAll { $0.id == id } }
  }

  private func change(_ id: Feed.ID, _ body: (inout Feed) -> Void) throws(StoreError) {
    try check()
    state.withLock { state in
      guard let index = state.feeds.firstIndex(where: { $0.id == id }) else { return }
      body(&state.feeds[index])
    }
  }

  func rename(_ id: Feed.ID, to title: String) async throws(StoreError) {
    try change(id) { $0.title = title }
  }

  func arrange(_ ids: [Feed.ID]) async throws(StoreError) {
    for (index, id) in ids.enumerated() { try change(id) { $0.position = index + 1 } }
    state.withLock { $0.feeds.sort { $0.position < $1.position } }
  }

  func move(_ id: Feed.ID, to position: Int) async throws(StoreError) {
    try check()
    state.withLock { state in
      var ordered = state.feeds.sorted { $0.position < $1.position }
      guard let index = ordered.firstIndex(where: { $0.id == id }) else { return }
      let feed = ordered.remove(at: index)
      ordered.insert(feed, at: min(position - 1, ordered.count))
      for index in ordered.indices { ordered[index].position = index + 1 }
      state.feeds = ordered
    }
  }

  func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError) {
    try change(id) { $0.folder = folder }
  }

  func update(
    _ id: Feed.ID,
    settings: FeedSettings,
    general: ClosedRange<Int64>
  ) async throws(StoreError) {
    try change(id) { $0.settings = settings }
  }

  func update(_ id: Feed.ID, url: String) async throws(StoreError) {
    try change(id) { $0.url = url }
  }
}

/// Collects output for inspection.
final class FakeOutput: OutputWriter, Sendable {
  private let bytes = Mutex<[UInt8]>([])
  private let writes = Mutex(0)
  /// Number of writes after which the output is closed.
  private let limit: Int

  init(closedAfter limit: Int = .max) { self.limit = limit }

  func write(_ more: UnsafeRawBufferPointer) throws(OutputError) {
    let count = writes.withLock { writes in
      writes += 1
      return writes
    }
    guard count <= limit else { throw .closed }
    bytes.withLock { $0 += Array(more) }
  }

  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
  var writeCount: Int { writes.withLock { $0 } }
}

/// Collects the containers that an interactor emits.
final class Collected<Content: Sendable>: Sendable {
  private let containers = Mutex<[Container<Content>]>([])

  var emit: Emit<Content> { { [self] container in containers.withLock { $0.append(container) } } }
  var all: [Container<Content>] { containers.withLock { $0 } }
  var last: Container<Content>? { all.last }
}

extension FilterResolver {
  /// A resolver with the store's feeds, no saved searches, and noon as the current time.
  static func plain(_ store: FakeStore) -> FilterResolver {
    FilterResolver(feeds: store, clock: FixedClock(time: .noon))
  }
}

struct FixedClock: WallClock {
  var time: Timestamp
  func now() -> Timestamp { time }
}

struct FakeRichText: RichTextRendering {
  var result: RichText
  func richText(fromHTML html: String) -> RichText { result }
}

extension Timestamp {
  /// 2026-11-20T12:00:00Z.
  static let noon = Timestamp(seconds: 1_795_176_000)
}

extension Terminal {
  static func plain(width: Int? = nil) -> Terminal { Terminal(width: width, now: .noon) }
}

extension NewsItem {
  static func sample(
    _ id: Int64,
    _ title: String,
    feed: Int64 = 1,
    feedTitle: String = "Example",
    hoursAgo: Int64 = 1,
    isRead: Bool = true,
    isStarred: Bool = false
  ) -> NewsItem {
    NewsItem(
      id: ID(rawValue: id),
      feedID: Feed.ID(rawValue: feed),
      feedTitle: feedTitle,
      feedURL: "https://example.org/feed",
      guid: "guid-\(id)",
      title: title,
      url: "https://example.org/\(id)",
      published: .noon - hoursAgo * 3600,
      stored: .noon,
      isRead: isRead,
      isStarred: isStarred,
      sequence: id
    )
  }
}

extension ItemOutput {
  init(
    format: OutputFormat,
    fields: [String]? = nil,
    template: String? = nil,
    document: OutputDocument? = nil,
    richText: (any RichTextRendering)? = nil,
    mailDirectory: Maildir? = nil,
    terminal: Terminal
  ) throws(UserMessage) {
    let shape = OutputShape(
      format: format,
      fields: fields,
      template: template,
      mailDirectory: mailDirectory,
      terminal: terminal
    )
    try self.init(shape, document: document, richText: richText)
  }
}

/// Reads and writes no lists.
struct NoLists: SubscriptionListCoding {
  func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList { SubscriptionList() }
  func encodeOPML(_ feeds: [Feed], searches: [SavedSearch], title: String) -> String { "" }
}

extension OutputShape {
  /// The view of subscriptions, without OPML.
  func feedView<Content: RecordContent<Feed>>(text: any ContentView<Content>) throws -> any ContentView<
    Content
  > {
    try feedView(lists: NoLists(), secretsLeftOut: { _ in }, text: text)
  }
}

/// The view of the output's format; `text` makes the view for text.
func view<View: ContentView>(
  _ output: ItemOutput,
  _ text: (Terminal) -> View
) -> any ContentView<View.Content> where View.Content: RecordContent<ItemMatch> {
  output.view(text: text(output.shape.terminal))
}

/// The output of `view` for one content.
func rendered<Content: ScreenContent>(_ view: any ContentView<Content>, _ content: Content) throws -> String {
  var view = view
  var buffer = ByteBuffer()
  try view.begin(&buffer)
  try view.render(content, isLast: true, &buffer)
  try view.end(&buffer)
  return buffer.string()
}
