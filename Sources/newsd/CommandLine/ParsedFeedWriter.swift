import Glibc
import NewsCore
import NewsFormats
import NewsText
import NewsToolbox

/// Prints a document as JSON Feed, item by item while it is parsed.
final class ParsedFeedWriter {
  private let output: StandardOutput
  private var json = JSONWriter(reservingCapacity: 1 << 17)
  private var hasBegun = false
  private var failure: OutputError?

  init(_ output: StandardOutput) {
    self.output = output
    Self.returnLargeBlocks()
  }

  /// Makes glibc return large blocks to the system when they are freed; its dynamic threshold would keep them
  /// (mallopt(3), M_MMAP_THRESHOLD). Looks up `mallopt` at run time, because Swift's Glibc module lacks malloc.h
  /// and other C libraries lack mallopt.
  private static func returnLargeBlocks() {
    typealias Option = @convention(c) (Int32, Int32) -> Int32
    guard let symbol = dlsym(nil, "mallopt") else { return }
    let threshold: Int32 = -3
    _ = unsafeBitCast(symbol, to: Option.self)(threshold, 1 << 17)
  }

  /// Writes the next item. A write error is kept and thrown by `finish`, because the parser cannot handle it.
  func take(_ item: ParsedItem) {
    begin()
    ParsedFeedJSON.write(item, into: &json) { drain(&$0) }
    drain(&json)
  }

  /// Writes the buffer when it holds more than 64 KiB.
  private func drain(_ json: inout JSONWriter) {
    guard json.bytes.count > 1 << 16 else { return }
    let bytes = json.takeBytes()
    guard failure == nil else { return }
    do {
      try output.write(bytes)
    } catch .closed {
      // The reader has closed the output: do not parse the rest.
      StandardOutput.endByBrokenPipe()
    } catch {
      failure = error
    }
  }

  /// Writes the feed's own fields and the end of the document.
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
