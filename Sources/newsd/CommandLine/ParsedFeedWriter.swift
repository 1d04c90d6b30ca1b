import Modules
import NewsService

/// Prints a document as JSON Feed while it is parsed.
final class ParsedFeedWriter {
  private let output: StandardOutput
  private var json = JSONWriter(reservingCapacity: 1 << 17)
  private var hasBegun = false
  private var failure: StandardOutput.Failure?

  init(_ output: StandardOutput) {
    self.output = output
  }

  /// Takes the next item. A failure to write is kept for `finish`, because a parser has no use for it.
  func take(_ item: ParsedItem) {
    begin()
    ParsedFeedJSON.write(item, into: &json)
    guard json.bytes.count > 1 << 16, failure == nil else { return }
    do {
      try output.write(json.takeBytes())
    } catch {
      failure = error
    }
  }

  /// Writes what is said of the feed itself, and the end.
  func finish(_ feed: ParsedFeed) throws {
    begin()
    ParsedFeedJSON.end(feed, into: &json)
    if let failure { throw failure }
    try output.write(json.takeBytes())
    try output.write("\n")
  }

  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    ParsedFeedJSON.begin(&json)
  }
}
