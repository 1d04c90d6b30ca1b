public import NewsService

extension FeedParser {
  /// What a publisher should mend, in document order. Empty for a document without fault.
  public func check(_ document: FeedDocument) throws(FeedParseError) -> [SyntaxProblem] {
    try PublisherCheck.problems(of: document, limits: limits)
  }
}

/// What a feed's publisher should mend: breaches of XML or JSON, and what its format asks for and readers rely on.
enum PublisherCheck {
  static func problems(of document: FeedDocument, limits: ParseLimits) throws(FeedParseError)
    -> [SyntaxProblem]
  {
    var walk = CheckWalk(limit: limits.maximumProblems)
    let result = withUnsafeMutablePointer(to: &walk) { pointer -> Result<ParsedFeed, FeedParseError> in
      do throws(FeedParseError) {
        return .success(try FeedParser(limits: limits).parse(document, walk: pointer))
      } catch {
        return .failure(error)
      }
    }
    let feed = try result.get()
    var problems = feed.problems
    if feed.format.hasPrefix("json") {
      problems += located(document, jsonFindings)
    } else if feed.format != "cdf" {
      problems += located(document) { _ in walk.findings }
    }
    // Stable: what stands at one place keeps its order.
    return problems.enumerated().sorted {
      ($0.element.line, $0.element.column, $0.offset) < ($1.element.line, $1.element.column, $1.offset)
    }.map(\.element)
  }

  /// Findings in the document's UTF-8, with their lines and columns.
  private static func located(
    _ document: FeedDocument,
    _ findings: (UnsafeBufferPointer<UInt8>) -> [Finding]
  ) -> [SyntaxProblem] {
    document.bytes.withUnsafeBufferPointer { bytes in
      let text = DocumentText(bytes, contentType: document.contentType, override: document.encoding)
      guard let converted = text.converted(bytes) else {
        let utf8 = UnsafeBufferPointer(rebasing: bytes[text.start...])
        return Finding.locate(findings(utf8), in: utf8)
      }
      return converted.withUnsafeBufferPointer { Finding.locate(findings($0), in: $0) }
    }
  }

  private static func jsonFindings(_ utf8: UnsafeBufferPointer<UInt8>) -> [Finding] {
    var reader = JSONReader(utf8)
    guard let root = reader.read(), case .object(_, let start) = root, root["items"] != nil else { return [] }
    var findings: [Finding] = []
    func note(_ offset: Int, _ message: String) {
      findings.append(Finding(offset: offset, message: message))
    }
    for name in ["version", "title", "feed_url", "home_page_url"] where root[name]?.text == nil {
      note(start, "The feed has no \(name).")
    }
    var ids: Set<String> = []
    for item in root["items"]?.elements ?? [] {
      guard case .object(_, let offset) = item, findings.count < 100 else { continue }
      if let id = item["id"]?.text {
        if !ids.insert(id).inserted { note(offset, "The item has the id of another item: \(id.prefix(60)).") }
      } else {
        note(offset, "The item has no id.")
      }
      if item["content_html"]?.text == nil, item["content_text"]?.text == nil {
        note(offset, "The item has no content.")
      }
      if let date = item["date_published"]?.text {
        if DateParser.parse(date) == nil {
          note(offset, "The item's date_published holds no date: \(date.prefix(60)).")
        }
      } else {
        note(offset, "The item has no date_published.")
      }
    }
    return findings
  }
}
