import Modules
import NewsCore

/// The sound and video files of an item. The browser's own controls play them; the page's player takes their place.
struct RecordingsView {
  let page: NewsItemPage
  let context: PageContext

  func render(into html: inout HTMLBuilder) {
    for recording in page.recordings {
      guard let source = context.source("src", .recording, recording.url, of: page.feedID) else { continue }
      html.element(
        "section",
        .class("recording"),
        .flag("data-recording"),
        .value("data-number", String(recording.number)),
        .value("data-position", String(recording.position)),
        .value("data-title", page.title.string),
        .value("data-feed", page.feed.string),
        context.source("data-cover", .picture, page.cover, of: page.feedID),
        context.chapters(page.chapters, of: page.feedID),
        .value("aria-label", Wording.recording)
      ) { html in
        if recording.isVideo {
          html.tag("video", .flag("controls"), .value("preload", "none"), source)
          html.end("video")
        } else {
          html.tag("audio", .flag("controls"), .value("preload", "none"), source)
          html.end("audio")
        }
        html.element("p", .class("quiet"), .autoDirection) { html in
          let text = recording.text.string
          if let target = MarkupAttribute.href(outside: recording.url) {
            html.element("a", target, .outsideRelation, text: text)
          } else {
            html.text(text)
          }
          if recording.isPlayed { html.text(Wording.played) }
        }
      }
    }
  }
}
