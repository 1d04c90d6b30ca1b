import Modules
import NewsCore
import NewsText
import NewsToolbox

/// Encodes items as one HTML page that loads no scripts, images or fonts. It contains the pictures that newsd keeps.
///
/// The HTML of items is sanitized when it is stored; a content security policy is the second line of defence.
struct HTMLPageEncoder: RecordEncoding {
  let document: OutputDocument
  let zone: Zone
  /// The pictures that the page contains.
  var pictures = DocumentPictures()

  mutating func begin(_ buffer: inout ByteBuffer) {
    buffer.append(literal: "<!DOCTYPE html>\n<html lang=\"und\">\n<head>\n<meta charset=\"utf-8\">\n")
    buffer.append(literal: "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    buffer.append(literal: "<meta http-equiv=\"Content-Security-Policy\" ")
    buffer.append(literal: "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n")
    buffer.append(literal: "<meta name=\"referrer\" content=\"no-referrer\">\n")
    buffer.append(literal: "<meta name=\"generator\" content=\"newsd\">\n")
    buffer.element("title", DisplayText(line: document.title).string)
    buffer.append(literal: "<style>\n")
    buffer.append(literal: Self.style)
    buffer.append(literal: "</style>\n</head>\n<body>\n<header>")
    buffer.element("h1", DisplayText(line: document.title).string, attributes: " dir=\"auto\"")
    buffer.append(literal: "</header>\n<main>\n")
  }

  mutating func append(_ item: NewsItem, to buffer: inout ByteBuffer) {
    // `auto` derives the direction of each item from its own text.
    buffer.append(literal: "<article dir=\"auto\"")
    buffer.attribute("lang", ProtocolText.language(item.language))
    buffer.append(literal: ">\n<h2>")
    let title = item.title.isEmpty ? "(untitled)" : item.title
    anchor(title, item.url, to: &buffer)
    buffer.append(literal: "</h2>\n<p class=\"meta\"><bdi>")
    buffer.append(html: item.feedTitle)
    buffer.append(literal: "</bdi>")
    for author in item.authors where !author.displayName.isEmpty {
      buffer.append(literal: " · <bdi>")
      buffer.append(html: author.displayName)
      buffer.append(literal: "</bdi>")
    }
    let time = item.published ?? item.sortTime
    buffer.append(literal: " · <time")
    buffer.attribute("datetime", time.rfc3339)
    buffer.append(literal: ">")
    buffer.append(time.dateAndTime(in: zone))
    buffer.append(literal: "</time>")
    for tag in item.tags where !tag.isEmpty {
      buffer.append(literal: " <bdi class=\"tag\">")
      buffer.append(html: tag)
      buffer.append(literal: "</bdi>")
    }
    buffer.append(literal: "</p>\n")
    appendContent(item, to: &buffer)
    for enclosure in item.enclosures {
      buffer.append(literal: "<p class=\"file\">")
      anchor(enclosure.title ?? enclosure.url, enclosure.url, to: &buffer)
      if let size = enclosure.size, size > 0 { buffer.append(html: " (\(ByteCountText.text(size)))") }
      buffer.append(literal: "</p>\n")
    }
    buffer.append(literal: "</article>\n")
  }

  mutating func end(_ buffer: inout ByteBuffer) {
    buffer.append(literal: "</main>\n</body>\n</html>\n")
  }

  private func appendContent(_ item: NewsItem, to buffer: inout ByteBuffer) {
    if let html = item.contentHTML, !html.isEmpty {
      buffer.append(literal: "<div class=\"content\">")
      PageContent.append(html, of: item.id, on: .document(pictures), to: &buffer)
      buffer.append(literal: "</div>\n")
      return
    }
    let text = item.contentText.isEmpty ? item.summary ?? "" : item.contentText
    guard !text.isEmpty else { return }
    buffer.append(literal: "<div class=\"content plain\">")
    buffer.append(html: text)
    buffer.append(literal: "</div>\n")
  }

  /// Appends a link if the URL's scheme is allowed on a page, else plain text.
  private func anchor(_ text: String, _ url: String?, to buffer: inout ByteBuffer) {
    let target = url.flatMap { url in
      let start = url.prefix(8).lowercased()
      return ["http://", "https://", "mailto:", "ftp://"].contains { start.hasPrefix(bytesOf: $0) }
        ? ProtocolText.url(url) : nil
    }
    if target != nil {
      buffer.append(literal: "<a rel=\"noopener noreferrer\"")
      buffer.attribute("href", target)
      buffer.append(literal: ">")
    }
    buffer.append(html: text)
    if target != nil { buffer.append(literal: "</a>") }
  }

  private static let style: StaticString = """
    :root { color-scheme: light dark; }
    body { font: 1.05rem/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 44rem; padding: 1rem; }
    h1 { font-size: 1.3rem; }
    article { border-top: 1px solid color-mix(in srgb, currentcolor 25%, transparent); padding: .6rem 0 1rem; }
    h2 { font-size: 1.15rem; line-height: 1.3; margin: .4rem 0 .2rem; }
    a { color: LinkText; }
    h2 a { text-decoration: none; }
    .meta, .file { font-size: .85rem; margin: 0 0 .6rem; opacity: .75; }
    .tag { border: 1px solid; border-radius: .6em; padding: 0 .4em; }
    .content { contain: paint; overflow: clip; overflow-wrap: anywhere; }
    .plain { white-space: pre-line; }
    pre { overflow-x: auto; }
    img, video, iframe { max-width: 100%; height: auto; }
    blockquote { border-inline-start: 3px solid; margin-inline: 0; padding-inline-start: 1rem; opacity: .85; }

    """
}
