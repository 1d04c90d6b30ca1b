import NewsToolbox

/// Parses the output of `exec:` programs: a feed document, a JSON array of items, or one item per line. Other
/// documents go to the wrapped parser unchanged.
public struct ProgramOutputParser: FeedParsing {
  private let parser: any FeedParsing
  private let decoder: any ItemLineDecoding

  public init(_ parser: any FeedParsing, decoder: any ItemLineDecoding) {
    self.parser = parser
    self.decoder = decoder
  }

  public func parse(_ document: FeedDocument) throws(FeedParseError) -> ParsedFeed {
    guard document.baseURL?.hasPrefix(bytesOf: "exec:") == true else { return try parser.parse(document) }
    // Empty output means no items; it is not an error.
    guard document.bytes.contains(where: { $0 > UInt8(ascii: " ") }) else {
      return ParsedFeed(format: "items")
    }
    var document = document
    document.baseURL = nil
    if decoder.shape(of: document.bytes[...] + [UInt8(ascii: "\n")]) == .lines {
      return try lines(document.bytes)
    }
    if let items = try decoder.items(ofArray: document.bytes[...]) {
      var feed = ParsedFeed(format: "items")
      feed.items = items.map(\.item)
      return feed
    }
    return try parser.parse(document)
  }

  public func check(_ document: FeedDocument) throws(FeedParseError) -> [SyntaxProblem] {
    try parser.check(document)
  }

  public func parse(
    _ document: FeedDocument,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed {
    try parser.parse(document, onItem: onItem)
  }

  public func parse(
    _ document: FeedDocument,
    fileAt path: String,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed? {
    try parser.parse(document, fileAt: path, onItem: onItem)
  }

  private func lines(_ bytes: [UInt8]) throws(FeedParseError) -> ParsedFeed {
    var feed = ParsedFeed(format: "items")
    var number = 0
    for line in ByteLines(bytes[...]) {
      number += 1
      guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
      do {
        feed.items.append(try decoder.item(ofLine: line).item)
      } catch {
        feed.isWellFormed = false
        feed.problems.append(SyntaxProblem(line: number, column: 0, message: error.message))
      }
    }
    if feed.items.isEmpty, let problem = feed.problems.first {
      throw FeedParseError(
        code: .notAFeed,
        message: "its output is not a feed: line \(problem.line): \(problem.message)"
      )
    }
    // Lines are oldest first; feeds list the newest item first.
    feed.items.reverse()
    return feed
  }
}
