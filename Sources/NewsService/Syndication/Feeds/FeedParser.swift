public import NewsService

/// Reads feeds of every format: RSS 0.90–2.0, RDF, Atom, CDF, JSON Feed and RSS in JSON.
///
/// The format is told by content. A document is taken as it is; where it breaks the rules of XML it is read a second
/// time through `XMLMender`, so that one mistake costs nothing beyond itself.
public struct FeedParser: FeedParsing, Sendable {
  let limits: ParseLimits

  public init(limits: ParseLimits = .init()) {
    self.limits = limits
  }

  public func parse(_ document: FeedDocument) throws(FeedParseError) -> ParsedFeed {
    try parse(document, sanitizes: true)
  }

  /// The same with the HTML of items as it came (in `contentHTML` and `summaryHTML`) and no text made of it. For
  /// measuring: such HTML must not be shown.
  public func parseWithoutSanitizing(_ document: FeedDocument) throws(FeedParseError) -> ParsedFeed {
    try parse(document, sanitizes: false)
  }

  /// Hands over each item as soon as it is complete and returns what is said of the feed itself, with no items, so
  /// that a document of any length needs memory for one item. Items are in document order.
  public func parse(
    _ document: FeedDocument,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed {
    try parse(document, sanitizes: true, onItem: onItem)
  }

  private func parse(
    _ document: FeedDocument,
    sanitizes: Bool,
    onItem: ((ParsedItem) -> Void)? = nil
  ) throws(FeedParseError) -> ParsedFeed {
    let result = document.bytes.withUnsafeBufferPointer { bytes -> Result<ParsedFeed, FeedParseError> in
      do throws(FeedParseError) {
        return .success(try parse(bytes, document, sanitizes: sanitizes, onItem: onItem))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func parse(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ document: FeedDocument,
    sanitizes: Bool,
    onItem: ((ParsedItem) -> Void)?
  ) throws(FeedParseError) -> ParsedFeed {
    guard !bytes.isEmpty else { throw FeedParseError(code: .empty, message: "The document is empty.") }
    let text = DocumentText(bytes, contentType: document.contentType, override: document.encoding)
    if let converted = text.converted {
      let result = converted.withUnsafeBufferPointer { utf8 -> Result<ParsedFeed, FeedParseError> in
        do throws(FeedParseError) {
          return .success(try parse(utf8: utf8, text, document, sanitizes: sanitizes, onItem: onItem))
        } catch {
          return .failure(error)
        }
      }
      return try result.get()
    }
    let utf8 = UnsafeBufferPointer(rebasing: bytes[text.start...])
    return try parse(utf8: utf8, text, document, sanitizes: sanitizes, onItem: onItem)
  }

  private func parse(
    utf8: UnsafeBufferPointer<UInt8>,
    _ text: borrowing DocumentText,
    _ document: FeedDocument,
    sanitizes: Bool,
    onItem: ((ParsedItem) -> Void)?
  ) throws(FeedParseError) -> ParsedFeed {
    guard let first = utf8.first(where: { $0 > 0x20 }) else {
      throw FeedParseError(code: .empty, message: "The document is empty.")
    }
    var builder = FeedBuilder(
      limits: limits,
      sanitizes: sanitizes,
      documentBase: document.baseURL.flatMap { BaseURL($0) }
    )
    builder.onItem = onItem
    if first == 0x7B || first == 0x5B {
      var feed = try JSONFeedReader.read(utf8, builder: &builder)
      feed.encoding = text.encoding
      return feed
    }
    if let error = DocumentSniffer.refusal(utf8) { throw error }
    var feed = XMLFeedReader.read(utf8, needsRepair: text.needsRepair, builder: &builder, limits: limits)
    guard builder.isRecognised else {
      throw DocumentSniffer.unrecognised(rootName: builder.rootName, isHTML: builder.isHTML)
    }
    feed.encoding = text.encoding
    if text.strayCount > 0 || text.overriddenLabel != nil {
      feed.isWellFormed = false
      let label = text.overriddenLabel.map { "declared as \($0), " } ?? ""
      let stray = text.strayCount > 0 ? "; \(text.strayCount) bytes belong to no character" : ""
      let problem = SyntaxProblem(
        line: 1,
        column: 1,
        message: "The text is \(label)read as \(text.encoding)\(stray)."
      )
      feed.problems.insert(problem, at: 0)
    }
    return feed
  }
}
