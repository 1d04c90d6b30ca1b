import NewsToolbox
import Glibc
public import NewsCore

extension FeedParser {
  /// Returns the problems that a publisher should correct, in document order; none for a valid feed.
  public func check(_ document: FeedDocument) throws(FeedParseError) -> [SyntaxProblem] {
    // Tolerate clock skew and wrong time zones of up to a day.
    let latest = Timestamp(seconds: Int64(time(nil))) + 86_400
    return try PublisherCheck.problems(of: document, limits: limits, latest: latest)
  }
}

/// Findings for publishers: breaches of XML or JSON, of the feed format, and of conventions that readers rely on.
enum PublisherCheck {
  /// Parses and checks the document. Dates after `latest` are reported as in the future.
  static func problems(
    of document: FeedDocument,
    limits: ParseLimits,
    latest: Timestamp
  ) throws(FeedParseError) -> [SyntaxProblem] {
    var walk = CheckWalk(limit: limits.maximumProblems, latest: latest)
    let result = withUnsafeMutablePointer(to: &walk) { pointer -> Result<ParsedFeed, FeedParseError> in
      do throws(FeedParseError) {
        return .success(try FeedParser(limits: limits).parse(document, walk: pointer))
      } catch {
        return .failure(error)
      }
    }
    let feed = try result.get()
    var problems = feed.problems
    let isJSON = document.bytes.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "{")
    if let message = faultOfContentType(document.contentType, format: isJSON ? "json" : feed.format) {
      problems.insert(SyntaxProblem(line: 1, column: 1, message: message), at: 0)
    }
    if feed.format.hasPrefix("json") {
      problems += located(document) { utf8 in
        var check = JSONFeedCheck(limit: limits.maximumProblems, latest: latest)
        check.check(utf8)
        return check.findings
      }
    } else if feed.format != "cdf" {
      problems += located(document) { _ in walk.findings }
    }
    // The offset keeps the sort stable: findings at the same position keep their order.
    return problems.enumerated().sorted {
      ($0.element.line, $0.element.column, $0.offset) < ($1.element.line, $1.element.column, $1.offset)
    }.map(\.element)
  }

  /// Describes a Content-Type that names another format. Browsers and some readers trust the Content-Type more than
  /// the content.
  private static func faultOfContentType(_ contentType: String?, format: String) -> String? {
    guard let type = contentType?.split(ascii: ";").first?.lowercased() else { return nil }
    let name = type.filter { $0 != " " }
    let own: [String]
    if format.hasPrefix("json") {
      own = ["application/feed+json", "application/json"]
    } else if format.hasPrefix("atom") {
      own = ["application/atom+xml", "application/xml", "text/xml"]
    } else {
      own = ["application/rss+xml", "application/xml", "text/xml", "application/rdf+xml"]
    }
    if name.isEmpty || own.contains(name) { return nil }
    return "the Content-Type \(name.prefix(60)) does not fit the feed; it should be \(own[0])"
  }

  /// Runs a check on the document converted to UTF-8, and adds lines and columns to the findings.
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
}
