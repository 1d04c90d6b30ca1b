import NewsCore

/// Reads an XML document. Reads an ill-formed document again through the repairer.
enum XMLFeedReader {
  static func read(
    _ utf8: UnsafeBufferPointer<UInt8>,
    check: UTF8Check,
    builder: inout FeedBuilder,
    limits: ParseLimits
  ) -> ParsedFeed {
    var first: Finding?
    if check.isCharacterData {
      builder.input.normalizesLineEnds = check.hasReturns
      builder.input.isStable = true
      let outcome = withUnsafeMutablePointer(to: &builder) { readTokenized($0, limits: limits, utf8) }
      if let outcome, outcome.fatal == nil {
        return finish(
          &builder,
          Finding.locate(outcome.namespaceProblems + builder.limitsHit.findings, in: utf8)
        )
      }
      first = outcome?.fatal
      builder.restart()
    }
    if first == nil, !check.isCharacterData { first = UTF8Check.firstForbidden(utf8) }
    return readRepaired(utf8, first: first, builder: &builder, limits: limits)
  }

  /// Reads a document with the tokenizer; nil if the tokenizer refuses the document.
  private static func readTokenized(
    _ builder: UnsafeMutablePointer<FeedBuilder>,
    limits: ParseLimits,
    _ utf8: UnsafeBufferPointer<UInt8>
  ) -> XMLPushParser.Outcome? {
    guard let parser = XMLPushParser(builder: builder, recovers: false, isSplit: true) else { return nil }
    defer { parser.close() }
    builder.pointee.input.isWellFormed = true
    guard var tokenizer = MarkupTokenizer(utf8, parser, limits: limits) else { return nil }
    guard tokenizer.run() else { return parser.outcome.fatal == nil ? nil : parser.outcome }
    builder.pointee.endOpenElements()
    return parser.outcome
  }

  private static func readRepaired(
    _ utf8: UnsafeBufferPointer<UInt8>,
    first: Finding?,
    builder: inout FeedBuilder,
    limits: ParseLimits
  ) -> ParsedFeed {
    var findings: [Finding] = []
    let outcome = withUnsafeMutablePointer(to: &builder) { pointer -> XMLPushParser.Outcome in
      guard let parser = XMLPushParser(builder: pointer, recovers: true, isSplit: false) else {
        return .init()
      }
      defer { parser.close() }
      pointer.pointee.input.illFormedDocument = utf8
      defer { pointer.pointee.input.illFormedDocument = nil }
      var repairer = XMLRepairer(utf8, limits: limits, parser: parser)
      repairer.run()
      parser.finish()
      pointer.pointee.endOpenElements()
      findings = repairer.findings
      return parser.outcome
    }
    if findings.isEmpty, let finding = first ?? outcome.fatal { findings.append(finding) }
    return finish(
      &builder,
      Finding.locate(findings + outcome.namespaceProblems + builder.limitsHit.findings, in: utf8)
    )
  }

  private static func finish(_ builder: inout FeedBuilder, _ problems: [SyntaxProblem]) -> ParsedFeed {
    var feed = builder.finish()
    feed.isWellFormed = problems.isEmpty
    feed.problems = problems
    return feed
  }
}
