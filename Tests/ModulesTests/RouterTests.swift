import NewsCore
import Testing

@testable import Modules

@Suite struct `Routers` {
  private let feed = Feed(
    id: Feed.ID(rawValue: 4),
    url: "https://example.org/feed",
    title: "F",
    position: 1
  )
  private var items: Route { .list(ListRoute(filter: ItemFilter(feedID: feed.id))) }
  private var refresh: Route { .fetch(FetchRoute(feeds: ["4"])) }

  @Test func `Another page of a list or search has the same size`() {
    let list = ListRoute(filter: ItemFilter(isRead: false), extent: .page(1, size: 7))
    var next = list
    next.extent = .page(2, size: 7)
    #expect(NewsListRouter().page(2, of: list) == .list(next))
    let search = SearchRoute(text: "x", list: list)
    #expect(NewsSearchRouter().page(2, of: search) == .search(SearchRoute(text: "x", list: next)))
  }

  @Test func `A page of a list without pages has the default size`() {
    guard case .list(let next) = NewsListRouter().page(3, of: ListRoute(extent: .all)) else {
      Issue.record("not a list")
      return
    }
    #expect(next.extent == .page(3, size: ListRoute.pageSize))
  }

  @Test func `The list of failing feeds leads to a refresh, and the figures lead to failing feeds`() {
    #expect(FailuresRouter().fetch(feed) == refresh)
    #expect(StatusRouter().failures == .failures && RefreshRouter().failures == .failures)
    #expect(StatusRouter().plan(horizon: 60) == .plan(horizon: 60))
  }

  @Test func `An addition leads to the new feed's items or to a choice`() {
    #expect(FeedAdditionRouter().list(FeedAdditionViewModel(feed: feed)) == items)
    #expect(FeedAdditionRouter().list(FeedAdditionViewModel()) == nil)
    let route = FeedAdditionRoute("example.org", FeedAdditionOptions(folder: "A"))
    let picked = FeedAdditionRoute("example.org", FeedAdditionOptions(folder: "A", pick: 2))
    #expect(FeedAdditionRouter().pick(2, of: route) == .addition(picked))
  }

  @Test func `A change leads to its item or feed unless it was removed`() {
    let item = NewsItem.sample(9, "x")
    let changed = Change(sequence: 1, kind: .updated, itemID: item.id, feedID: feed.id, item: item)
    #expect(ChangesRouter().open(.item(changed)) == .items([item.id]))
    let deleted = Change(sequence: 2, kind: .deleted, itemID: item.id, feedID: feed.id, item: nil)
    #expect(ChangesRouter().open(.item(deleted)) == nil)
  }

  @Test func `Saved and recent searches lead to their results`() {
    let saved = SavedSearch(name: "n", query: "swift is:unread")
    #expect(SavedSearchesRouter().search(saved) == .search(SearchRoute(text: "swift is:unread")))
    #expect(SearchHistoryRouter().search("swift") == .search(SearchRoute(text: "swift")))
  }
}
