import NewsCore
import Testing

@Suite struct `Pictures beside the text` {
  private func item(_ media: [MediaObject], image: String? = nil, html: String? = nil) -> NewsItem {
    var parsed = ParsedItem()
    var extensions = ItemExtensions()
    extensions.media = media
    parsed.extensions = extensions
    return NewsItem(
      id: NewsItem.ID(rawValue: 1),
      feedID: Feed.ID(rawValue: 1),
      feedTitle: "",
      feedURL: "",
      guid: "1",
      title: "",
      stored: Timestamp(seconds: 0),
      contentHTML: html,
      image: image,
      media: ItemMedia(parsed)
    )
  }

  private func picture(_ url: String, alt: String? = nil, width: Int? = nil) -> MediaObject {
    var media = MediaObject(url: url)
    media.medium = "image"
    media.alt = alt
    media.width = width
    return media
  }

  @Test func `All pictures of a post are shown, with their alternative texts`() {
    let first = picture("https://a/media/4711.png", alt: "one")
    let second = picture("https://a/media/4712.png", alt: "two")
    let shown = item([first, second], image: "https://a/media/4711.png", html: "<p>Look</p>")
      .picturesBesideText
    #expect(shown.map(\.url) == ["https://a/media/4711.png", "https://a/media/4712.png"])
    #expect(shown.map(\.alt) == ["one", "two"])
  }

  @Test func `Of several sizes of a picture, the largest is shown`() {
    let sizes = [140, 700, 460].map { (width: Int) in
      picture("https://a/6720.jpg?width=\(width)", width: width)
    }
    let shown = item(sizes, image: "https://a/6720.jpg?width=140").picturesBesideText
    #expect(shown.map(\.url) == ["https://a/6720.jpg?width=700"])
  }

  @Test(arguments: [
    "<p><img src=\"https://a/harbour_at_dusk.jpg?a=1&amp;b=2\"></p>",
    "<p><img src=\"https://cdn.example/harbour_at_dusk.jpg?w=10\"></p>",
  ])
  func `A picture that the text contains is not shown again`(html: String) {
    let media = [
      picture("https://a/harbour_at_dusk.jpg?a=1&b=2"), picture("https://a/harbour_at_dusk-300x200.jpg"),
    ]
    #expect(
      item(media, image: "https://a/harbour_at_dusk.jpg?a=1&b=2", html: html).picturesBesideText.isEmpty
    )
    #expect(item(media, html: "<p>No picture</p>").picturesBesideText.count == 1)
  }

  @Test(arguments: [
    ("<p><img src=\"https://a/1200/7.jpg\" alt=\"A canal\"></p><p>Text</p>", 0),
    ("<p>Text <img src=\"https://a/smile.png\" width=\"20\" height=\"20\"></p>", 1),
    ("<p>Text</p><img src=\"https://a/count\" alt=\"\" width=\"1\" height=\"1\">", 1),
    ("<p>1 &lt;img 2</p>", 1),
  ])
  func `A text with a picture of its own needs no stand-in above it`(html: String, count: Int) {
    #expect(item([], image: "https://a/240/8.jpg", html: html).picturesAboveText.count == count)
    let media = [picture("https://a/media/4711.png"), picture("https://a/media/4712.png")]
    #expect(item(media, html: html).picturesAboveText.count == 2)
  }

  @Test func `Alternative texts and lists are bounded`() {
    let long = String(repeating: "x", count: 5000)
    let found = item((0..<50).map { picture("https://a/\($0)00000.png", alt: long) }).media
    #expect(found?.pictures.count == 20)
    #expect(found?.pictures.first?.alt?.unicodeScalars.count == 1500)
  }

  @Test func `Of a hostile number of pictures, the first are shown, with addresses of a usual length`() {
    var hostile = item(
      [picture("https://a/" + String(repeating: "x", count: 5000))],
      html: "<img src=\"https://b/\">"
    )
    hostile.enclosures = (1...512).map { Enclosure(url: "https://a/\($0).jpg", mimeType: "image/jpeg") }
    #expect(hostile.picturesBesideText.map(\.url) == (1...50).map { "https://a/\($0).jpg" })
  }
}
