import NewsService

/// OPML 1.0 to 2.0 (opml.org), as well formed as it comes.
enum OPMLReader {
  /// Folders nested deeper count as the one around them.
  static let maximumDepth = 64

  /// Returns the name of the document's first element.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>, into collector: inout ListCollector) -> String {
    guard var scanner = MarkupScanner(bytes) else { return "" }
    var root = ""
    // One entry for each open outline: the folder's path within it.
    var folders: [String?] = []
    var tooDeep = 0
    // How many outlines are open of those that are commented out, with what is below them (OPML 2.0, isComment).
    var commented = 0
    var title: String?
    while let event = scanner.next() {
      switch event {
      case .start(let tag):
        if root.isEmpty { root = tag.name }
        if tag.name == "title", collector.list.title == nil, !tag.isEmpty { title = "" }
        guard tag.name == "outline" else { continue }
        if commented > 0 || tag.attributes["iscomment"]?.lowercased() == "true" {
          if !tag.isEmpty { commented += 1 }
          if let address = tag.attributes["xmlurl"] {
            collector.skip(line: tag.line, address, "is commented out")
          }
          continue
        }
        let parent = folders.last ?? nil
        let folder = outline(tag, in: parent, &collector)
        guard !tag.isEmpty else { continue }
        if folders.count < maximumDepth { folders.append(folder) } else { tooDeep += 1 }
      case .end(let name):
        if name == "title", let text = title {
          collector.setTitle(ListCollector.line(text) ?? "")
          title = nil
        }
        guard name == "outline" else { continue }
        if commented > 0 {
          commented -= 1
          continue
        }
        if tooDeep > 0 { tooDeep -= 1 } else if !folders.isEmpty { folders.removeLast() }
      case .text(let text):
        if title != nil, (title?.utf8.count ?? 0) < 4096 { title? += text }
      }
    }
    return root
  }

  /// Adds the feed that the outline is, or returns the folder that it opens.
  private static func outline(
    _ tag: MarkupScanner.Tag,
    in folder: String?,
    _ collector: inout ListCollector
  ) -> String? {
    let attributes = tag.attributes
    let names = [attributes["text"], attributes["title"]]
    let name = names.lazy.compactMap { $0.flatMap(ListCollector.line) }.first
    let type = (attributes["type"] ?? "").lowercased()
    let isFeedType = ["rss", "atom", "rdf", "jsonfeed", "json", "feed", "rss1", "rss2"].contains(type)
    if type == "search", let query = attributes["newsd:query"] {
      if let name { collector.add(SavedSearch(name: name, query: query)) }
      return folder
    }
    var address = attributes["xmlurl"] ?? attributes["feedurl"]
    if address?.isEmpty ?? true, isFeedType { address = attributes["url"] ?? attributes["href"] }
    guard let address, !address.isEmpty else {
      if type == "include" || type == "link", let url = attributes["url"] {
        collector.skip(
          line: tag.line,
          url,
          type == "include" ? "includes another list" : "is a link, not a feed"
        )
        return folder
      }
      guard let name else { return folder }
      let part = name.split(separator: "/").map { $0 }.joined(separator: "/")
      guard !part.isEmpty else { return folder }
      let path = folder.map { $0 + "/" + part } ?? part
      return path.utf8.count > longestFolder ? folder : path
    }
    if type.contains("+") {
      collector.skip(
        line: tag.line,
        address,
        "is read from a page that is no feed (\(attributes["type"] ?? ""))"
      )
      return folder
    }
    var feed = NewFeed(
      url: address,
      title: name,
      siteURL: attributes["htmlurl"].flatMap { $0.isEmpty ? nil : $0 }
    )
    feed.folder = folder ?? attributes["category"].flatMap(folder(ofCategory:))
    feed.settings = FeedSettings(outline: attributes)
    collector.add(feed, line: tag.line)
    return folder
  }

  /// The folder that a `category` attribute names first: `/News/Local,/tag` is `News/Local`.
  private static func folder(ofCategory category: String) -> String? {
    guard let first = category.split(separator: ",").first else { return nil }
    let parts = first.split(separator: "/").compactMap { ListCollector.line(String($0)) }
    let path = parts.joined(separator: "/")
    return path.isEmpty || path.utf8.count > longestFolder ? nil : path
  }

  /// Bytes of a folder with all that it lies in. Every folder holds the names of those around it: 64 of them with names
  /// as long as a list may have them would take megabytes for each feed. What is longer adds no folder.
  private static let longestFolder = 1024
}
