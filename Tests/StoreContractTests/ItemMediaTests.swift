import NewsCore
import NewsStoresShared
import SearchCases
import Testing

@Suite(.everyStore) struct `Media of items` {
  private let id = NewsItem.ID(rawValue: 1)

  private var episode: ParsedItem {
    var item = ParsedItem("1", title: "Episode")
    var extensions = ItemExtensions()
    var picture = MediaObject(url: "https://a/dune.jpg")
    picture.medium = "image"
    picture.alt = "A dune"
    picture.width = 640
    extensions.media = [picture]
    extensions.thumbnails = [MediaThumbnail(url: "https://a/small.jpg", width: 96, height: 72)]
    extensions.episode = "3.5"
    extensions.season = "2"
    extensions.chapters = Link(href: "https://a/chapters.json", type: "application/json+chapters")
    extensions.transcripts = [Link(href: "https://a/3.vtt", type: "text/vtt", hreflang: "en")]
    item.extensions = extensions
    item.itunesDuration = 1805
    return item
  }

  private func media(_ store: any StorePorts) async throws -> ItemMedia? { try await store.item(id).media }

  @Test func `Media are stored and copied`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.refresh(feed, [episode])
    let stored = try #require(try await media(temporary.store))
    #expect(stored == ItemMedia(episode))
    #expect(stored.pictures == [ItemPicture(url: "https://a/dune.jpg", alt: "A dune", width: 640)])
    #expect(stored.thumbnail?.height == 72 && stored.duration == 1805)
    #expect(stored.episode == "3.5" && stored.season == "2")
    #expect(stored.transcripts.first?.hreflang == "en")
    let copy = try TemporaryStore()
    _ = try await StoreCopy().copy(from: temporary.store, to: copy.store)
    #expect(try await media(copy.store) == stored)
    #expect(try await temporary.store.check().isEmpty)
    #expect(try await copy.store.check().isEmpty)
  }

  @Test func `A list has the beginning of a long summary, and no picture from details that are long`()
    async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    var long = episode
    long.id = "2"
    long.summary = String(repeating: "é", count: 5000)
    long.extensions?.chapters = Link(href: "https://a/" + String(repeating: "c", count: 70_000))
    try await temporary.refresh(feed, [long, episode])
    let items = try await temporary.store.items(ItemRequest(parts: [.headlineText, .preview])).map(\.item)
    #expect(Set(items.map(\.image)) == [nil, "https://a/small.jpg"])
    #expect(items.first { $0.image == nil }?.summary == String(repeating: "é", count: 1000))
  }

  @Test func `Items from before learn their media without an edit`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    // What an older newsd stored: the same item without media.
    var former = episode
    former.extensions = nil
    former.itunesDuration = nil
    try await temporary.refresh(feed, [former])
    let before = try await temporary.store.item(id)
    #expect(before.media == nil)
    try await temporary.refresh(feed, [episode])
    let after = try await temporary.store.item(id)
    #expect(after.media == ItemMedia(episode))
    #expect(after.sequence == before.sequence)
    #expect(try await temporary.sql("SELECT count(*) FROM versions") == "0")
    #expect(try await temporary.sql("SELECT count(DISTINCT change) FROM items WHERE change = 0") == "1")
    // A document without media takes none away, and an edit replaces them.
    try await temporary.refresh(feed, [former])
    #expect(try await media(temporary.store) == ItemMedia(episode))
    var edited = episode
    edited.title = "Episode, corrected"
    edited.extensions?.episode = "4"
    try await temporary.refresh(feed, [edited])
    #expect(try await media(temporary.store)?.episode == "4")
    #expect(try await temporary.store.item(id).sequence > before.sequence)
    #expect(try await temporary.store.check().isEmpty)
  }

  @Test func `All items of a document learn their media, whatever of them is stored`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    let long = String(repeating: "dunes/", count: 200_000)
    func episodes(_ path: String) -> [ParsedItem] {
      (1...10).map { number in
        var item = episode
        item.id = "\(number)"
        item.extensions?.media[0].url = "https://a/\(path)\(number)"
        return item
      }
    }
    func pictures() async throws -> Set<String> {
      let items = try await temporary.store.items(ItemRequest(parts: .all)).map(\.item)
      return Set(items.compactMap { $0.media?.pictures.first?.url })
    }
    for path in [long, ""] {
      try await temporary.refresh(feed, episodes(path))
      let expected = Set((1...10).map { "https://a/\(path)\($0)" })
      #expect(try await pictures() == expected)
    }
    #expect(try await temporary.sql("SELECT count(DISTINCT change) FROM items WHERE change = 0") == "1")
  }

  @Test func `Items from before learn frames and MathML without an edit, also beside an article`()
    async throws
  {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    func item(_ html: String) -> ParsedItem {
      var item = ParsedItem("1", title: "Talk")
      item.contentHTML = html
      item.contentText = "See xy"
      return item
    }
    let former = item("<p>See </p>xy")
    let learned = item(
      #"<p>See <a class="newsd-frame" href="https://v.example/">Embedded: v.example</a> </p><math><mi>x</mi><mi>y</mi></math>"#
    )
    try await temporary.refresh(feed, [former])
    let before = try await temporary.store.item(id)
    try await temporary.refresh(feed, [learned])
    let after = try await temporary.store.item(id)
    #expect(after.contentHTML == learned.contentHTML)
    #expect(after.sequence == before.sequence)
    #expect(try await temporary.sql("SELECT count(*) FROM versions") == "0")
    // The feed's own text is beside the article: only that learns.
    _ = try await temporary.sql(
      "INSERT INTO articles (item, state, feed_text, feed_html) VALUES (1, 'fetched', 'See xy', '<p>See </p>xy')"
    )
    _ = try await temporary.sql("UPDATE contents SET html = '<p>The article</p>' WHERE id = 1")
    try await temporary.refresh(feed, [learned])
    #expect(try await temporary.store.item(id).contentHTML == "<p>The article</p>")
    #expect(try await temporary.sql("SELECT feed_html FROM articles") == learned.contentHTML)
    #expect(try await temporary.store.item(id).sequence == before.sequence)
  }
}
