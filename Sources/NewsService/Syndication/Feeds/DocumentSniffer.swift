import NewsCore

/// Identifies documents that are not feeds.
enum DocumentSniffer {
  /// Returns an error for a document that begins as an HTML page or cannot be XML; otherwise nil.
  static func refusal(_ utf8: UnsafeBufferPointer<UInt8>) -> FeedParseError? {
    let head = UnsafeBufferPointer(rebasing: utf8[..<min(utf8.count, 4096)])
    let magic: [(StaticString, String)] = [
      ("%pdf-", "a PDF document"), ("gif8", "a picture"), ("pk\u{3}\u{4}", "an archive"),
      ("rar!", "an archive"),
      ("\u{7F}elf", "a program"), ("id3", "a sound file"), ("oggs", "a sound file"), ("riff", "a media file"),
      ("wOFF", "a font"),
    ]
    for (word, what) in magic where ByteText.hasPrefix(head, word) { return notAFeed(what) }
    if head.count >= 4 {
      if head[0] == 0x89, head[1] == UInt8(ascii: "P"), head[2] == UInt8(ascii: "N") {
        return notAFeed("a picture")
      }
      if head[0] == 0xFF, head[1] == 0xD8 { return notAFeed("a picture") }
      if head[0] == 0x1F, head[1] == 0x8B { return notAFeed("compressed data") }
    }
    if beginsAsHTML(head) { return page }
    guard ByteText.firstIndex(of: UInt8(ascii: "<"), in: utf8) != nil else { return notAFeed("plain text") }
    return nil
  }

  static let page = FeedParseError(code: .htmlPage, message: "this is an HTML page, not a feed")

  private static func notAFeed(_ what: String) -> FeedParseError {
    FeedParseError(code: .notAFeed, message: "this is \(what), not a feed")
  }

  /// True if the document begins, after comments and white space, with `<html`, `<head` or `<body`, or with
  /// `<!DOCTYPE html>` and no feed after it.
  private static func beginsAsHTML(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    var isPage = false
    while index < head.count {
      while index < head.count, head[index] <= UInt8(ascii: " ") { index += 1 }
      let rest = UnsafeBufferPointer(rebasing: head[index...])
      if ByteText.hasPrefix(rest, "<!--") {
        guard let end = commentEnd(head, from: index + 4) else { return false }
        index = end
        continue
      }
      // Some frameworks put `<!DOCTYPE html>` before everything; the root element decides.
      if ByteText.hasPrefix(rest, "<!doctype html"),
        let end = ByteText.firstIndex(of: UInt8(ascii: ">"), in: head, from: index)
      {
        index = end + 1
        isPage = true
        continue
      }
      if isPage, isFeedRoot(rest) { return false }
      return isPage || ByteText.hasPrefix(rest, "<html")
        || ByteText.hasPrefix(rest, "<head") || ByteText.hasPrefix(rest, "<body")
    }
    return isPage
  }

  /// True for the start tag of a feed or the XML declaration.
  private static func isFeedRoot(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    ByteText.hasPrefix(text, "<?xml") || ByteText.hasPrefix(text, "<rss") || ByteText.hasPrefix(text, "<feed")
      || ByteText.hasPrefix(text, "<rdf:rdf")
  }

  private static func commentEnd(_ head: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    while let found = ByteText.firstIndex(of: UInt8(ascii: ">"), in: head, from: index) {
      if found >= start + 2, head[found - 1] == UInt8(ascii: "-"), head[found - 2] == UInt8(ascii: "-") {
        return found + 1
      }
      index = found + 1
    }
    return nil
  }

  /// Returns the error for XML that contains no feed.
  static func unrecognized(rootName: String?, isHTML: Bool) -> FeedParseError {
    guard let rootName else { return notAFeed("plain text") }
    let lower = rootName.lowercased()
    if isHTML { return page }
    switch lower {
    case "opml", "outlinedocument":
      return notAFeed("an OPML list of subscriptions (newsd feeds import reads it)")
    case "urlset", "sitemapindex": return notAFeed("a sitemap")
    case "svg": return notAFeed("a picture")
    case "error", "response": return notAFeed("an error message in XML")
    case "xbel", "rfc", "xsl", "stylesheet", "manifest", "plist":
      return notAFeed("XML of another kind (<\(rootName)>)")
    default: break
    }
    let tags: Set<String> = [
      "html", "head", "body", "div", "p", "table", "script", "style", "meta", "title", "h1", "h2", "center",
      "br", "b", "a", "span", "font", "form", "iframe", "main", "section", "article", "header", "link",
    ]
    if tags.contains(lower) { return page }
    return notAFeed("XML of another kind (<\(rootName.prefix(40))>)")
  }
}
