import Glibc
import NewsCore
import Synchronization
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

/// An in-memory change log.
final class FakeLog: ChangeReading, PartialFake, Sendable {
  private let entries = Mutex<[Int64: Change]>([:])
  private let feeds = Mutex<[FeedChange]>([])
  private let head = Mutex<Int64>(0)
  /// Called before every page is read, with the number of the page, from 1.
  private let beforePage: @Sendable (FakeLog, Int) -> Void
  private let pages = Mutex(0)
  /// How many changes a portion has before its bytes end it.
  private let longestPortion: Int

  init(longestPortion: Int = .max, beforePage: @escaping @Sendable (FakeLog, Int) -> Void = { _, _ in }) {
    self.longestPortion = longestPortion
    self.beforePage = beforePage
  }

  private func next() -> Int64 {
    head.withLock { head in
      head += 1
      return head
    }
  }

  func insert(_ id: Int64) {
    let sequence = next()
    var item = NewsItem.sample(id, "Item \(id)")
    item.sequence = sequence
    let change = Change(
      sequence: sequence,
      kind: .inserted,
      itemID: item.id,
      feedID: item.feedID,
      item: item,
      firstSequence: sequence
    )
    entries.withLock { $0[id] = change }
  }

  func change(_ id: Int64, _ kind: Change.Kind) {
    let sequence = next()
    entries.withLock { entries in
      entries[id]?.sequence = sequence
      entries[id]?.kind = kind
      entries[id]?.item?.sequence = sequence
      if kind == .deleted {
        entries[id]?.item = nil
        entries[id]?.firstSequence = nil
        entries[id]?.guid = "guid-\(id)"
      }
    }
  }

  func changes(
    after sequence: Int64,
    limit: Int,
    query: Query,
    within bytes: Int
  ) async throws(StoreError) -> ChangePortion {
    let page = pages.withLock { pages in
      pages += 1
      return pages
    }
    beforePage(self, page)
    let all = entries.withLock {
      $0.values.filter { $0.sequence > sequence }.sorted { $0.sequence < $1.sequence }
    }
    let limit = min(limit, longestPortion)
    return ChangePortion(changes: Array(all.prefix(limit)), isLast: all.count < limit)
  }

  func latestSequence() async throws(StoreError) -> Int64 { head.withLock { $0 } }

  /// Logs a change of a subscription.
  func changeFeed(_ id: Int64) {
    let sequence = next()
    feeds.withLock {
      $0.append(
        FeedChange(sequence: sequence, feedID: Feed.ID(rawValue: id), url: "http://f\(id)", feed: nil)
      )
    }
  }

  func feedChanges(after sequence: Int64, limit: Int) async throws(StoreError) -> [FeedChange] {
    feeds.withLock { Array($0.filter { $0.sequence > sequence }.prefix(limit)) }
  }
}

final class FakeCursor: CursorKeeping, Sendable {
  private let saved: Mutex<FollowCursor?>
  let all = Mutex<[FollowCursor]>([])

  init(_ start: FollowCursor? = nil) { saved = Mutex(start) }

  func load() throws(FileError) -> FollowCursor? { saved.withLock { $0 } }
  func save(_ cursor: FollowCursor) throws(FileError) {
    saved.withLock { $0 = cursor }
    all.withLock { $0.append(cursor) }
  }
}

@Suite struct `The follow and changes commands` {
  private struct Stop: Error {}

  @Test func `The number of the change after which follow starts is saved in the cursor at once`()
    async throws
  {
    let log = FakeLog()
    for id in 1...5 { log.insert(Int64(id)) }
    let cursor = FakeCursor()
    _ = try await follow(log, FollowRequest(after: 5), cursor: cursor)
    #expect(cursor.all.withLock { $0 } == [FollowCursor(sequence: 5)])
  }

  @Test(arguments: [(nil, 69_205), (69_205, nil)] as [(Int64?, Int64?)])
  func `A number beyond the end of the change log is an error`(_ after: Int64?, _ cursor: Int64?)
    async throws
  {
    let log = FakeLog()
    log.insert(1)
    let output = try ItemOutput(format: .ids, terminal: .plain())
    let store = FakeStore()
    let interactor = FollowInteractor(
      changes: log,
      news: store,
      filters: .plain(store),
      cursor: FakeCursor(cursor.map { FollowCursor(sequence: $0) }),
      pause: { throw Stop() },
      presenter: FollowPresenter(output.needs, times: output.shape.terminal.times)
    )
    let failure = Mutex<UserMessage?>(nil)
    try await interactor.run(FollowRequest(after: after)) { container in
      failure.withLock { $0 = container.failure }
    }
    let code = try #require(failure.withLock { $0 }).code
    #expect(code == (after == nil ? .badData : .usage))
  }

