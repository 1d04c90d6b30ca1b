public import Modules
public import NewsCore
public import NewsText
public import NewsToolbox

/// Writes an article as one line of JSON.
public struct ParseArticleView: ContentView {
  public init() {}

  public func render(_ content: ParseArticleViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.append(PageArticleJSON.bytes(content.article))
    buffer.append(UInt8(ascii: "\n"))
  }
}

/// The article of a page as one JSON object; every key is present, with null for unknown values.
public enum PageArticleJSON {
  /// The article in UTF-8, on one line without a trailing line feed.
  public static func bytes(_ article: PageArticle) -> [UInt8] {
    var json = JSONWriter(reservingCapacity: article.html.utf8.count * 2 + article.text.utf8.count + 1024)
    func write(_ name: StaticString, _ text: String?) {
      json.key(name)
      if let text { json.value(text) } else { json.null() }
    }
    json.beginObject()
    write("title", article.title)
    write("byline", article.byline)
    write("published", article.published?.rfc3339)
    write("html", article.html)
    write("text", article.text)
    json.key("excerpt_found")
    if let isFound = article.isExcerptFound { json.value(isFound) } else { json.null() }
    json.endObject()
    return json.takeBytes()
  }
}
