import Foundation
import NewsCore
import NewsSyndication
import Testing

@Suite struct `Feeds found by fuzzing` {
  /// Regression: the names were read after the parser had freed them (seen with the address sanitizer).
  @Test func `A feed that ends with open elements is read, and its item is kept`() throws {
    let bytes = try Data(
      contentsOf: SyndicationFixture.folder.appending(path: "hostile/elements-left-open.xml")
    )
    let feed = try FeedParser().parse(FeedDocument(bytes: Array(bytes), baseURL: "https://example.org/"))
    #expect(!feed.isWellFormed)
    #expect(feed.items.count == 1)
  }
}
