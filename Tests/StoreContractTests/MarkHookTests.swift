import NewsCore
import NewsStoresShared
import SearchCases
import Testing

/// The events of items that the user stars, labels or saves.
@Suite(.everyStore) struct `Hooks for marks, labels and saved items` {
  private let temporary: TemporaryStore
  private var store: any StorePorts { temporary.store }
  private let feed: Feed
  private let ids = (1...4).map { NewsItem.ID(rawValue: Int64($0)) }

  init() async throws {
    temporary = try TemporaryStore()
    feed = try await temporary.store.add(
      NewFeed(url: "http://example.org/feed", folder: "Tech"),
      at: Timestamp(seconds: 900)
    )
    let items = (1...4).map { ParsedItem("\($0)", title: $0 == 2 ? "Old rust" : "News \($0)") }
    // The last item of a document gets the lowest id.
    try await temporary.refresh(feed, items.reversed(), at: 1000)
  }

  private func register(_ name: String, _ query: String?, _ events: Set<HookEvent>) async throws {
    var hook = Hook(name: name, target: .exec(["true"]))
    hook.query = query
    hook.events = events
    try await store.register([hook], isComplete: false)
  }

  /// Takes and settles what is due, and returns the events with the ids of their items.
  private func drain(_ hook: String) async throws -> [String] {
    var found: [String] = []
    let now = Timestamp(seconds: 10_000_000_000)
    while let delivery = try await store.nextDelivery(of: hook, at: now, before: nil, hold: 60) {
      found += delivery.entries.map { "\($0.event.rawValue) \($0.itemID?.rawValue ?? 0)" }
      try await store.settle(delivery, .delivered, at: now)
    }
    return found
  }

  @Test func `Each change of a star or a label fires once, in the order of the changes`() async throws {
    try await register("all", nil, HookEvent.marks)
    try await register("stars", nil, [.starred])
    _ = try await store.mark([ids[2], ids[0]], .starred)
    _ = try await store.mark([ids[2]], .starred)
    _ = try await store.mark([ids[2]], .read)
    try await store.edit([ids[1]], StreamEdit(marks: [.starred], addedLabels: ["later", "work"]))
    try await store.edit([ids[1]], StreamEdit(addedLabels: ["later"]))
    try await store.edit([ids[1]], StreamEdit(removedLabels: ["later"]))
    _ = try await store.mark([ids[0]], .unstarred)
    #expect(try await drain("all") == ["starred 3", "starred 1", "starred 2", "labelled 2", "unstarred 1"])
    #expect(try await drain("stars") == ["starred 3", "starred 1", "starred 2"])
  }

  @Test func `A saved item fires without a change of the item, each time with another key`() async throws {
    #expect(try await store.hooks(with: .saved).isEmpty)
    try await register("b", nil, [.saved])
    try await register("a", nil, [.saved, .starred])
    try await register("stars", nil, [.starred])
    #expect(try await store.hooks(with: .saved) == ["a", "b"])
    let changes = try await store.changes(after: 0, limit: 100, query: .all)
    let missing = NewsItem.ID(rawValue: 99)
    #expect(try await store.save([ids[3], missing, ids[0]]) == [missing])
    #expect(try await store.save([ids[0]]) == [])
    #expect(try await drain("a") == ["saved 4", "saved 1", "saved 1"])
    #expect(try await drain("b").count == 3)
    #expect(try await drain("stars").isEmpty)
    #expect(try await store.changes(after: 0, limit: 100, query: .all) == changes)
    // The numbers are used up: the next change does not share a key.
    _ = try await store.mark([ids[0]], .starred)
    #expect(try await store.item(ids[0]).sequence > changes.map(\.sequence).max() ?? 0 + 3)
  }

  @Test func `The query selects among the items, and asks 'label:' of the labels that were added`()
    async throws
  {
    try await register("rust", "rust folder:Tech", [.saved, .starred])
    try await register("later", "label:later", [.labelled])
    try await register("starred", "is:starred", [.starred])
    #expect(try await store.save(ids) == [])
    _ = try await store.mark(ids, .starred)
    #expect(try await drain("rust") == ["saved 2", "starred 2"])
    #expect(try await drain("starred").count == 4)
    try await store.edit([ids[0]], StreamEdit(addedLabels: ["Later"]))
    try await store.edit([ids[0], ids[1]], StreamEdit(addedLabels: ["work"]))
    #expect(try await drain("later") == ["labelled 1"])
  }