  /// Follows the log until `pauses` checks in a row found no change; returns the ids shown.
  private func follow(
    _ log: FakeLog,
    _ route: FollowRequest,
    store: FakeStore = FakeStore(),
    cursor: FakeCursor? = nil,
    pauses: Int = 1,
    onPause: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> [Int64] {
    let output = try ItemOutput(format: .ids, terminal: .plain())
    let collected = Collected<FollowViewModel>()
    let count = Mutex(0)
    let interactor = FollowInteractor(
      changes: log,
      news: store,
      filters: .plain(store),
      cursor: cursor,
      pause: {
        let number = count.withLock { count in
          count += 1
          return count
        }
        onPause(number)
        if number >= pauses { throw Stop() }
      },
      presenter: FollowPresenter(output.needs, times: output.shape.terminal.times)
    )
    try await interactor.run(route, emit: collected.emit)
    #expect(collected.last?.isLast == true)
    // Few items are in memory at a time, whatever their number.
    #expect(collected.all.allSatisfy { ($0.content?.items.count ?? 0) <= 256 })
    return collected.all.flatMap { $0.content?.items ?? [] }.map(\.item.id.rawValue)
  }

  @Test func `Items are shown when they are stored; items from before the start are not shown`() async throws
  {
    let log = FakeLog()
    log.insert(1)
    let shown = try await follow(log, FollowRequest(), pauses: 3) { number in
      if number == 1 { log.insert(2) }
      if number == 2 {
        log.insert(3)
        log.change(1, .updated)
      }
    }
    #expect(shown == [2, 3])
  }

  @Test func `Edited items are shown on request, deleted ones never`() async throws {
    let log = FakeLog()
    for id in 1...3 { log.insert(Int64(id)) }
    let shown = try await follow(log, FollowRequest(includesUpdates: true), pauses: 2) { _ in
      log.change(1, .updated)
      log.change(2, .state)
      log.change(3, .deleted)
    }
    #expect(shown == [1])
  }

  @Test func `An item that was marked before it was shown is still shown as new`() async throws {
    let log = FakeLog()
    log.insert(1)
    log.insert(2)
    log.change(1, .state)
    #expect(try await follow(log, FollowRequest(after: 0)) == [2, 1])
    #expect(try await follow(log, FollowRequest(after: 1)) == [2])
  }

  @Test(arguments: [Int.max, 7])
  func `Reading a long change log neither loses nor repeats items that change meanwhile`(_ portion: Int)
    async throws
  {
    let log = FakeLog(longestPortion: portion) { log, page in
      // Mark one item after the first page showed it, and one before it is shown.
      if page == 2 {
        log.change(5, .state)
        log.change(590, .state)
      }
    }
    for id in 1...600 { log.insert(Int64(id)) }
    // This item was stored first but is at the end of the log.
    log.change(2, .state)
    let shown = try await follow(log, FollowRequest(after: 0), pauses: 1)
    #expect(shown.count == 600)
    #expect(Set(shown) == Set(1...600))
  }

  @Test func `On request, follow begins with the last stored items, oldest first`() async throws {
    let log = FakeLog()
    for id in 1...4 { log.insert(Int64(id)) }
    let store = FakeStore(items: (1...4).map { .sample($0, "Item", hoursAgo: 10 - $0) })
    #expect(try await follow(log, FollowRequest(backfill: 2), store: store) == [3, 4])
  }

  @Test func `Many stored items are shown in batches, oldest first`() async throws {
    let log = FakeLog()
    for id in 1...1000 { log.insert(Int64(id)) }
    let store = FakeStore(items: (1...1000).map { .sample($0, "Item", hoursAgo: 2000 - $0) })
    let shown = try await follow(log, FollowRequest(backfill: 900), store: store)
    #expect(shown == Array(101...1000))
  }

  @Test func `The cursor is saved after every shown item`() async throws {
    let log = FakeLog()
    for id in 1...3 { log.insert(Int64(id)) }
    log.change(1, .state)
    let cursor = FakeCursor(FollowCursor(sequence: 0))
    #expect(try await follow(log, FollowRequest(), cursor: cursor) == [2, 3, 1])
    let saved = cursor.all.withLock { $0 }
    #expect(
      saved.prefix(3) == [
        .init(sequence: 2, floor: 0), .init(sequence: 3, floor: 0), .init(sequence: 4, floor: 0),
      ]
    )
    #expect(saved.last == FollowCursor(sequence: 4))

    // After a kill following the first line, the item stored first and marked last is still to come.
    let resumed = FakeCursor(FollowCursor(sequence: 2, floor: 0))
    #expect(try await follow(log, FollowRequest(), cursor: resumed) == [3, 1])
    #expect(try await follow(log, FollowRequest(), cursor: cursor) == [])
  }

