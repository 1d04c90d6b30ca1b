import NewsToolbox
import Synchronization

/// Imports a file of items: an export or change log of newsd, or a file of another reader.
public struct ItemImport: Sendable {
  public typealias Store = FeedKeeping & StoreExporting & ArrivalStoring

  /// The outcome of an import.
  public struct Report: Hashable, Sendable {
    public var counts = ImportReport()
    /// URLs of feeds that were not imported: entries of other readers that are not web feeds (programs, filters,
    /// queries, files), and feeds of a change log with a URL that no feed can have.
    public var skipped: [String] = []
    private var known: Set<String> = []
    /// Number of items that were not imported, because the file does not name their feed.
    public var withoutFeed = 0
    /// True: the file is empty, and the store holds feeds.
    public var isEmpty = false

    init(counts: ImportReport = ImportReport(), isEmpty: Bool = false) {
      self.counts = counts
      self.isEmpty = isEmpty
    }

    mutating func skip(_ url: String) {
      if known.insert(url).inserted { skipped.append(url) }
    }
  }

  /// Largest file in bytes that is read whole: all files but exports and databases.
  public static let longestFile = 512 << 20

  private let store: @Sendable () throws(StoreError) -> any Store
  private let foreign: any ForeignItemReading
  private let untrusted: ImportTrust
  private let clock: any WallClock

  /// `store` opens the store. It is called only after the file was recognized or found empty, so that an
  /// unusable file creates no empty store.
  public init(
    store: @escaping @Sendable () throws(StoreError) -> any Store,
    foreign: any ForeignItemReading,
    untrusted: ImportTrust,
    clock: any WallClock
  ) {
    self.store = store
    self.foreign = foreign
    self.untrusted = untrusted
    self.clock = clock
  }

