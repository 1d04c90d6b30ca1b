import NewsToolbox

/// Stores items from a stream that another program writes, so that a script can act as a feed.
public struct ItemIngestion: Sendable {
  public typealias Store = FeedKeeping & ArrivalStoring

  /// Counts of the ingested items by outcome, and the lines that could not be read.
  public struct Report: Hashable, Sendable {
    public struct Problem: Hashable, Sendable {
      /// The line's number, 1-based; 0 for a problem of the input as a whole.
      public var line: Int
      public var message: String
    }

    public var inserted = 0
    /// Stored items whose content changed.
    public var updated = 0
    /// Stored items whose content is unchanged.
    public var unchanged = 0
    /// The first 20 lines that could not be read; `problemCount` counts all.
    public var problems: [Problem] = []
    public var problemCount = 0
    /// Why newsd stopped before the end of the input, after it had stored items.
    public var failure: StoreError?

    public init() {}

    mutating func note(_ line: Int, _ message: String) {
      problemCount += 1
      if problems.count < 20 { problems.append(Problem(line: line, message: message)) }
    }
  }

  private let decoder: any ItemLineDecoding
  private let parser: any FeedParsing
  private let store: any Store
  private let clock: any WallClock

  public init(
    decoder: any ItemLineDecoding,
    parser: any FeedParsing,
    store: any Store,
    clock: any WallClock
  ) {
    self.decoder = decoder
    self.parser = parser
    self.store = store
    self.clock = clock
  }

  /// Maximum length of a line in bytes, that of a request over HTTP.
  static let longestLine = 32 << 20

  /// The prefix of the URLs of ingested feeds.
  public static let scheme = "ingest:"

  /// Reads to the end of the input. Rules and change log treat the items like fetched ones. Lines that cannot
  /// be read are reported and skipped. `name` is a feed's id, URL or full title; if no feed matches, a new
  /// feed with that title is added. `chunk` returns the next bytes as soon as some are available; nil at the
  /// end. Reading ends with a line of more than `longestLine` bytes. Throws if the store fails before an item was stored.
  public func run(into name: String, _ chunk: () throws -> [UInt8]?) async throws -> Report {
    var report = Report()
    do {
      try await read(into: try await target(name), chunk, &report)
    } catch let error as StoreError {
      guard report.inserted + report.updated > 0 else { throw error }
      report.failure = error
    }
    return report
  }

  private func read(
    into feed: Feed,
    _ chunk: () throws -> [UInt8]?,
    _ report: inout Report
  ) async throws {
    var shape: ItemInputShape?
    var bytes: [UInt8] = []
    var isFirst = true
    var lineNumber = 0
    /// The number of bytes that contain no line break, so that each byte is searched once.
    var searched = 0
    while let more = try chunk() {
      let isStart = bytes.isEmpty
      bytes += more
      if isFirst, bytes.count >= 3 {
        isFirst = false
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
      }
      if shape == .document { continue }
      if shape == nil, !bytes.contains(where: { $0 > UInt8(ascii: " ") }) {
        lineNumber += bytes.count { $0 == UInt8(ascii: "\n") }
        (bytes, searched) = ([], 0)
        continue
      }
      let end = bytes[min(searched, bytes.count)...].lastIndex(of: UInt8(ascii: "\n"))
      searched = bytes.count
      // The first line shows the shape. Without its end, the decoder would read it again for each chunk.
      if shape == nil, end != nil || isStart { shape = decoder.shape(of: bytes[...]) }
      if shape != .document, bytes.count - (end ?? -1) - 1 > Self.longestLine {
        if let end { try await takeLines(bytes[..<end], of: feed, &lineNumber, &report) }
        report.note(lineNumber + 1, "longer than \(Self.longestLine >> 20) MiB; newsd stopped reading there")
        return
      }
      guard shape == .lines, let end else { continue }
      try await takeLines(bytes[..<end], of: feed, &lineNumber, &report)
      bytes.removeFirst(end + 1)
      searched = bytes.count
    }
    if shape == .document || shape == nil, bytes.contains(where: { $0 > UInt8(ascii: " ") }) {
      try await takeDocument(bytes, of: feed, &report)
    } else if bytes.contains(where: { $0 > UInt8(ascii: " ") }) {
      try await takeLines(bytes[...], of: feed, &lineNumber, &report)
    }
  }

  /// Finds or adds the feed. Another process may add it between the search and the addition.
  private func target(_ name: String) async throws(StoreError) -> Feed {
    if let feed = try await stored(name) { return feed }
    do {
      return try await store.add(NewFeed(url: Self.scheme + name, title: name), at: clock.now())
    } catch {
      guard error.code == .duplicateFeed, let feed = try await stored(name) else { throw error }
      return feed
    }
  }

  /// A part of a title does not match; otherwise a script could write into another feed by accident.
  private func stored(_ name: String) async throws(StoreError) -> Feed? {
    let feeds = try await store.feeds()
    let wanted = name.lowercased()
    return feeds.first { $0.url == name || $0.url == Self.scheme + name }
      ?? feeds.first { String($0.id.rawValue) == name }
      ?? feeds.first { $0.title.lowercased() == wanted }
  }

  private func takeLines(
    _ bytes: ArraySlice<UInt8>,
    of feed: Feed,
    _ number: inout Int,
    _ report: inout Report
  ) async throws {
    var items: [ImportedItem] = []
    for line in ByteLines(bytes) {
      number += 1
      guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
      do {
        items.append(try decoder.item(ofLine: line))
      } catch {
        report.note(number, error.message)
      }
    }
    // Lines are oldest first, as in a log; `keep` takes items newest first, as documents have them.
    try await keep(items.reversed(), of: feed, &report)
  }

  private func takeDocument(_ bytes: [UInt8], of feed: Feed, _ report: inout Report) async throws {
    let failure: FeedParseError
    do {
      if let items = try decoder.items(ofArray: bytes[...]) {
        return try await keep(items, of: feed, &report)
      }
      let parsed = try parser.parse(FeedDocument(bytes: bytes))
      if let problem = parsed.problems.first, !parsed.isWellFormed {
        report.note(problem.line, problem.message)
      }
      return try await keep(parsed.items.map { ImportedItem(item: $0) }, of: feed, &report)
    } catch let error as FeedParseError {
      failure = error
    }
    guard bytes.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "{") else {
      return report.note(0, failure.message)
    }
    // Not a valid document: read the input as lines, of which the first is broken.
    var number = 0
    try await takeLines(bytes[...], of: feed, &number, &report)
  }

  private func keep(_ items: [ImportedItem], of feed: Feed, _ report: inout Report) async throws(StoreError) {
    guard !items.isEmpty else { return }
    let arrived = ImportedFeed(feed: NewFeed(url: feed.url), items: items)
    let taken = try await store.ingest([arrived], at: clock.now())
    report.inserted += taken.items
    report.updated += taken.updated
    report.unchanged += taken.unchanged
  }
}
