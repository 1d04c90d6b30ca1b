import NewsCore
import NewsSyndication

/// Sanitizes items that did not come from the feed parser, with the parser's HTML sanitizer and URL rules.
struct ItemCleaner: ItemCleaning {
  func cleaned(_ item: ParsedItem, base: String?) -> ParsedItem {
    var cleaned = item
    if let (html, _) = clean(&cleaned, base: base) { cleaned.contentHTML = html }
    return cleaned
  }

  /// Cleans an item like `cleaned`, and also derives `contentText` from the HTML.
  func cleanedWithText(_ item: ParsedItem, base: String?) -> ParsedItem {
    var cleaned = item
    if let (html, text) = clean(&cleaned, base: base) {
      cleaned.contentHTML = html
      cleaned.contentText = text
    }
    return cleaned
  }

  /// Cleans the URLs of `item`. Returns its sanitized HTML, and the text of that HTML.
  private func clean(_ item: inout ParsedItem, base: String?) -> (html: String, text: String)? {
    let own = item.url.flatMap { URLResolver.resolve($0, base: base) }
    let base = own ?? base
    func link(_ url: String?, _ policy: URLPolicy = .link) -> String? {
      url.flatMap { URLResolver.resolve($0, base: base, policy: policy) }
    }
    item.url = own
    item.externalURL = link(item.externalURL)
    item.commentsURL = link(item.commentsURL)
    item.image = link(item.image, .resource)
    for index in item.authors.indices {
      item.authors[index].url = link(item.authors[index].url)
      item.authors[index].avatar = link(item.authors[index].avatar, .resource)
    }
    item.enclosures = item.enclosures.compactMap { enclosure in
      guard let url = link(enclosure.url) else { return nil }
      var enclosure = enclosure
      enclosure.url = url
      return enclosure
    }
    if var extensions = item.extensions {
      extensions.media = extensions.media.compactMap { media in
        link(media.url, .resource).map {
          var media = media
          media.url = $0
          return media
        }
      }
      extensions.thumbnails = extensions.thumbnails.compactMap { thumbnail in
        link(thumbnail.url, .resource).map {
          MediaThumbnail(url: $0, width: thumbnail.width, height: thumbnail.height)
        }
      }
      func file(_ file: Link) -> Link? {
        link(file.href).map {
          var file = file
          file.href = $0
          return file
        }
      }
      extensions.chapters = extensions.chapters.flatMap(file)
      extensions.transcripts = extensions.transcripts.compactMap(file)
      item.extensions = extensions
    }
    return item.contentHTML.map { Self.sanitized($0, base: base) }
  }

  /// Returns sanitized HTML and its text.
  @Sendable static func sanitized(_ html: String, base: String?) -> (html: String, text: String) {
    var sanitizer = HTMLSanitizer()
    return sanitizer.sanitize(html, base: base)
  }
}
