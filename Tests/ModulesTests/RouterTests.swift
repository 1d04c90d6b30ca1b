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

  @Test func `The router of the failing feeds opens the refresh of a feed`() {
    #expect(FailuresRouter().fetch(feed) == .fetch(FetchRoute(feeds: ["4"])))
  }

  @Test func `The router of 'feeds add' repeats it with the number of the feed that was picked`() {
    let route = FeedAdditionRoute("example.org", FeedAdditionOptions(folder: "A"))
    let picked = FeedAdditionRoute("example.org", FeedAdditionOptions(folder: "A", pick: 2))
    #expect(FeedAdditionRouter().pick(2, of: route) == .addition(picked))
  }

  @Test func `The router of the saved searches opens the results of a search`() {
    let saved = SavedSearch(name: "n", query: "swift is:unread")
    #expect(SavedSearchesRouter().search(saved) == .search(SearchRoute(text: "swift is:unread")))
  }
}
