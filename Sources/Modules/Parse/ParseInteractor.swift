public import NewsCore

/// Parses one document and emits it encoded. Emits nothing before the document is known to be a feed.
public struct ParseInteractor<Encoder: ParsedFeedEncoding>: Interactor {
  private let parser: any FeedParsing
  private let encoder: Encoder
  private let read: FileReading

  public init(parser: any FeedParsing, encoder: Encoder, read: @escaping FileReading) {
    self.parser = parser
    self.encoder = encoder
    self.read = read
  }

  public func respond(to source: DocumentSource, emit: @escaping Emit<DocumentContent>) async throws {
    let output = EncodedFeed(encoder) { try emit(.loading(keeping: DocumentContent(bytes: $0))) }
    try output.finish(try parse(source) { output.append($0) })
    try emit(.ready(DocumentContent()))
  }

  private func parse(_ source: DocumentSource, onItem: @escaping (ParsedItem) -> Void) throws -> ParsedFeed {
    if let feed = try parser.parse(source.document(), fileAt: source.path, onItem: onItem) { return feed }
    return try parser.parse(source.document(try read(source.path)), onItem: onItem)
  }
}

/// Passes on the encoded pieces of a feed.
private final class EncodedFeed<Encoder: ParsedFeedEncoding> {
  private var encoder: Encoder
  private let write: ([UInt8]) throws -> Void
  /// The first error of `write`; thrown by `finish`, because the parser cannot handle it.
  private var failure: (any Error)?

  init(_ encoder: Encoder, write: @escaping ([UInt8]) throws -> Void) {
    self.encoder = encoder
    self.write = write
  }

  func append(_ item: ParsedItem) { encoder.append(item, to: pass) }

  func finish(_ feed: ParsedFeed) throws {
    encoder.finish(feed, to: pass)
    if let failure { throw failure }
  }

  private func pass(_ bytes: [UInt8]) {
    guard failure == nil else { return }
    do { try write(bytes) } catch { failure = error }
  }
}

/// Encodes a feed piece by piece while it is parsed, so that a long document needs memory for one item.
public protocol ParsedFeedEncoding: Sendable {
  /// Encodes an item; passes pieces on when there is enough for a write.
  mutating func append(_ item: ParsedItem, to output: ([UInt8]) -> Void)
  /// Encodes the feed's own values and the end of the document; passes on the last piece.
  mutating func finish(_ feed: ParsedFeed, to output: ([UInt8]) -> Void)
}
