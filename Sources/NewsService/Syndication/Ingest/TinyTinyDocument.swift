public import NewsCore
import NewsToolbox

/// The XML file that the plugin import_export of Tiny Tiny RSS writes: starred and archived articles, each with its feed.
public enum TinyTinyDocument {
  /// Maximum length of a text in bytes.
  private static let longestText = 16 << 20

  /// Returns nil if the root element is not `articles`. HTML is not sanitized, and references in titles are not decoded.
  public static func read(_ bytes: [UInt8]) -> ForeignDocument? {
    bytes.withUnsafeBufferPointer { buffer in
      guard var scanner = MarkupScanner(buffer, isList: false, maximumValue: longestText) else { return nil }
      var document: ForeignDocument?
      var article: [String: String]?
      var element: String?
      while let event = scanner.next() {
        switch event {
        case .start(let tag) where document == nil:
          guard tag.name == "articles" else { return nil }
          document = ForeignDocument()
        case .start(let tag) where tag.name == "article": article = [:]
        case .start(let tag): element = tag.isEmpty ? nil : tag.name
        case .end("article"):
          if let article { add(article, to: &document) }
          article = nil
        case .end: element = nil
        case .text(let text):
          // A long text may be in several sections.
          if let element, (article?[element]?.utf8.count ?? 0) < longestText {
            article?[element, default: ""] += text
          }
        }
      }
      return document
    }
  }

  private static func add(_ article: [String: String], to document: inout ForeignDocument?) {
    func text(_ name: String) -> String? { article[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let url = text("feed_url") else {
      document?.withoutFeed += 1
      return
    }
    var item = ParsedItem()
    // The file's guid is a hash of the feed's guid: at the first poll, the item is found by its link.
    item.url = text("link")
    item.title = text("title")
    item.contentHTML = text("content")
    item.published = text("updated").flatMap(DateParser.parse)
    item.tags = (text("tag_cache") ?? "").split(ascii: ",", atMost: ParsedItem.longestList)
      .map { Category(term: String($0)) }
    if let author = text("author") { item.authors = [Author(name: author)] }
    // Only some versions write whether an article is unread. The user has seen what he starred or archived.
    var imported = ImportedItem(
      item: item,
      isRead: article["unread"] != "1",
      isStarred: article["marked"] == "1"
    )
    imported.labels = labels(text("label_cache") ?? "")
    document?.add(imported, to: NewFeed(url: url, title: text("feed_title")))
  }

  /// Reads an array of labels, each an array of id, name and colours.
  private static func labels(_ text: String) -> [String] {
    // The array, and for each label its array and four elements; a longer list ends there.
    let mostValues = 1 + 5 * ParsedItem.longestList
    let value = text.withBytes { bytes in
      var reader = JSONReader(bytes, mostValues: mostValues)
      let value = reader.read()
      return reader.firstProblem == nil || reader.isTooLarge ? value : nil
    }
    return (value?.array ?? []).compactMap { label in
      guard let parts = label.array, parts.count > 1 else { return nil }
      return parts[1].string
    }
  }
}
