import NewsSearch
import NewsCore
import Synchronization
import Testing

@testable import Modules

@Suite struct `Filters` {
  private final class Searches: DefinitionKeeping, PartialFake, Sendable {
    let saved = ["Kernel", "Seven", "sev"].map { SavedSearch(name: $0, query: "title:linux") }
    func savedSearches() async throws(StoreError) -> [SavedSearch] { saved }
    func savedSearch(named name: String) async throws(StoreError) -> SavedSearch? {
      saved.first { $0.name == name }
    }
    func save(_ search: SavedSearch, at time: Timestamp) async throws(StoreError) {}
    func removeSavedSearch(named name: String) async throws(StoreError) -> Bool { false }
  }

  private let feed = Feed(
    id: Feed.ID(rawValue: 7),
    url: "https://example.org/7",
    title: "Seven",
    folder: "Tech/Linux",
    position: 1
  )

  private var filters: FilterResolver {
    FilterResolver(feeds: FakeStore(feeds: [feed]), searches: Searches(), clock: FixedClock(time: .noon))
  }

  @Test func `A saved search is accepted wherever a feed's name is`() async throws {
    let saved = try QueryParser.parse("title:linux", now: .noon).query
    let query = try await filters.query(ItemFilter(feeds: ["Kernel", "Seven"], isRead: false))
    #expect(query == .and([.or([saved, .feedID(feed.id)]), .isRead(false)]))
  }

  @Test func `A saved search does not take over a feed's name, and ambiguity is an error`() async throws {
    let saved = try QueryParser.parse("title:linux", now: .noon).query
    for name in ["Seven", "7", feed.url] {
      #expect(try await filters.query(ItemFilter(feeds: [name])) == .feedID(feed.id))
    }
    for name in ["saved:Seven", "saved:sev", "Kernel"] {
      #expect(try await filters.query(ItemFilter(feeds: [name])) == saved)
    }
    let error = await #expect(throws: StoreError.self) { try await filters.query(ItemFilter(feeds: ["sev"])) }
    #expect(error?.code == .ambiguousFeed)
    #expect(error?.message.contains("saved:sev") == true && error?.message.contains("feed 7 (Seven)") == true)
    let missing = await #expect(throws: StoreError.self) {
      try await filters.title(nil, ItemFilter(feeds: ["saved:x"]))
    }
    #expect(missing?.code == .noSuchFeed)
  }

  @Test func `A search combines its words with the filter`() async throws {
    let words = try QueryParser.parse("swift sort:oldest", now: .noon)
    let list = ListRoute(filter: ItemFilter(feeds: ["Seven"]))
    let search = try await filters.search(SearchRoute(text: "swift sort:oldest", list: list))
    #expect(search.query == .and([.feedID(feed.id), words.query]) && search.order == .oldest)
  }

  @Test func `Labels are alternatives, and combine with the other filters`() async throws {
    let query = try await filters.query(ItemFilter(feeds: ["Seven"], labels: ["later", "work"]))
    #expect(query == .and([.feedID(feed.id), .or([.label("later"), .label("work")])]))
    let title = try await filters.title(nil, ItemFilter(labels: ["later"]))
    #expect(title.title == "later" && title.identity == "label=later")
  }

  @Test func `A folder without feeds is an error that names the existing folders`() async throws {
    let error = await #expect(throws: StoreError.self) {
      try await filters.query(ItemFilter(folders: ["Tech/Linus"]))
    }
    #expect(error?.message == "no feed is in a folder 'Tech/Linus'; the folders are Tech/Linux")
    #expect(try await filters.query(ItemFilter(folders: ["tech"])) == .folder("tech"))
  }

  @Test func `A list has the same title and identifier whether its feed is given by title or id`()
    async throws
  {
    let byTitle = try await filters.title(nil, ItemFilter(feeds: ["Seven"]))
    let byID = try await filters.title(nil, ItemFilter(feeds: ["7"]))
    #expect(byTitle == byID && byTitle.title == "Seven")
    #expect(try await filters.title("x", ItemFilter(feeds: ["Kernel"])).title == "x · Kernel")
  }

  @Test func `An empty list without subscriptions explains how to subscribe`() async throws {
    let store = FakeStore()
    let presenter = NewsListPresenter(.headlines, times: TimeDisplay(now: .noon))
    let interactor = NewsListInteractor(news: store, filters: .plain(store), presenter: presenter)
    for extent in [ListRoute.Extent.page(1, size: 20), .all] {
      let collected = Collected<NewsListViewModel>()
      try await interactor.run(ListRoute(extent: extent), emit: collected.emit)
      #expect(collected.last?.content?.notes == [DisplayText(HeadlinePresenter.noFeeds)])
    }
  }
}
