import NewsStoresShared
import NewsSearch
import NewsStoresShared
import Testing

@testable import NewsCore

@Suite struct `Tag limit` {
  @Test(arguments: [
    ("", ""), ("news", "news"), (String(repeating: "a", count: 500), String(repeating: "a", count: 500)),
    (String(repeating: "a", count: 501), String(repeating: "a", count: 500)),
    ("a" + String(repeating: "é", count: 300), "a" + String(repeating: "é", count: 249)),
    (String(repeating: "a", count: 498) + "😀", String(repeating: "a", count: 498)),
  ])
  func `A tag is cut at 500 bytes, between two scalars`(_ tag: String, _ expected: String) {
    #expect(TagLimit.cut(tag) == expected)
  }

  @Test func `Tags that are equal after the cut are kept once`() {
    let long = String(repeating: "a", count: 500)
    #expect(TagLimit.cut([long + "1", "b", "b", long + "2"]) == [long, "b"])
    #expect(TagLimit.cut(["b", "b"]) == ["b", "b"])
  }

  @Test func `A rule sees the tag as it is stored`() {
    let long = String(repeating: "a", count: 600)
    var item = ParsedItem()
    item.tags = [Category(term: long)]
    let feed = Feed(id: Feed.ID(rawValue: 1), url: "http://a/", title: "a", position: 1)
    #expect(MatchSubject(item, of: feed, at: Timestamp(seconds: 1)).tags == [TagLimit.cut(long)])
    #expect(StoredItem(item, feedLanguage: nil).details.tags == [TagLimit.cut(long)])
  }
}
