public import NewsCore

/// Lists the changes after a sequence number, in order. A changed item or feed appears once.
public struct ChangesInteractor: Interactor {
  private let changes: any ChangeReading
  private let presenter = ChangesPresenter()
  private static let batchSize = 256

  public init(changes: any ChangeReading) {
    self.changes = changes
  }

  /// Emits the changes in batches, at most `request.limit` of them. A batch also ends when its items have so many bytes of text
  /// (`ChangePortion`).
  public func respond(to request: ChangesRequest, emit: @escaping Emit<ChangesViewModel>) async throws {
    // Stop at the number read now: changes made during the run belong to the next run.
    let head = try await changes.latestSequence()
    var last = request.sequence
    var left = request.limit ?? .max
    var isAtEnd = last >= head
    while !isAtEnd, left > 0 {
      let batch = try await batch(after: last, limit: min(left, Self.batchSize), request.query)
      let wanted = batch.entries.prefix { $0.sequence <= head }
      try emit(presenter.present(Array(wanted)))
      left -= wanted.count
      last = wanted.last?.sequence ?? last
      isAtEnd = batch.isLast || wanted.count < batch.entries.count || last >= head
      if request.isOneBatch { break }
    }
    try emit(presenter.end(head: head, next: isAtEnd ? nil : last))
  }

  /// Merges the changes of items and feeds by sequence number and returns the first `limit`, or fewer.
  private func batch(
    after sequence: Int64,
    limit: Int,
    _ query: Query
  ) async throws(StoreError) -> (entries: [LogEntry], isLast: Bool) {
    let portion = try await changes.changes(
      after: sequence,
      limit: limit,
      query: query,
      within: ChangePortion.bytes
    )
    let items = portion.changes.map(LogEntry.item)
    guard query == .all else { return (items, portion.isLast) }
    // Further items may precede the feeds after the last item.
    let end = portion.isLast ? Int64.max : items.last?.sequence ?? sequence
    let feeds = try await changes.feedChanges(after: sequence, limit: limit).filter { $0.sequence <= end }
      .map(LogEntry.feed)
    let entries = (items + feeds).sorted { $0.sequence < $1.sequence }.prefix(limit)
    return (Array(entries), portion.isLast && entries.count < limit)
  }
}

/// A range of the change log.
public struct ChangesRequest: Hashable, Sendable {
  /// The range begins after this sequence number.
  public var sequence: Int64
  /// Upper bound on the number of changes; nil: no bound.
  public var limit: Int?
  /// Selects changes of items that match the query, and no changes of feeds; `.all`: all changes.
  public var query: Query
  /// True: the range ends with the first batch; `ChangesViewModel.next` is where the rest begins.
  public var isOneBatch: Bool

  public init(after sequence: Int64, limit: Int? = nil, query: Query = .all, isOneBatch: Bool = false) {
    self.sequence = sequence
    self.limit = limit
    self.query = query
    self.isOneBatch = isOneBatch
  }
}

/// Formats entries of the change log as lines.
struct ChangesPresenter {
  func present(_ entries: [LogEntry]) -> Container<ChangesViewModel> {
    .loading(keeping: ChangesViewModel(records: entries, lines: entries.map(line)))
  }

  func end(head: Int64, next: Int64?) -> Container<ChangesViewModel> {
    .ready(ChangesViewModel(records: [], lines: [], head: head, next: next))
  }

  private func line(_ entry: LogEntry) -> ChangeLine {
    switch entry {
    case .item(let change):
      ChangeLine(
        sequence: change.sequence,
        kind: DisplayText(line: entry.kindName),
        id: change.itemID.rawValue,
        title: DisplayText(line: change.item?.shownTitle ?? change.guid ?? "").trimmed,
        isGone: change.item == nil
      )
    case .feed(let change):
      ChangeLine(
        sequence: change.sequence,
        kind: DisplayText(line: entry.kindName),
        id: change.feedID.rawValue,
        title: DisplayText(line: change.feed?.title ?? WebAddress.redacted(change.url)),
        isGone: change.feed == nil
      )
    }
  }
}

/// The next entries of the change log: records for programs, lines for people.
public struct ChangesViewModel: RecordContent {
  public var records: [LogEntry]
  public var lines: [ChangeLine]
  /// The end of the log when it was read; in the last container only.
  public var head: Int64?
  /// The last number that was read, if the request ended before `head`. Only the last container has it.
  public var next: Int64?
  public var nothing: DisplayText? { DisplayText("no later change") }
  public var rowCount: Int { records.count }
}

/// A change as a line of text.
public struct ChangeLine: Hashable, Sendable {
  public var sequence: Int64
  /// Machine name of the kind of change.
  public var kind: DisplayText
  /// Id of the item or feed.
  public var id: Int64
  public var title: DisplayText
  /// True: the item or feed was removed.
  public var isGone: Bool
}

extension LogEntry {
  /// Machine name of the kind of change. The kinds of feed changes differ from those of item changes, so that programs
  /// that know only items skip them.
  public var kindName: String {
    switch self {
    case .item(let change): change.kind.rawValue
    case .feed(let change): change.feed == nil ? "feed_deleted" : "feed"
    }
  }
}
