import NewsCore
import NewsSyndication
import Testing

@Suite struct `Documents of Tiny Tiny RSS` {
  @Test func `Of tags and labels, the first 512 are taken`() {
    let tags = String(repeating: "a,", count: 1000)
    let labels = (0..<1000).map { "[\($0),\"l\($0)\",\"\",\"\"]" }.joined(separator: ",")
    let text = """
      <articles schema-version="143"><article><feed_url>https://t.example/feed</feed_url><tag_cache>\(tags)</tag_cache>
        <label_cache>[\(labels)]</label_cache></article></articles>
      """
    let item = TinyTinyDocument.read(Array(text.utf8))?.feeds.first?.items.first
    #expect(item?.item.tags.count == 512)
    #expect(item?.labels == (0..<512).map { "l\($0)" })
  }
}
