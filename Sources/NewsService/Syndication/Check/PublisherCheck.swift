public import NewsService

extension FeedParser {
  /// What a publisher should mend, in document order. Empty for a document without fault.
  public func check(_ document: FeedDocument) throws(FeedParseError) -> [SyntaxProblem] {
    try PublisherCheck.problems(of: document, limits: limits)
  }
}

/// What a feed's publisher should mend: breaches of XML first, and in a well-formed document what its format asks for
/// and readers rely on.
enum PublisherCheck {
  static func problems(of document: FeedDocument, limits: ParseLimits) throws(FeedParseError)
    -> [SyntaxProblem]
  {
    let feed = try FeedParser(limits: limits).parse(document)
    var problems = feed.problems
    if feed.format.hasPrefix("json") {
      problems += jsonProblems(feed)
    } else if feed.isWellFormed, feed.format != "cdf" {
      problems += document.bytes.withUnsafeBufferPointer { bytes in
        let text = DocumentText(bytes, contentType: document.contentType, override: document.encoding)
        guard let converted = text.converted else {
          return rules(UnsafeBufferPointer(rebasing: bytes[text.start...]), feed, limits)
        }
        return converted.withUnsafeBufferPointer { rules($0, feed, limits) }
      }
    }
    return problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  private static func rules(
    _ utf8: UnsafeBufferPointer<UInt8>,
    _ feed: ParsedFeed,
    _ limits: ParseLimits
  ) -> [SyntaxProblem] {
    guard StartTagGuard.allows(utf8, limits: limits) else { return [] }
    var walk = CheckWalk(input: utf8, isAtom: feed.format.hasPrefix("atom"), limit: limits.maximumProblems)
    walk.run()
    return XMLFeedReader.locate(walk.findings, in: utf8)
  }

  /// A JSON document's values have no places; its findings stand at its beginning.
  private static func jsonProblems(_ feed: ParsedFeed) -> [SyntaxProblem] {
    var messages: [String] = []
    if feed.title == nil { messages.append("The feed has no title.") }
    if feed.feedURL == nil { messages.append("The feed has no feed_url.") }
    if feed.homePageURL == nil { messages.append("The feed has no home_page_url.") }
    var ids: Set<String> = []
    for (index, item) in feed.items.enumerated() {
      let name = "Item \(index + 1)"
      if let id = item.id {
        if !ids.insert(id).inserted { messages.append("\(name) has the id of another item.") }
      } else {
        messages.append("\(name) has no id.")
      }
      if item.contentHTML == nil, item.contentText?.isEmpty ?? true {
        messages.append("\(name) has no content.")
      }
      if item.published == nil { messages.append("\(name) has no date_published that can be read.") }
      if messages.count > 100 { break }
    }
    return messages.map { SyntaxProblem(line: 1, column: 1, message: $0) }
  }
}
