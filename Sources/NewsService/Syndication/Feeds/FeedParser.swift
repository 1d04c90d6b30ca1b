public import NewsCore

/// Reads feeds of every format: RSS 0.90–2.0, RDF, Atom, CDF, JSON Feed and RSS in JSON.
///
/// The content decides the format. An ill-formed document is read a second time through `XMLRepairer`, so that an
/// error affects only the fields around it.
public struct FeedParser: FeedParsing, Sendable {
  let limits: ParseLimits

  public init(limits: ParseLimits = .init()) {
    self.limits = limits
  }

  public func parse(_ document: FeedDocument) throws(FeedParseError) -> ParsedFeed {
    try parse(document, sanitizes: true)
  }

  /// Parses without sanitizing: `contentHTML` and `summaryHTML` stay unchanged and are not converted to text. This is
  /// for benchmarks only, because such HTML is not safe to show.
  public func parseWithoutSanitizing(_ document: FeedDocument) throws(FeedParseError) -> ParsedFeed {
    try parse(document, sanitizes: false)
  }

  /// Passes each item to the caller when it is complete, and returns the feed without items. Besides the
  /// document, memory holds one item, and about 1 MB of items that wait for the feed's authors or for the end
  /// of an outer item. Items are in document order; their HTML content is not converted to plain text.
  public func parse(
    _ document: FeedDocument,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed {
    try parse(document, sanitizes: true, onItem: onItem)
  }

  public func parse(
    _ document: FeedDocument,
    fileAt path: String,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed? {
    guard let file = MappedDocument(path) else { return nil }
    return try file.withBytes { bytes throws(FeedParseError) in
      try parse(bytes, document, sanitizes: true, onItem: onItem, walk: nil, pages: DocumentPages(bytes))
    }
  }

  /// Parses the document and passes each element with its position to `walk`.
  func parse(
    _ document: FeedDocument,
    walk: UnsafeMutablePointer<CheckWalk>
  ) throws(FeedParseError) -> ParsedFeed {
    try parse(document, sanitizes: false, onItem: { _ in }, walk: walk)
  }

  private func parse(
    _ document: FeedDocument,
    sanitizes: Bool,
    onItem: ((ParsedItem) -> Void)? = nil,
    walk: UnsafeMutablePointer<CheckWalk>? = nil
  ) throws(FeedParseError) -> ParsedFeed {
    let result = document.bytes.withUnsafeBufferPointer { bytes -> Result<ParsedFeed, FeedParseError> in
      do throws(FeedParseError) {
        return .success(try parse(bytes, document, sanitizes: sanitizes, onItem: onItem, walk: walk))
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
    onItem: ((ParsedItem) -> Void)?,
    walk: UnsafeMutablePointer<CheckWalk>?,
    pages: DocumentPages? = nil
  ) throws(FeedParseError) -> ParsedFeed {
    guard !bytes.isEmpty else { throw FeedParseError(code: .empty, message: "the document is empty") }
    let text = DocumentText(bytes, contentType: document.contentType, override: document.encoding)
    var limits = limits
    if onItem == nil { limits.maximumItems = min(limits.maximumItems, limits.maximumHeldItems) }
    var settings = FeedBuilder.Settings(
      limits: limits,
      sanitizes: sanitizes,
      documentBase: document.baseURL.flatMap { BaseURL($0) }
    )
    // The memory of a document is estimated from its bytes before it is parsed.
    let most = bytes.count * 64 + limits.maximumEntityBytes
    settings.maximumTotalBytes = max(min(limits.maximumTotalBytes, most), bytes.count * 8)
    settings.onItem = onItem
    settings.makesText = onItem == nil
    settings.walk = walk
    settings.pages = pages
    var builder = FeedBuilder(settings)
    pages?.release()
    if text.converter == nil {
      let utf8 = UnsafeBufferPointer(rebasing: bytes[text.start...])
      return described(try read(utf8, text.check, &builder, document), text)
    }
    // A long document is converted in a file, so that it is not in memory twice.
    if bytes.count > Self.longDocument, let spilled = SpilledText(text, bytes, pages) {
      let feed = try spilled.withBytes { utf8 throws(FeedParseError) in
        builder.settings.pages = DocumentPages(utf8)
        return try read(utf8, spilled.check, &builder, document)
      }
      return described(feed, text)
    }
    let result = (text.converted(bytes, pages) ?? []).withUnsafeBufferPointer {
      utf8 -> Result<ParsedFeed, FeedParseError> in
      do throws(FeedParseError) {
        return .success(try read(utf8, UTF8Check(utf8), &builder, document))
      } catch {
        return .failure(error)
      }
    }
    return described(try result.get(), text)
  }

  private static let longDocument = 1 << 20

  /// Finds the channel's link anywhere in the document, without reading items.
  private static func channelLink(
    _ limits: ParseLimits,
    _ document: FeedDocument,
    _ pages: DocumentPages?,
    _ read: (inout FeedBuilder) -> ParsedFeed
  ) -> BaseURL? {
    var settings = FeedBuilder.Settings(
      limits: limits,
      sanitizes: false,
      documentBase: document.baseURL.flatMap { BaseURL($0) }
    )
    settings.isLookingAhead = true
    settings.pages = pages
    var ahead = FeedBuilder(settings)
    _ = read(&ahead)
    return ahead.inherited.channelBase
  }

  private func read(
    _ utf8: UnsafeBufferPointer<UInt8>,
    _ check: UTF8Check,
    _ builder: inout FeedBuilder,
    _ document: FeedDocument
  ) throws(FeedParseError) -> ParsedFeed {
    builder.settings.findChannelLink = { [limits, pages = builder.settings.pages] in
      Self.channelLink(limits, document, pages) {
        XMLFeedReader.read(utf8, check: check, builder: &$0, limits: limits)
      }
    }
    guard let first = utf8.first(where: { $0 > UInt8(ascii: " ") }) else {
      throw FeedParseError(code: .empty, message: "the document is empty")
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      return try JSONFeedReader.read(utf8, builder: &builder)
    }
    if let error = DocumentSniffer.refusal(utf8) { throw error }
    let feed = XMLFeedReader.read(utf8, check: check, builder: &builder, limits: limits)
    guard builder.root.isRecognized else {
      throw DocumentSniffer.unrecognized(rootName: builder.root.name, isHTML: builder.root.isHTML)
    }
    return feed
  }

  /// Returns the feed with findings about the document's encoding.
  private func described(_ feed: ParsedFeed, _ text: borrowing DocumentText) -> ParsedFeed {
    var feed = feed
    feed.encoding = text.encoding
    if feed.format.hasPrefix("json"), text.encoding != "utf-8" {
      feed.isWellFormed = false
      let message = "the document is in \(text.encoding); JSON must be in UTF-8 (RFC 8259 section 8.1)"
      feed.problems.insert(SyntaxProblem(line: 1, column: 1, message: message), at: 0)
    }
    if text.strayCount > 0 || text.overriddenLabel != nil || text.isGuessed {
      feed.isWellFormed = false
      let label =
        text.overriddenLabel.map { "the document declares \($0), but" }
        ?? (text.isGuessed ? "the document declares no encoding and is not UTF-8; it" : "the document")
      let stray = text.strayCount > 0 ? "; \(text.strayCount) bytes belong to no character" : ""
      let problem = SyntaxProblem(
        line: 1,
        column: 1,
        message: "\(label) is read as \(text.encoding)\(stray)"
      )
      feed.problems.insert(problem, at: 0)
    }
    return feed
  }
}
