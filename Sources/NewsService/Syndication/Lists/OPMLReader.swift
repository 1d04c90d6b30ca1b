import NewsCore
import NewsToolbox

/// Reads OPML 1.0 to 2.0 (opml.org), including ill-formed documents.
enum OPMLReader {
  /// Maximum depth of folders. A deeper folder is merged into its parent.
  static let maximumDepth = 64

  /// Reads the list and returns the name of its root element. If the list is truncated, reads all complete feeds.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>, into collector: inout ListCollector) -> String {
    guard var scanner = MarkupScanner(bytes) else { return "" }
    var root = ""
    // The folder path of each open outline.
    var folders: [String?] = []
    var tooDeep = 0
    // Number of open outlines that are commented out (OPML 2.0, isComment).
    var commented = 0
    var title: String?
    var isClosed = false
    // True for newsd's own exports, in which names are escaped once and must round-trip unchanged. Some programs
    // escape names twice.
    var isOwn = false
    while let event = scanner.next() {
      switch event {
      case .start(let tag):
        if root.isEmpty {
          root = tag.name
          isOwn = tag.attributes["xmlns:newsd"] != nil
        }
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
        let folder = outline(tag, in: parent, isOwn: isOwn, &collector)
        guard !tag.isEmpty else { continue }
        if folders.count < maximumDepth { folders.append(folder) } else { tooDeep += 1 }
      case .end(let name):
        if name == root || name == "body" { isClosed = true }
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
    if scanner.endsInTag || !isClosed && root != "outline" || !folders.isEmpty && root == "outline" {
      collector.setTruncated()
    }
    return root
  }

  /// Adds the outline's feed, or returns the folder that the outline opens.
  private static func outline(
    _ tag: MarkupScanner.Tag,
    in folder: String?,
    isOwn: Bool,
    _ collector: inout ListCollector
  ) -> String? {
    let attributes = tag.attributes
    let names = [attributes["text"], attributes["title"]]
    let name = names.lazy.compactMap { name in
      guard let name else { return String?.none }
      let isMeant = isOwn || name == attributes["xmlurl"]
      return ListCollector.line(isMeant ? name : HTMLPlainText.decodingReferences(in: name))
    }
    .first
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
      let part = name.split(ascii: "/").map { $0 }.joined(separator: "/")
      guard !part.isEmpty else { return folder }
      let path = folder.map { $0 + "/" + part } ?? part
      return path.utf8.count > longestFolder ? folder : path
    }
    if type.contains(ascii: "+") {
      collector.skip(
        line: tag.line,
        address,
        "has the type '\(attributes["type"] ?? "")', which is not a feed"
      )
      return folder
    }
    var feed = NewFeed(
      url: address,
      title: name,
      siteURL: attributes["htmlurl"].flatMap { $0.isEmpty ? nil : $0 }
    )
    var categories = (attributes["category"] ?? "").split(ascii: ",").compactMap(folder(ofCategory:))
    if folder == nil, !categories.isEmpty { feed.folder = categories.removeFirst() }
    feed.folder = feed.folder ?? folder
    feed.settings = FeedSettings(outline: attributes)
    var leftOut = categories.filter { $0 != feed.folder }.map { "category \($0)" }
    var rules: [FeedFilter.Rule] = []
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      if name == "frss:filtersactionread" {
        for line in value.split(ascii: "\n") {
          if let rule = FeedFilter.rule(line, .markRead) {
            rules.append(rule)
          } else {
            leftOut.append("frss:filtersActionRead \(line)")
          }
        }
      } else if isOfOtherReader(name, value) {
        leftOut.append(OPMLNames.spelling[name] ?? name)
      }
    }
    collector.add(feed, line: tag.line, leftOut: leftOut, rules: rules)
    return folder
  }

  /// True for attributes of FreshRSS and miniflux that newsd ignores.
  private static func isOfOtherReader(_ name: String, _ value: String) -> Bool {
    guard name.hasPrefix(bytesOf: "frss:") || name.hasPrefix(bytesOf: "miniflux:") else { return false }
    if name == "frss:priority" { return value != "main" }
    if value == "false" || value == "0" { return false }
    return !OPMLNames.takenOver.contains(name)
  }

  /// Converts one entry of the comma-separated `category` attribute to a folder: `/News/Local` becomes `News/Local`.
  private static func folder(ofCategory category: Substring) -> String? {
    let parts = category.split(ascii: "/").compactMap { ListCollector.line(String($0)) }
    let path = parts.joined(separator: "/")
    return path.isEmpty || path.utf8.count > longestFolder ? nil : path
  }

  /// Maximum length of a folder path in bytes; a folder with a longer path is merged into its parent. Each feed
  /// stores its whole path, so 64 nested long names would take megabytes per feed.
  private static let longestFolder = 1024
}

/// Attributes of other readers, which the scanner reports in lower case.
private enum OPMLNames {
  static let takenOver: Set<String> = [
    "frss:curlopt_useragent", "frss:curlopt_proxy", "frss:curlopt_cookie", "frss:curlopt_httpheader",
    "miniflux:useragent", "miniflux:proxyurl", "miniflux:cookie",
    "frss:cssfullcontent", "frss:csscontentfilter", "frss:cssfullcontentfilter", "miniflux:scraperrules",
  ]

  static let spelling: [String: String] = {
    let names = [
      "frss:cssFullContentConditions",
      "frss:CURLOPT_COOKIEFILE", "frss:CURLOPT_FOLLOWLOCATION", "frss:CURLOPT_MAXREDIRS", "frss:CURLOPT_POST",
      "frss:CURLOPT_POSTFIELDS", "frss:CURLOPT_PROXYTYPE", "frss:filtersActionStar", "frss:unicityCriteria",
      "frss:unicityCriteriaForced", "frss:xPathItem", "frss:xPathItemTitle", "frss:xPathItemContent",
      "frss:xPathItemUri", "frss:xPathItemAuthor", "frss:xPathItemTimestamp", "frss:xPathItemTimeFormat",
      "frss:xPathItemThumbnail", "frss:xPathItemCategories", "frss:xPathItemUid",
      "miniflux:rewriteRules", "miniflux:urlRewriteRules", "miniflux:blocklistRules",
      "miniflux:keeplistRules", "miniflux:blockFilterEntryRules", "miniflux:keepFilterEntryRules",
      "miniflux:disableHTTP2", "miniflux:allowSelfSignedCertificates", "miniflux:fetchViaProxy",
      "miniflux:ignoreHTTPCache", "miniflux:noMediaPlayer", "miniflux:hideGlobally",
    ]
    return Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
  }()
}
