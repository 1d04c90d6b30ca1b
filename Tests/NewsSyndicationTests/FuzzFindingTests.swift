import Foundation
import NewsCore
import NewsSyndication
import Testing

@Suite struct `Feeds found by fuzzing` {
  /// Read after the parser had freed its names; the address sanitizer tells.
  @Test func `Markup left open at the end is closed before the parser frees its names`() throws {
    let bytes = try Data(
      contentsOf: SyndicationFixture.folder.appending(path: "hostile/elements-left-open.xml")
    )
    let feed = try FeedParser().parse(FeedDocument(bytes: Array(bytes), baseURL: "https://example.org/"))
    #expect(!feed.isWellFormed)
    #expect(feed.items.count == 1)
  }
}
