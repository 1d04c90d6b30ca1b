import NewsCore

/// One XML document into a feed, with a second run over the mended document where the first one fails.
enum XMLFeedReader {
  static func read(
    _ utf8: UnsafeBufferPointer<UInt8>,
    check: UTF8Check,
    builder: inout FeedBuilder,
    limits: ParseLimits
  ) -> ParsedFeed {
    var first: Finding?
    if check.isCharacterData {
      builder.normalizesLineEnds = check.hasReturns
      builder.isDocumentStable = true
      let outcome = withUnsafeMutablePointer(to: &builder) { readSplit($0, limits: limits, utf8) }
      if let outcome, outcome.fatal == nil {
        return finish(&builder, Finding.locate(outcome.namespaceProblems + builder.findings, in: utf8))
      }
      first = outcome?.fatal
      builder.restart()
    }
    return readMended(utf8, first: first, builder: &builder, limits: limits)
  }

  /// Nil when the document is not one for the splitter.
  private static func readSplit(
    _ builder: UnsafeMutablePointer<FeedBuilder>,
    limits: ParseLimits,
    _ utf8: UnsafeBufferPointer<UInt8>
  ) -> XMLPushParser.Outcome? {
    guard let parser = XMLPushParser(builder: builder, recovers: false, isSplit: true) else { return nil }
    defer { parser.close() }
    builder.pointee.isWellFormed = true
    var splitter = MarkupSplitter(parser, limits: limits)
    guard splitter.take(utf8, isLast: true) != nil else {
      return parser.outcome.fatal == nil ? nil : parser.outcome
    }
    builder.pointee.endOpenElements()
    return parser.outcome
  }

  private static func readMended(
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
      var mender = XMLMender(utf8, limits: limits, parser: parser)
      mender.run()
      parser.finish()
      pointer.pointee.endOpenElements()
      findings = mender.findings
      return parser.outcome
    }
    if findings.isEmpty, let finding = first ?? outcome.fatal { findings.append(finding) }
    return finish(
      &builder,
      Finding.locate(findings + outcome.namespaceProblems + builder.findings, in: utf8)
    )
  }

  /// The same for a document that is converted piece by piece; nil, with the builder as new, when it is no well-formed
  /// XML: mending needs all of it.
  static func readPieces(
    of text: borrowing DocumentText,
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ pages: DocumentPages?,
    builder: inout FeedBuilder,
    limits: ParseLimits
  ) -> ParsedFeed? {
    var isRefused = true
    text.forEachPiece(of: bytes) { head in
      isRefused = head.first { $0 > 0x20 } != 0x3C || DocumentSniffer.refusal(head) != nil
      return false
    }
    if isRefused { return nil }
    let problems = withUnsafeMutablePointer(to: &builder) { pointer -> [SyntaxProblem]? in
      guard let parser = XMLPushParser(builder: pointer, recovers: false, isSplit: true) else { return nil }
      defer { parser.close() }
      pointer.pointee.isWellFormed = true
      var window = XMLWindow(parser, limits: limits)
      text.forEachPiece(of: bytes, pages) { window.take($0, for: pointer) }
      guard window.finish(for: pointer) else { return nil }
      pointer.pointee.endOpenElements()
      return window.problems
    }
    guard let problems, builder.isRecognised else {
      builder.restart()
      return nil
    }
    return finish(&builder, problems)
  }

  private static func finish(_ builder: inout FeedBuilder, _ problems: [SyntaxProblem]) -> ParsedFeed {
    var feed = builder.finish()
    feed.isWellFormed = problems.isEmpty
    feed.problems = problems
    return feed
  }
}
