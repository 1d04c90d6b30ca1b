import NewsCore
import NewsToolbox

/// The part of a long document that is in memory as UTF-8: slightly more than the piece converted last.
struct XMLWindow: ~Copyable {
  private let parser: XMLPushParser
  private var tokenizer: MarkupTokenizer
  private var window = ByteBuffer(capacity: 256 * 1024)
  private var place = DocumentPlace()
  private var isIllFormed = false
  private var namespaceCount = 0
  private var limitCount = 0
  private(set) var problems: [SyntaxProblem] = []

  init(_ parser: XMLPushParser, limits: ParseLimits) {
    self.parser = parser
    tokenizer = MarkupTokenizer(parser, limits: limits)
  }

  /// False if no more input is needed.
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

  /// False if the document is ill-formed.
  mutating func finish(for builder: UnsafeMutablePointer<FeedBuilder>) -> Bool {
    guard !isIllFormed else { return false }
    if !tokenizer.isStopped { _ = split(for: builder, isLast: true) }
    return !isIllFormed
  }

  private mutating func split(for builder: UnsafeMutablePointer<FeedBuilder>, isLast: Bool) -> Bool {
    guard let count = tokenizer.take(window.bytes, isLast: isLast) else {
      isIllFormed = true
      return false
    }
    let outcome = parser.outcome
    let findings =
      outcome.namespaceProblems[namespaceCount...] + builder.pointee.limitsHit.findings[limitCount...]
    namespaceCount = outcome.namespaceProblems.count
    limitCount = builder.pointee.limitsHit.findings.count
    for finding in findings.sorted(by: { $0.offset < $1.offset }) {
      place.advance(over: window.bytes, to: finding.offset)
      problems.append(SyntaxProblem(line: place.line, column: place.column, message: finding.message))
    }
    place.finish(UnsafeBufferPointer(rebasing: window.bytes[..<count]))
    window.removeFirst(count)
    return !tokenizer.isStopped
  }
}
