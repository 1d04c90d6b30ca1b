import Modules
import NewsCore
import NewsHTTP
import NewsToolbox

/// The sound and video files of an item. The browser's own controls play them; the page's player takes their place.
struct RecordingsView {
  let page: NewsItemPage
  let context: PageContext

  /// The picture beside the first recording. Nil if the item has no recording or no picture.
  var cover: ItemPicture? {
    let isPlayable = page.recordings.contains {
      context.source("src", .recording, $0.url, of: page.feedID) != nil
    }
    return isPlayable ? page.pictures.first : nil
  }

  func render(into html: inout HTMLBuilder) {
    var cover = cover
    for recording in page.recordings {
      guard let source = context.source("src", .recording, recording.url, of: page.feedID) else { continue }
      html.element(
        "div",
        .class("recording"),
        .value("role", "group"),
        .flag("data-recording"),
        .value("data-number", String(recording.number)),
        .value("data-position", String(recording.position)),
        .value("data-title", page.title.string),
        .value("data-feed", page.feed.string),
        context.source("data-cover", .picture, page.cover, of: page.feedID),
        context.chapters(page.chapters, of: page.feedID),
        .value("aria-label", Wording.recording)
      ) { html in
        if let cover, let source = context.source("src", .picture, cover.url, of: page.feedID) {
          html.tag(
            "img",
            .class("cover"),
            source,
            .value("alt", DisplayText(line: cover.alt ?? "").string),
            .value("referrerpolicy", "no-referrer")
          )
        }
        html.element("div", .class("what")) { html in
          if recording.isVideo {
            html.tag("video", .flag("controls"), .value("preload", "none"), source)
            html.end("video")
          } else {
            html.tag("audio", .flag("controls"), .value("preload", "none"), source)
            html.end("audio")
          }
          name(&html, recording)
          file(&html, recording)
        }
      }
      cover = nil
    }
  }

  /// Writes what is played, and how long it takes.
  private func name(_ html: inout HTMLBuilder, _ recording: NewsItemPage.Recording) {
    html.element("p", .class("name")) { html in
      html.element("bdi", text: (recording.title ?? page.title).string)
      if let duration = recording.duration {
        html.literal(" <span class=\"quiet\">")
        html.text(duration.string)
        html.literal("</span>")
      }
    }
  }

  /// Writes the link to the file.
  private func file(_ html: inout HTMLBuilder, _ recording: NewsItemPage.Recording) {
    html.element("p", .class("tools quiet")) { html in
      let text = Wording.file(isVideo: recording.isVideo, recording.size?.string)
      if let target = MarkupAttribute.href(outside: recording.url) {
        html.element("a", target, .outsideRelation, .value("title", recording.text.string), text: text)
      } else {
        html.text(text)
      }
      if recording.isPlayed { html.text(Wording.played) }
    }
  }
}

/// The video of a page on YouTube or Vimeo.
struct VideoAddress {
  /// The address that shows only the video.
  let frame: String

  /// - Parameter page: The address of the video's page, such as `https://www.youtube.com/watch?v=…`.
  init?(page: String?) {
    guard let page, page.utf8.count <= 1000,
      let scheme = ["https://", "http://"].first(where: { page.hasPrefix(bytesOf: $0) })
    else { return nil }
    let rest = page.slice(scheme.utf8.count...)
    let (host, path) = rest.cut(atFirst: "/") ?? (rest, "")
    switch host {
    case "www.youtube.com", "youtube.com", "m.youtube.com":
      let (place, query) = path.cut(atFirst: "?") ?? (path, "")
      let isWatched = place == "watch"
      let short = place.cut(atFirst: "/").flatMap { $0.before == "shorts" ? String($0.after) : nil }
      let name = isWatched ? HTTPParameters(encoded: query.utf8).first("v") : short
      guard let name, Self.isName(name) else { return nil }
      frame = "https://www.youtube.com/embed/\(name)"
    case "youtu.be":
      let name = String(path.cut(atFirst: "?")?.before ?? path)
      guard Self.isName(name) else { return nil }
      frame = "https://www.youtube.com/embed/\(name)"
    case "vimeo.com", "www.vimeo.com":
      let number = String(path.cut(atFirst: "?")?.before ?? path)
      guard (3...20).contains(number.utf8.count), number.utf8.allSatisfy(ASCII.isDigit) else { return nil }
      frame = "https://player.vimeo.com/video/\(number)"
    default: return nil
    }
  }

  private static func isName(_ text: String) -> Bool {
    (6...20).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }

  /// True for the address of a video for a program that no browser has any more.
  static func isOutdated(_ url: String) -> Bool {
    ["https://www.youtube.com/v/", "http://www.youtube.com/v/"].contains { url.hasPrefix(bytesOf: $0) }
  }
}