  @Test func `A hook for marks delivers new items only if it also has the event 'item'`() async throws {
    try await register("marks", "rust", [.starred])
    try await register("both", "rust", [.starred, .item])
    try await register("every", nil, [.item])
    try await temporary.refresh(feed, [ParsedItem("5", title: "New rust"), ParsedItem("6")], at: 2000)
    #expect(try await drain("marks").isEmpty)
    #expect(try await drain("both") == ["item 6"])
    #expect(try await drain("every").count == 2)
  }

  @Test func `Rules, imports and renamed labels fire no event of marks`() async throws {
    try await register("marks", nil, HookEvent.marks)
    let now = Timestamp(seconds: 2000)
    _ = try await store.addRule("rust", do: [.star, .label("auto")], until: nil, at: now)
    try await temporary.refresh(feed, [ParsedItem("5", title: "New rust")], at: 2000)
    #expect(try await temporary.titles(.and([.label("AUTO"), .isStarred(true)])) == ["New rust"])
    try await store.relabel("auto", to: "other")
    #expect(try await temporary.titles(.label("other")) == ["New rust"])
    var imported = ImportedFeed(feed: NewFeed(url: feed.url))
    imported.items = [ImportedItem(item: ParsedItem("1", title: "News 1"), isStarred: true)]
    _ = try await store.importFeeds([imported], at: now)
    #expect(try await temporary.titles(.isStarred(true)).count == 2)
    #expect(try await drain("marks").isEmpty)
  }

  @Test func `A hook whose query cannot be read fires for no mark`() async throws {
    try await store.save(SavedSearch(name: "Rust", query: "rust"), at: Timestamp(seconds: 1))
    try await register("marks", "saved:Rust", [.starred])
    #expect(try await store.removeSavedSearch(named: "Rust"))
    _ = try await store.mark(ids, .starred)
    #expect(try await drain("marks").isEmpty)
    #expect(try await store.hookStates().first?.lastError != nil)
  }
}

@Suite(.everyStore) struct `Labels in queries and rules` {
  @Test func `A list of headlines has the labels of its items`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let change = try await temporary.refresh(
      feed,
      [ParsedItem("1", title: "One"), ParsedItem("2", title: "Two")]
    )
    try await temporary.store.edit([change.inserted[0]], StreamEdit(addedLabels: ["later"]))
    let items = try await temporary.store.items(ItemRequest(parts: .headlineText)).map(\.item)
    #expect(items.first { $0.title == "One" }?.labels == ["later"])
    #expect(items.first { $0.title == "Two" }?.labels == [])
  }

  @Test func `A rule labels new items; 'label:' ignores case and finds no tags`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    let now = Timestamp(seconds: 1000)
    _ = try await store.addRule("straße", do: [.label("Später lesen"), .label("work")], until: nil, at: now)
    _ = try await store.addRule("label:work", do: [.tag("seen"), .label("work")], until: nil, at: now)
    try await temporary.refresh(
      feed,
      [ParsedItem("1", title: "Die Straße"), ParsedItem("2", title: "Other")],
      at: 1000
    )
    #expect(try await temporary.titles(.label("SPÄTER LESEN")) == ["Die Straße"])
    #expect(try await temporary.titles(.and([.label("work"), .tag("seen")])) == ["Die Straße"])
    #expect(try await temporary.titles(.not(.label("work"))) == ["Other"])
    #expect(try await temporary.titles(.label("seen")).isEmpty)
    #expect(try await temporary.titles(.label("")).isEmpty)
    let item = try #require(try await store.items(ItemRequest(query: .label("work"))).first?.item)
    #expect(item.labels == ["Später lesen", "work"])
    #expect(item.tags == ["seen"])
    #expect(try await store.itemLabels().map(\.name) == ["Später lesen", "work"])
    #expect(
      try await store.edit([item.id, NewsItem.ID(rawValue: 77)], StreamEdit(removedLabels: ["work"])).map(
        \.rawValue
      ) == [77]
    )
    #expect(try await store.item(item.id).labels == ["Später lesen"])
    try await store.remove(feed.id)
    #expect(try await store.itemLabels().isEmpty)
  }
}
