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

  @Test func `The list of failing feeds leads to a refresh`() {
    #expect(FailuresRouter().fetch(feed) == .fetch(FetchRoute(feeds: ["4"])))
  }

  @Test func `An addition leads to a choice`() {
    let route = FeedAdditionRoute("example.org", FeedAdditionOptions(folder: "A"))
    let picked = FeedAdditionRoute("example.org", FeedAdditionOptions(folder: "A", pick: 2))
    #expect(FeedAdditionRouter().pick(2, of: route) == .addition(picked))
  }

  @Test func `A saved search leads to its results`() {
    let saved = SavedSearch(name: "n", query: "swift is:unread")
    #expect(SavedSearchesRouter().search(saved) == .search(SearchRoute(text: "swift is:unread")))
  }
}
