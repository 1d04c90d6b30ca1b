import NewsCore
import Synchronization
import Testing

@testable import Modules
@testable import NewsTerminal
@testable import NewsText

/// The first screen: an empty store, and the place where the reader was left.
@Suite struct `Reader start` {
  @Test func `Without subscriptions the first screen says how to add some`() async throws {
    let rig = try ReaderRig(FakeStore())
    await rig.start()
    #expect(rig.text.contains("There are no subscriptions yet."))
    #expect(rig.text.contains("a adds a feed"))
    let narrow = try ReaderRig(FakeStore(), columns: 20, rows: 5)
    await narrow.start()
    #expect(narrow.text.contains("There are no"))
  }

  @Test(arguments: [
    HeadlineSource.list(ListRoute()),
    .list(
      ListRoute(
        filter: ItemFilter(feedID: Feed.ID(rawValue: 7), isRead: false),
        order: .oldest,
        foldsStories: true
      )
    ),
    .list(
      ListRoute(filter: ItemFilter(feeds: ["a \"b\""], folders: ["x/y"], labels: ["l"], isStarred: true))
    ),
    .search(
      SearchRoute(text: "kernel since:7d", list: ListRoute(filter: ItemFilter(since: Timestamp(seconds: 9))))
    ),
  ])
  func `A reading position round-trips through its JSON form`(_ source: HeadlineSource) {
    let place = ReaderPlace(source: source, item: NewsItem.ID(rawValue: 12), isOpen: true, row: "folder ü")
    #expect(ReaderPlace(json: place.json) == place)
  }

  @Test(arguments: ["", "{}", "[1", "{\"version\":2,\"item\":3}"])
  func `A saved reading position of another format is ignored`(_ text: String) {
    #expect(ReaderPlace(json: Array(text.utf8)) == nil)
  }

  @Test func `The reader reopens the list and the item that were open when it was left`() async throws {
    let items = (1...450).map { NewsItem.sample(Int64($0), "Item \($0)", hoursAgo: Int64($0)) }
    let store = FakeStore(items: items, feeds: [.sample(1, "Example")])
    let rig = try ReaderRig(store)
    await rig.start()
    await rig.press("j", "j", "Enter")
    await rig.type("320j")
    let place = rig.state.place
    let second = try ReaderRig(store)
    await second.start(at: try #require(ReaderPlace(json: place.json)))
    #expect(second.selected.contains("Item 321"))
    #expect(second.lines[0].hasPrefix(" Example"))
    await second.press("k")
    #expect(second.selected.contains("Item 320"))
    await second.press("Enter")
    let third = try ReaderRig(store)
    await third.start(at: second.state.place)
    #expect(third.lines[0].hasPrefix(" Item 320"))
    await third.press("q", "j", "q")
    #expect(third.selected.contains("Example"))
  }

  @Test
  func `If the item selected at the last exit is gone, the reader resumes at the beginning of the list`()
    async throws
  {
    let rig = try ReaderRig(.reading)
    await rig.start(at: ReaderPlace(source: .list(ListRoute()), item: NewsItem.ID(rawValue: 99)))
    #expect(rig.selected.contains("Kernel 7.3"))
  }

  @Test func `If the reader was left at the last item of a list, it selects that item`() async throws {
    let rig = try ReaderRig(.reading)
    await rig.start(at: ReaderPlace(source: .list(ListRoute()), item: NewsItem.ID(rawValue: 6)))
    #expect(rig.selected.contains("Announcing"))
    await rig.press("gg")
    #expect(rig.selected.contains("Kernel 7.3"))
  }

  @Test func `After a poll the reader reads the subscriptions again, but not the open list`() async throws {
    let store = FakeStore.reading
    let rig = try ReaderRig(store)
    await rig.start()
    await rig.press("Enter")
    let before = store.state.withLock { $0.requests.count }
    store.state.withLock { $0.feeds[0] = .sample(1, "LWN.net", folder: "Code", failures: 2) }
    await rig.take(.changed(StoreChanges(entries: [])))
    #expect(store.state.withLock { $0.requests.count } == before)
    await rig.press("q")
    #expect(rig.text.contains("! ") && rig.text.contains("LWN.net  failed 2 times"))
  }
}
