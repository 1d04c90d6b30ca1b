import NewsService

/// One XML document into a feed, with a second run over the mended document where the first one fails.
enum XMLFeedReader {
  static func read(
    _ utf8: UnsafeBufferPointer<UInt8>,
    needsRepair: Bool,
    builder: inout FeedBuilder,
    limits: ParseLimits
  ) -> ParsedFeed {
    var first: SyntaxProblem?
    if !needsRepair, StartTagGuard.allows(utf8, limits: limits) {
      let outcome = withUnsafeMutablePointer(to: &builder) { XMLPushParser.parse(utf8, into: $0) }
      guard let fatal = outcome.fatal else {
        return finish(&builder, outcome.namespaceProblems)
      }
      first = fatal
      builder.restart()
    }
    return readMended(utf8, first: first, builder: &builder, limits: limits)
  }

  private static func readMended(
    _ utf8: UnsafeBufferPointer<UInt8>,
    first: SyntaxProblem?,
    builder: inout FeedBuilder,
    limits: ParseLimits
  ) -> ParsedFeed {
    var findings: [XMLMender.Finding] = []
    let outcome = withUnsafeMutablePointer(to: &builder) { pointer -> XMLPushParser.Outcome in
      guard let parser = XMLPushParser(builder: pointer, recovers: true) else { return .init() }
      defer { parser.close() }
      var mender = XMLMender(utf8, limits: limits) { parser.push($0) }
      mender.run()
      parser.finish()
      pointer.pointee.endOpenElements()
      findings = mender.findings
      return parser.outcome
    }
    var problems = locate(findings, in: utf8)
    if problems.isEmpty, let problem = first ?? outcome.fatal { problems.append(problem) }
    return finish(&builder, problems + outcome.namespaceProblems)
  }

  private static func finish(_ builder: inout FeedBuilder, _ problems: [SyntaxProblem]) -> ParsedFeed {
    var feed = builder.finish()
    let all = problems + builder.problems
    feed.isWellFormed = all.isEmpty
    feed.problems = all
    return feed
  }

  /// Offsets as lines and columns, both from 1, columns in characters; one walk over the document.
  static func locate(_ findings: [XMLMender.Finding], in utf8: UnsafeBufferPointer<UInt8>) -> [SyntaxProblem]
  {
    var problems: [SyntaxProblem] = []
    problems.reserveCapacity(findings.count)
    var line = 1
    var column = 1
    var offset = 0
    for finding in findings.sorted(by: { $0.offset < $1.offset }) {
      while offset < finding.offset, offset < utf8.count {
        let byte = utf8[offset]
        if byte == 0x0A {
          line += 1
          column = 1
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
        offset += 1
      }
      problems.append(SyntaxProblem(line: line, column: column, message: finding.message))
    }
    return problems
  }
}
