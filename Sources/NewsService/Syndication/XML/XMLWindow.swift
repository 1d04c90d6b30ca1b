import NewsCore

/// What of a long document is in memory as UTF-8: a little more than the piece that was converted last.
struct XMLWindow: ~Copyable {
  private let parser: XMLPushParser
  private var splitter: MarkupSplitter
  private var window = ByteBuffer(capacity: 256 * 1024)
  private var place = DocumentPlace()
  private var isIllFormed = false
  private var namespaceCount = 0
  private var limitCount = 0
  private(set) var problems: [SyntaxProblem] = []

  init(_ parser: XMLPushParser, limits: ParseLimits) {
    self.parser = parser
    splitter = MarkupSplitter(parser, limits: limits)
  }

  /// False when no more is wanted.
  mutating func take(_ piece: UnsafeBufferPointer<UInt8>, for builder: UnsafeMutablePointer<FeedBuilder>)
    -> Bool
  {
    let check = UTF8Check(piece)
    guard check.isCharacterData else {
      isIllFormed = true
      return false
    }
    if check.hasReturns { builder.pointee.normalizesLineEnds = true }
    window.append(piece)
    return split(for: builder, isLast: false)
  }

  /// False: the document is not well-formed.
  mutating func finish(for builder: UnsafeMutablePointer<FeedBuilder>) -> Bool {
    guard !isIllFormed else { return false }
    if !splitter.isStopped { _ = split(for: builder, isLast: true) }
    return !isIllFormed
  }

  private mutating func split(for builder: UnsafeMutablePointer<FeedBuilder>, isLast: Bool) -> Bool {
    guard let count = splitter.take(window.bytes, isLast: isLast) else {
      isIllFormed = true
      return false
    }
    let outcome = parser.outcome
    let findings =
      outcome.namespaceProblems[namespaceCount...] + builder.pointee.findings[limitCount...]
    namespaceCount = outcome.namespaceProblems.count
    limitCount = builder.pointee.findings.count
    for finding in findings.sorted(by: { $0.offset < $1.offset }) {
      place.advance(over: window.bytes, to: finding.offset)
      problems.append(SyntaxProblem(line: place.line, column: place.column, message: finding.message))
    }
    place.finish(UnsafeBufferPointer(rebasing: window.bytes[..<count]))
    window.removeFirst(count)
    return !splitter.isStopped
  }
}
