import Glibc
import NewsCore
import NewsFormats
import NewsText

/// Prints a document as JSON Feed while it is parsed.
final class ParsedFeedWriter {
  private let output: StandardOutput
  private var json = JSONWriter(reservingCapacity: 1 << 17)
  private var hasBegun = false
  private var failure: OutputError?

  init(_ output: StandardOutput) {
    self.output = output
    Self.returnLargeBlocks()
  }

  /// Makes glibc give large blocks back to the system as soon as they are free; by itself it learns to keep them
  /// (mallopt(3), M_MMAP_THRESHOLD). Swift's module of glibc has no malloc.h, and other C libraries no such function.
  private static func returnLargeBlocks() {
    typealias Option = @convention(c) (Int32, Int32) -> Int32
    guard let symbol = dlsym(nil, "mallopt") else { return }
    let threshold: Int32 = -3
    _ = unsafeBitCast(symbol, to: Option.self)(threshold, 1 << 17)
  }

  /// Takes the next item. A failure to write is kept for `finish`, because a parser has no use for it.
  func take(_ item: ParsedItem) {
    begin()
    ParsedFeedJSON.write(item, into: &json) { drain(&$0) }
    drain(&json)
  }

  /// Writes a block when it is full.
  private func drain(_ json: inout JSONWriter) {
    guard json.bytes.count > 1 << 16 else { return }
    let bytes = json.takeBytes()
    guard failure == nil else { return }
    do {
      try output.write(bytes)
    } catch .closed {
      // Nobody wants the rest of a document that may be long.
      StandardOutput.endByBrokenPipe()
    } catch {
      failure = error
    }
  }

  /// Writes what is said of the feed itself, and the end.
  func finish(_ feed: ParsedFeed) throws {
    begin()
    ParsedFeedJSON.end(feed, into: &json) { drain(&$0) }
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
