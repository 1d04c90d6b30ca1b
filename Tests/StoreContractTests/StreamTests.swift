import Glibc
import NewsCore
import NewsSearch
import NewsStoresShared
import SearchCases
import Synchronization
import Testing

@Suite(.everyStore) struct `Streams of sync clients` {
  /// Three feeds with 40 items each. Their dates overlap, so that the order by date is not that of storing.
  private func filled() async throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    for feed in 0..<3 {
      let subscription = try await temporary.subscribe("http://example.org/\(feed)")
      let items = (1...40).map {
        ParsedItem("\(feed)-\($0)", title: "Title \(feed) \($0)", published: Int64(1000 - $0))
      }
      try await temporary.refresh(subscription, items, at: Int64(2_000_000 + feed * 100))
    }
    return temporary
  }

  private func ids(_ store: any StorePorts, _ request: StreamRequest, limit: Int = 1000) async throws
    -> [Int64]
  {
    try await store.entries(request, limit: limit).map(\.id.rawValue)
  }

  @Test func `Streams list items in the order of their ids, whichever index is read`() async throws {
    let temporary = try await filled()
    let store = temporary.store
    let all = Array(1...120).map(Int64.init)
    #expect(try await ids(store, StreamRequest()) == all.reversed())
    // Few starred items are read by their index, many unread ones in the order of their ids.
    _ = try await store.mark([5, 50, 100].map(NewsItem.ID.init(rawValue:)), .starred)
    for limit in [1, 2, 1000] {
      let starred = try await ids(store, StreamRequest([.starred]), limit: limit)
      #expect(starred == Array([100, 50, 5].prefix(limit)))
      let unread = try await ids(store, StreamRequest([.unread], isOldestFirst: true), limit: limit)
      #expect(unread == Array(all.prefix(limit)))
    }
    let feed = Feed.ID(rawValue: 2)
    #expect(try await ids(store, StreamRequest([.feeds([feed])], isOldestFirst: true)) == Array(41...80))
    #expect(try await ids(store, StreamRequest([.feeds([feed]), .starred])).count == 42)
    #expect(try await ids(store, StreamRequest([.feeds([feed])], including: [.starred])) == [50])
    #expect(try await ids(store, StreamRequest(excluding: [.feeds([feed]), .starred])).count == 78)
    #expect(try await ids(store, StreamRequest([.feeds([])])).isEmpty)
    #expect(try await ids(store, StreamRequest([])).isEmpty)
    #expect(try await ids(store, StreamRequest([.nothing])).isEmpty)
  }

  @Test func `Pages continue by id in both directions`() async throws {
    let temporary = try await filled()
    let store = temporary.store
    for isOldestFirst in [false, true] {
      var request = StreamRequest(
        [.feeds([Feed.ID(rawValue: 1), Feed.ID(rawValue: 3)])],
        isOldestFirst: isOldestFirst
      )
      var found: [NewsItem.ID] = []
      while let last = try await store.entries(request, limit: 7).map(\.id).last {
        found += try await store.entries(request, limit: 7).map(\.id)
        request.after = last
      }
      #expect(found.count == 80)
      #expect(found == (isOldestFirst ? found.sorted() : found.sorted().reversed()))
    }
  }

  @Test func `Items are marked as read up to an arrival, and the totals follow`() async throws {
    let temporary = try await filled()
    let store = temporary.store
    let until = StreamEntry.arrival(Timestamp(seconds: 2_000_100), NewsItem.ID(rawValue: 60))
    #expect(try await store.markRead(StreamRequest(arrivedUntil: until)) == 60)
    #expect(try await store.streamTotals() == StreamTotals(items: 120, unread: 60, starred: 0))
    #expect(try await store.feeds().map(\.unreadCount) == [0, 20, 40])
    #expect(try await store.check().isEmpty)
  }

  @Test func `Items are read until they have so many bytes, at least one`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    defer { withExtendedLifetime(temporary) {} }
    let text = String(repeating: "-", count: 1000)
    let items = (1...5).map { ParsedItem("\($0)", title: "\($0)", text: text) }
    try await temporary.refresh(try await temporary.subscribe(), items)
    func read(_ ids: [Int64], _ bytes: Int) async throws -> [Int64] {
      let read = try await store.streamItems(ids.map(NewsItem.ID.init(rawValue:)), within: bytes)
      return read.items.map(\.item.id.rawValue) + [Int64(-read.count)]
    }
    #expect(try await read([5, 4, 3, 2, 1], 2500) == [5, 4, 3, -3])
    #expect(try await read([1, 2], 1) == [1, -1])
    #expect(try await read([999, 1, 2], 1) == [1, -2])
    #expect(try await read([1, 999, 2], 5000) == [1, 2, -3])
  }

  @Test func `The sizes of texts are known without the items, and items are read without their texts`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    defer { withExtendedLifetime(temporary) {} }
    let text = String(repeating: "é", count: 500)
    let items = (1...5).map { ParsedItem("\($0)", title: "\($0)", text: text) }
    try await temporary.refresh(try await temporary.subscribe(), items)
    func sizes(_ ids: [Int64], _ bytes: Int) async throws -> [Int] {
      try await store.textSizes(of: ids.map(NewsItem.ID.init(rawValue:)), within: bytes).map { $0 / 100 }
    }
    #expect(try await sizes([5, 4, 3, 2, 1], 2500) == [10, 10, 10])
    #expect(try await sizes([1, 2], 1) == [10])
    #expect(try await sizes([999, 1, 2], .max) == [0, 10, 10])
    #expect(try await sizes([], 1) == [])
    let ids = [1, 999, 2].map(NewsItem.ID.init(rawValue:))
    let whole = try await store.items(ids, parts: .all)
    #expect(whole.values.map(\.contentText) == [text, text])
    let headlines = try await store.items(ids, parts: .headlineText)
    #expect(Set(headlines.keys) == Set(whole.keys) && headlines.values.allSatisfy { $0.contentText.isEmpty })
    #expect(headlines.mapValues(\.title) == whole.mapValues(\.title))
  }

  @Test(arguments: ["", "sort:relevance", "/-/"])
  func `A list ends when its items have so many bytes`(_ query: String) async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    defer { withExtendedLifetime(temporary) {} }
    let text = String(repeating: "-", count: 1000)
    let items = (1...5).map { ParsedItem("\($0)", title: "Word \($0)", text: text) }
    try await temporary.refresh(try await temporary.subscribe(), items)
    var request = ItemRequest(limit: 4)
    if query == "/-/" { request.query = try QueryParser.parse(query, now: SearchFixture.now).query }
    if query == "sort:relevance" {
      request.query = .text(TextMatch(text: "word"))
      request.order = .relevance
    }
    let whole = try await store.items(request).map(\.item.id)
    #expect(whole.count == 4)
    request.bytes = 2500
    #expect(try await store.items(request).map(\.item.id) == Array(whole.prefix(3)))
    request.bytes = 1
    #expect(try await store.items(request).map(\.item.id) == Array(whole.prefix(1)))
    request.parts = []
    request.bytes = 2500
    #expect(try await store.items(request).count == 4)
  }

  @Test func `An edit applies its labels and marks, with entries in the change log`() async throws {
    let temporary = try await filled()
    let store = temporary.store
    let before = try await store.latestSequence()
    let edit = StreamEdit(marks: [.read, .starred], addedLabels: ["later", "work"])
    try await store.edit([3, 4, 999].map(NewsItem.ID.init(rawValue:)), edit)
    #expect(try await store.latestSequence() == before + 6)
    let items = try await store.streamItems([4, 999, 3].map(NewsItem.ID.init(rawValue:)))
    #expect(items.map(\.item.id.rawValue) == [4, 3])
    #expect(items.map(\.labels) == [["later", "work"], ["later", "work"]])
    #expect(try await store.itemLabels().map(\.name) == ["later", "work"])
    #expect(try await store.itemLabels().map(\.newest.id.rawValue) == [4, 4])
    try await store.relabel("later", to: "work")
    #expect(try await store.itemLabels().map(\.name) == ["work"])
    #expect(try await ids(store, StreamRequest([.label("work")])) == [4, 3])
    try await store.remove(Feed.ID(rawValue: 1))
    #expect(try await store.itemLabels().isEmpty)
    #expect(try await store.check().isEmpty)
  }

  @Test func `The labels of a request and of an item have limits`() async throws {
    let temporary = try await filled()
    let store = temporary.store
    let item = [NewsItem.ID(rawValue: 3)]
    let many = (0...ItemLabel.mostInRequest).map { "label \($0)" }
    for edit in [StreamEdit(addedLabels: many), StreamEdit(removedLabels: many)] {
      let error = await #expect(throws: StoreError.self) { try await store.edit(item, edit) }
      #expect(error?.code == .badQuery && error?.message.contains("at most 20 labels") == true)
    }
    for start in stride(from: 0, to: ItemLabel.mostOfItem, by: 20) {
      try await store.edit(item, StreamEdit(addedLabels: (start..<start + 20).map { "label \($0)" }))
    }
    let error = await #expect(throws: StoreError.self) {
      try await store.edit(item, StreamEdit(addedLabels: ["one more"]))
    }
    #expect(error?.message == "an item has at most 100 labels")
    #expect(try await store.itemLabels().count == 100)
  }

  @Test func `Labels that a request gives are refused above the quota`() async throws {
    let temporary = try await filled()
    let store = temporary.store
    try await store.change([.bytes(1)])
    let item = [NewsItem.ID(rawValue: 3)]
    let error = await #expect(throws: StoreError.self) {
      try await store.edit(item, StreamEdit(addedLabels: ["later"]))
    }
    #expect(error?.code == .overQuota)
    try await store.edit(item, StreamEdit(marks: [.read]))
  }

  @Test func `Labels survive an export and an import`() async throws {
    let temporary = try await filled()
    try await temporary.store.edit([NewsItem.ID(rawValue: 7)], StreamEdit(addedLabels: ["später"]))
    let bytes = Mutex<[UInt8]>([])
    try await temporary.store.exportAll { piece in bytes.withLock { $0 += piece } }
    let other = try TemporaryStore()
    let lines = Mutex(bytes.withLock { $0.split(separator: UInt8(ascii: "\n")).map { Array($0) } }[...])
    _ = try await other.store.importAll(.trusted) { lines.withLock { $0.popFirst() } }
    #expect(try await other.store.itemLabels().map(\.name) == ["später"])
  }

  @Test func `A folder is renamed with its subfolders, and removed without them`() async throws {
    let temporary = try await filled()
    let store = temporary.store
    for (feed, folder) in ["A", "A/B", "AB"].enumerated() {
      try await store.move(Feed.ID(rawValue: Int64(feed + 1)), toFolder: folder)
    }
    try await store.moveFolder("A", to: "C/D")
    #expect(try await store.feeds().map(\.folder) == ["C/D", "C/D/B", "AB"])
    try await store.moveFolder("C/D", to: nil)
    #expect(try await store.feeds().map(\.folder) == [nil, "C/D/B", "AB"])
  }

  @Test func `Streams are bounded by ids and times, ordered, counted and skipped`() async throws {
    let temporary = try await filled()
    let store = temporary.store
    var request = StreamRequest([.feeds([Feed.ID(rawValue: 1), Feed.ID(rawValue: 2)])], isOldestFirst: true)
    request.bounds.idAfter = NewsItem.ID(rawValue: 10)
    request.bounds.idBefore = NewsItem.ID(rawValue: 50)
    #expect(try await store.page(request, offset: 0, limit: 0).total == 39)
    #expect(try await store.entries(request, offset: 5, limit: 2).map(\.id.rawValue) == [16, 17])
    // Item 1 of the first feed has the id 40 and was published at 999, item 2 has the id 39, and so on.
    request.bounds.publishedSince = Timestamp(seconds: 980)
    request.bounds.publishedUntil = Timestamp(seconds: 985)
    #expect(try await ids(store, request) == [21, 22, 23, 24, 25])
    #expect(try await store.page(request, offset: 0, limit: 0).total == 5)
    request.order = .published
    #expect(try await ids(store, request) == [21, 22, 23, 24, 25])
    _ = try await store.mark([NewsItem.ID(rawValue: 23)], .read)
    request.order = .changed
    #expect(try await ids(store, request).last == 23)
    request.order = .status
    #expect(try await ids(store, request) == [21, 22, 24, 25, 23])
    request.order = .title
    request.isOldestFirst = false
    #expect(try await ids(store, request) == [21, 22, 23, 24, 25])
    for order in [StreamOrder.author, .folder] {
      request.order = order
      #expect(try await ids(store, request) == [25, 24, 23, 22, 21])
    }
    #expect(try await store.page(StreamRequest(), offset: 0, limit: 200).total == 120)
    let chosen = StreamRequest([.items([7, 999, 9].map(NewsItem.ID.init(rawValue:)))])
    #expect(try await ids(store, chosen) == [9, 7])
  }

  @Test(arguments: [(0, 3), (0, 5), (0, 6), (2, 3), (3, 4), (5, 1), (9, 2), (0, 0), (0, Int.max), (2, .max)])
  func `A page has the number of all items, whether or not they are all on it`(
    _ offset: Int,
    _ limit: Int
  ) async throws {
    let temporary = try await filled()
    var request = StreamRequest(isOldestFirst: true)
    request.bounds.idAfter = NewsItem.ID(rawValue: 10)
    request.bounds.idBefore = NewsItem.ID(rawValue: 16)
    let page = try await temporary.store.page(request, offset: offset, limit: limit)
    #expect(page.total == 5)
    let ids = [Int64](11...15).dropFirst(offset).prefix(limit)
    #expect(page.entries.map(\.id.rawValue) == Array(ids))
  }

  @Test func `The names of streams are those of feeds, folders, labels and saved searches`() async throws {
    let temporary = try await filled()
    let store = temporary.store
    try await store.move(Feed.ID(rawValue: 3), toFolder: "B")
    try await store.move(Feed.ID(rawValue: 1), toFolder: "B")
    try await store.move(Feed.ID(rawValue: 2), toFolder: "A/C")
    try await store.makeFolder(MadeFolder(name: "empty"))
    let ids = [3, 4].map(NewsItem.ID.init(rawValue:))
    try await store.edit(ids, StreamEdit(addedLabels: ["work", "Ärger", "later"]))
    try await store.save(SavedSearch(name: "mine", query: "linux"), at: SearchFixture.now)
    let names = try await store.streamNames()
    #expect(names.feeds == (try await store.feeds()))
    #expect(names.madeFolders == (try await store.madeFolders()))
    #expect(names.labels == (try await store.itemLabels().map(\.name)))
    #expect(try await store.labelNames() == names.labels)
    #expect(names.searches.map(\.name) == ["mine"])
    let folders = try await store.streamFolders()
    #expect(
      folders.ofFeeds
        == names.feeds.compactMap(\.folder).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    )
    #expect(folders.made.map(\.name) == ["empty"])
    let items = try await store.streamItems(ids)
    #expect(
      items.map { $0.feed?.folder }
        == items.map { item in names.feeds.first { $0.id == item.item.feedID }?.folder }
    )
  }

  @Test func `Items that were marked, edited or stored since a time are found by it`() async throws {
    let temporary = try await filled()
    let store = temporary.store
    // The store knows the times of changes in seconds, and none of those in its first second.
    try await Task.sleep(for: .milliseconds(1100))
    let now = Timestamp(seconds: Int64(time(nil)))
    var changed = StreamRequest()
    changed.bounds.changedSince = now
    #expect(try await store.page(changed, offset: 0, limit: 5) == (0, []))
    _ = try await store.mark([NewsItem.ID(rawValue: 5)], .read)
    #expect(try await ids(store, changed) == [5])
    let marked = try #require(try await store.streamItems([NewsItem.ID(rawValue: 5)]).first)
    #expect(marked.changed >= now)
    changed.bounds.changedSince = nil
    changed.bounds.changedUntil = now
    #expect(try await store.page(changed, offset: 0, limit: 5).total == 119)
  }

  /// Full pages are read among the newest items, the last one among all changes.
  @Test(arguments: [1, 7, 40, 1000])
  func `Pages of changes continue by id, whichever index is read`(_ limit: Int) async throws {
    let temporary = try await filled()
    let store = temporary.store
    try await Task.sleep(for: .milliseconds(1100))
    let now = Timestamp(seconds: Int64(time(nil)))
    let feed = try #require(try await store.feeds().first)
    let new = (50...100).map { ParsedItem("0-\($0)", title: "Title \($0)", published: Int64($0)) }
    try await temporary.refresh(feed, new, at: now.seconds)
    _ = try await store.mark([3, 40, 130].map(NewsItem.ID.init(rawValue:)), .read)
    var changed = StreamRequest()
    changed.bounds.changedSince = now
    let stored = Array((121...171).reversed()).map(Int64.init)
    for (request, expected) in [(StreamRequest(updatedSince: now), stored), (changed, stored + [40, 3])] {
      var request = request
      var found: [Int64] = []
      repeat {
        let page = try await ids(store, request, limit: limit)
        found += page
        request.after = page.last.map(NewsItem.ID.init(rawValue:))
      } while request.after != nil
      #expect(found == expected)
      request.after = nil
      request.including = [.read]
      #expect(
        try await ids(store, request, limit: limit)
          == Array(expected.filter { [130, 40, 3].contains($0) }.prefix(limit))
      )
    }
    #expect(try await store.page(changed, offset: 0, limit: 2).total == 53)
  }

  @Test func `Real edits count as updates, noise does not`() async throws {
    let temporary = try await filled()
    let feed = try #require(try await temporary.store.feeds().first)
    var edited = ParsedItem("0-3", title: "Another title, with other words", published: 997)
    edited.contentText = "Another text"
    let noise = ParsedItem("0-4", title: "Title  0 4 ", published: 996)
    try await Task.sleep(for: .milliseconds(1100))
    try await temporary.refresh(feed, [edited, noise], at: 3_000_000)
    var request = StreamRequest(updatedSince: Timestamp(seconds: 2_900_000))
    #expect(try await ids(temporary.store, request) == [38])
    // The edits are the last changes, but only the real one counts.
    let items = try await temporary.store.streamItems([38, 37, 36].map(NewsItem.ID.init(rawValue:)))
    #expect(items[0].changed > items[2].changed)
    #expect(items[1].changed == items[2].changed)
    request.arrivedUntil = 2_950_000 * 1_000_000
    #expect(try await ids(temporary.store, request).isEmpty)
    request.updatedSince = Timestamp(seconds: 2_000_200)
    #expect(try await ids(temporary.store, request) == Array((81...120).reversed()))
  }
}