  @Test func `The change log is printed with kinds and tombstones`() async throws {
    let log = FakeLog()
    for id in 1...3 { log.insert(Int64(id)) }
    log.change(2, .deleted)
    let writer = FakeOutput()
    let shape = OutputShape(
      format: .tsv,
      fields: ["seq", "kind", "id", "guid", "title"],
      terminal: .plain()
    )
    let view = try shape.view(Tables.changes, text: ChangesView(terminal: shape.terminal))
    let screen = Screen(view: view, output: writer, messages: writer)
    try await ChangesInteractor(changes: log).run(ChangesRequest(after: 1), emit: screen.emit)
    #expect(writer.text == "3\tinserted\t3\tguid-3\tItem 3\n4\tdeleted\t2\tguid-2\t\n")

    let text = FakeOutput()
    let plain = Screen(
      view: ChangesView(terminal: .plain()),
      output: text,
      messages: text
    )
    try await ChangesInteractor(changes: log).run(ChangesRequest(after: 0, limit: 2), emit: plain.emit)
    #expect(text.text == "1 inserted 1 Item 1\n3 inserted 3 Item 3\n")
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `Changes of items and feeds stay in order when bytes end the portions of items`(_ portion: Int)
    async throws
  {
    let log = FakeLog(longestPortion: portion)
    for id in 1...6 {
      log.insert(Int64(id))
      if id % 2 == 0 { log.changeFeed(Int64(id)) }
    }
    log.change(3, .deleted)
    for id in 7...9 { log.changeFeed(Int64(id)) }
    let all = [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13] as [Int64]
    for limit in [Int?.none, 5, 12] {
      for isOneBatch in [false, true] {
        let collected = Collected<ChangesViewModel>()
        var last: Int64 = 0
        var left = limit ?? .max
        var next: Int64?
        repeat {
          let request = ChangesRequest(after: last, limit: left, isOneBatch: isOneBatch)
          let before = collected.all.count
          try await ChangesInteractor(changes: log).run(request, emit: collected.emit)
          let contents = collected.all.dropFirst(before).compactMap(\.content)
          if isOneBatch { #expect(contents.count == 2) }
          left -= contents.reduce(0) { $0 + $1.records.count }
          next = contents.last?.next
          last = next ?? last
        } while next != nil && left > 0
        let numbers = collected.all.compactMap(\.content).flatMap(\.records).map(\.sequence)
        #expect(numbers == Array(all.prefix(limit ?? .max)), "\(limit ?? -1) \(isOneBatch)")
        // The rest of the log begins behind the last change.
        #expect(next == (limit == 5 ? all[4] : nil))
      }
    }
  }

  @Test func `The change log shows the text of an item without a title`() {
    var item = NewsItem.sample(4, "")
    item.summary = "A toot\nof two lines"
    let change = Change(sequence: 9, kind: .inserted, itemID: item.id, feedID: item.feedID, item: item)
    #expect(
      ChangesPresenter().present([.item(change)]).content?.lines.first?.title.string == "A toot of two lines"
    )
  }

  @Test func `In the text format, follow shows an item on one line with columns of fixed width`() async throws
  {
    let log = FakeLog()
    log.insert(1)
    let output = try ItemOutput(format: .text, terminal: .plain(width: 70))
    let writer = FakeOutput()
    let screen = Screen(
      view: output.view(text: FollowView(terminal: output.shape.terminal)),
      output: writer,
      messages: writer,
      flushesAlways: true
    )
    let interactor = FollowInteractor(
      changes: log,
      news: FakeStore(),
      filters: .plain(FakeStore()),
      pause: { throw Stop() },
      presenter: FollowPresenter(output.needs, times: output.shape.terminal.times)
    )
    try await interactor.run(FollowRequest(after: 0), emit: screen.emit)
    #expect(writer.text == "         1 2026-11-20 11:00 Example        Item 1\n")
  }
}