  /// Imports the whole input.
  ///
  /// - Parameters:
  ///   - input: The file at `path`.
  ///   - path: Path of the file, for messages and for the name of a feed; `-` is standard input.
  ///   - feed: The feed that the items of an sfeed file belong to; nil: it is named after the file.
  ///   - isTrusted: True: the file is an export of the user's own store.
  ///   - progress: Receives the number of lines of an export that have been read, or of items.
  /// - Returns: Counts and the skipped entries.
  /// - Throws: `FileError` for a file that cannot be read or imported, `StoreError`.
  public func run(
    _ input: any LineReading,
    path: String,
    feed: String? = nil,
    isTrusted: Bool = false,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> Report {
    guard let first = try input.peekLine() else { return try await nothing(path) }
    let problem = try ImportKind.problem(
      first,
      more: { () throws(FileError) in
        // The first call returns the first line again, because it was only peeked at.
        try input.nextLine()
      },
      path: path
    )
    if let problem {
      throw FileError(code: .badData, message: problem)
    }
    let isTable = foreign.items(inTable: first) != nil
    guard feed == nil || isTable else {
      throw StoreError(code: .badQuery, message: "--feed is for a file of sfeed, and \(path) is not one")
    }
    do {
      if ImportKind.isDatabase(first) {
        var report = Report()
        let feeds =
          if let file = input.path { try foreign.feeds(inDatabase: file) } else {
            try foreign.feeds(inDatabaseBytes: try input.rest(atMost: Self.longestFile), name: path)
          }
        try await take(feeds, into: &report, progress)
        return report
      }
      if foreign.isChangeLog(first) {
        return try await changeLog(try foreign.feeds(inChanges: try input.rest(atMost: Self.longestFile)))
      }
      if isTable {
        return try await table(try input.rest(atMost: Self.longestFile), path: path, feed: feed)
      }
      var input = input
      if !ImportKind.isExport(first) {
        let bytes = try input.rest(atMost: Self.longestFile)
        if let documents = try foreign.documents(in: bytes) {
          return try await take(documents, path, progress)
        }
        // The reader of exports says what is wrong.
        input = ReadLines(bytes)
      }
      return try await export(input, isTrusted ? .trusted : untrusted, progress)
    } catch let error as StoreError where error.code == .badQuery {
      // The content of the file caused the error, not the user's arguments.
      throw FileError(code: .badData, message: "\(path): \(error.message)")
    }
  }

  /// Handles an empty file, which may be a change log: nothing has changed since the last import. A store without feeds
  /// has imported nothing yet, so the file should have content, and an empty one is an error.
  private func nothing(_ path: String) async throws -> Report {
    guard try await !store().feeds().isEmpty else {
      throw FileError(code: .badData, message: "\(path) is empty: there is nothing to import")
    }
    return Report(isEmpty: true)
  }

  /// Imports a change log by the rules of an untrusted export: only URLs that a feed can have, and links that are http or
  /// https.
  private func changeLog(_ feeds: [ImportedFeed]) async throws -> Report {
    var report = Report()
    var kept: [ImportedFeed] = []
    var (local, known): ([String], Set<String>) = ([], [])
    for feed in feeds {
      var feed = feed
      guard let kind = FeedURLKind.imported(feed.feed.url) else {
        report.skip(feed.feed.url)
        continue
      }
      if kind == .file || kind == .program, known.insert(feed.feed.url).inserted {
        local.append(feed.feed.url)
      }
      if let site = feed.feed.siteURL, FeedURLKind(site) != .web { feed.feed.siteURL = nil }
      kept.append(feed)
    }
    report.counts = try await store().importFeeds(kept, at: clock.now())
    report.counts.untrusted += local
    return report
  }

  /// Imports the documents of another reader one after the other. An import may be interrupted and repeated.
  private func take(
    _ documents: ForeignDocuments,
    _ path: String,
    _ progress: @Sendable (Int) -> Void
  ) async throws -> Report {
    var report = Report()
    for number in 0..<documents.count {
      try Task.checkCancellation()
      let document: ForeignDocument
      do { document = try documents.read(number) } catch {
        throw FileError(code: error.code, message: "\(path): \(error.message)")
      }
      report.withoutFeed += document.withoutFeed
      try await take(document.feeds, into: &report, progress)
    }
    return report
  }

  /// Imports the web feeds of another reader. Skips its programs, filters, queries and files, so that a file cannot make
  /// newsd run a program or read a file.
  private func take(
    _ feeds: [ImportedFeed],
    into report: inout Report,
    _ progress: @Sendable (Int) -> Void
  ) async throws {
    for var found in feeds {
      try Task.checkCancellation()
      guard FeedURLKind.imported(found.feed.url) == .web else {
        report.skip(found.feed.url)
        continue
      }
      found.feed = ImportedTexts.cleaned(found.feed)
      for place in found.items.indices {
        found.items[place].labels = found.items[place].labels.compactMap(ItemLabel.cleaned)
      }
      // The store takes the newest item first.
      found.items.sort { ($0.item.published?.seconds ?? 0) > ($1.item.published?.seconds ?? 0) }
      let counts = try await store().importFeeds([found], at: clock.now())
      report.counts.feeds += counts.feeds
      report.counts.items += counts.items
      report.counts.unchanged += counts.unchanged
      progress(report.counts.items + report.counts.unchanged)
    }
  }

  private func export(
    _ input: any LineReading,
    _ trust: ImportTrust,
    _ progress: @escaping @Sendable (Int) -> Void
  ) async throws -> Report {
    let lines = LineCounter()
    let counts = try await store().importAll(trust) {
      try Task.checkCancellation()
      progress(lines.next())
      return try input.nextLine()
    }
    return Report(counts: counts)
  }

  private func table(_ bytes: [UInt8], path: String, feed: String?) async throws -> Report {
    let name = feed ?? (path == "-" ? "" : path.split(ascii: "/").last.map(String.init) ?? path)
    guard !name.isEmpty else {
      throw FileError(code: .badData, message: "a table of sfeed on standard input needs --feed NAME")
    }
    // An item takes some hundred bytes of memory, however short its line is. Lines of sfeed have an address and a time.
    guard bytes.count(where: { $0 == UInt8(ascii: "\n") }) <= 1000 + bytes.count / 32 else {
      throw FileError(code: .badData, message: "the table has more lines than its size allows")
    }
    let store = try store()
    let target = try await target(name, in: store)
    let items = foreign.items(inTable: bytes) ?? []
    return Report(
      counts: try await store.importFeeds([ImportedFeed(feed: target, items: items)], at: clock.now())
    )
  }

  /// Finds the feed by id, URL or whole title; otherwise returns a new feed with this title. A part of a title does not
  /// match, because items could then land in a feed with a similar title.
  private func target(_ name: String, in store: any FeedKeeping) async throws(StoreError) -> NewFeed {
    let wanted = name.lowercased()
    let existing = try await store.feeds().first {
      String($0.id.rawValue) == name || $0.url == name || $0.title.lowercased() == wanted
    }
    if let existing { return NewFeed(url: existing.url) }
    return NewFeed(url: ItemIngestion.scheme + name, title: name)
  }
}

/// Lines of bytes in memory.
public final class ReadLines: LineReading {
  private let unread: Mutex<ArraySlice<UInt8>>

  public init(_ bytes: [UInt8]) { unread = Mutex(bytes[...]) }

  public var path: String? { nil }

  public func nextLine() -> [UInt8]? {
    unread.withLock { unread in
      guard let line = Self.line(unread) else { return nil }
      unread = unread.dropFirst(line.count + 1)
      return Array(line)
    }
  }

  public func peekLine() -> [UInt8]? { unread.withLock { Self.line($0).map(Array.init) } }

  public func rest(atMost limit: Int) -> [UInt8] {
    unread.withLock { unread in
      defer { unread = [] }
      return Array(unread)
    }
  }

  private static func line(_ unread: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    unread.isEmpty ? nil : unread.prefix { $0 != UInt8(ascii: "\n") }
  }
}

/// Counts lines inside a closure that may run on another thread.
private final class LineCounter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
