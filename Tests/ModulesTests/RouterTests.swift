import NewsCore
import Testing

@testable import Modules

@Suite struct `Routers` {
  @Test func `The addition of a page's feed is repeated with the number of the feed that was picked`() {
    let route = FeedsAddRoute("example.org", FeedAdditionOptions(folder: "A"))
    let picked = FeedsAddRoute("example.org", FeedAdditionOptions(folder: "A", pick: 2))
    #expect(route.picking(2) == picked)
  }

  @Test func `The router of the subscriptions opens the results of a search`() {
    let saved = SavedSearch(name: "n", query: "swift is:unread")
    #expect(SubscriptionsRouter().list(of: saved) == .search(SearchRoute(text: "swift is:unread")))
  }
}
