public import NewsCore

/// How items are handed to a program.
public struct ItemProgram: Hashable, Sendable {
  /// The program and its arguments.
  public var words: [String]
  /// Programs that run at a time.
  public var jobs: Int
  /// How often a program that fails is run for one item.
  public var tries: Int
  /// Milliseconds that it may take; nil: as long as it likes.
  public var timeout: Int?

  public init(words: [String], jobs: Int = 4, tries: Int = 5, timeout: Int? = nil) {
    self.words = words
    self.jobs = jobs
    self.tries = tries
    self.timeout = timeout
  }

  /// Seconds until the next try, after this many.
  func delay(after tries: Int) -> Int { min(1 << min(tries - 1, 6), 60) }
}

/// What a program reads on its standard input: an item in a format of the face's choice.
public struct ProgramInput: Sendable {
  /// What the store has to read for it.
  public var parts: ItemParts
  /// The item as bytes.
  public var bytes: @Sendable (NewsItem) throws -> [UInt8]

  public init(parts: ItemParts, bytes: @escaping @Sendable (NewsItem) throws -> [UInt8]) {
    self.parts = parts
    self.bytes = bytes
  }
}

/// Runs a program for each item as it is stored, the item as a JSON object on its standard input, until the task is
/// cancelled.
///
/// An item counts as dealt with when its program has succeeded or was given up; the cursor stands behind the last one
/// before which no other is left.
public struct FollowProgramInteractor: Sendable {
  private let reader: FollowReader
  private let programs: any ProgramRunning
  private let program: ItemProgram
  private let input: ProgramInput
  private let sleep: @Sendable (Int) async -> Void

  /// Milliseconds that a program may still take when newsd is told to end.
  private static let grace = 5_000

  /// - Parameters:
  ///   - changes: The change log.
  ///   - news: For the items that are dealt with first.
  ///   - feeds: For a feed that is named in the filter.
  ///   - cursor: Remembers what has been dealt with; nil: nobody does.
  ///   - programs: Runs them.
  ///   - program: Which one, and how often.
  ///   - input: Makes the programs' input of an item.
  ///   - pause: The wait between two looks at the log; ends the run by throwing.
  ///   - sleep: The wait before another try, in seconds.
  public init(
    changes: any ChangeReading,
    news: any ItemReading,
    feeds: any FeedReading,
    cursor: (any CursorKeeping)? = nil,
    programs: any ProgramRunning,
    program: ItemProgram,
    input: ProgramInput,
    pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(400)) },
    sleep: @escaping @Sendable (Int) async -> Void = { try? await Task.sleep(for: .seconds($0)) }
  ) {
    reader = FollowReader(changes: changes, news: news, feeds: feeds, cursor: cursor, pause: pause)
    self.programs = programs
    self.program = program
    self.input = input
    self.sleep = sleep
  }

  /// Emits what fails, as it fails.
  ///
  /// - Throws: What `emit` throws.
  public func run(_ route: FollowRoute, emit: @escaping Emit<ProgramReportViewModel>) async throws {
    let progress = CursorProgress(reader.cursor)
    let queue = ItemQueue()
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<max(program.jobs, 1) {
          group.addTask { try await work(queue, progress, emit) }
        }
        group.addTask {
          defer { queue.close(drops: false) }
          try await reader.run(route, parts: input.parts, HandedItems(queue: queue, progress: progress))
        }
        // Whatever ends first: no new items, and nobody waits for one.
        try await withTaskCancellationHandler {
          do {
            try await group.waitForAll()
          } catch {
            queue.close(drops: true)
            throw error
          }
        } onCancel: {
          queue.close(drops: true)
        }
      }
    } catch let error as StoreError {
      return try emit(.failed(UserMessage(error)))
    } catch let error as UserMessage {
      return try emit(.failed(error))
    }
    try emit(.ready(ProgramReportViewModel()))
  }

  private func work(
    _ queue: ItemQueue,
    _ progress: CursorProgress,
    _ emit: @escaping Emit<ProgramReportViewModel>
  ) async throws {
    while let job = await queue.next() {
      guard try await handle(job.item, emit) else { return }
      try progress.finish(job.ticket)
    }
  }

  /// True when the item is dealt with, false when newsd is to end.
  private func handle(
    _ item: NewsItem,
    _ emit: @escaping Emit<ProgramReportViewModel>
  ) async throws -> Bool {
    let call = ProgramCall(
      words: program.words,
      input: try input.bytes(item),
      timeout: program.timeout,
      grace: Self.grace
    )
    for count in 1...max(program.tries, 1) {
      guard !Task.isCancelled else { return false }
      let result = await programs.run(call)
      if result.isSuccess { return true }
      if result.end == .cancelled || Task.isCancelled { return false }
      let isLast = count == program.tries
      let delay = program.delay(after: count)
      let next = isLast ? "given up after \(count) \(count == 1 ? "try" : "tries")" : "again in \(delay) s"
      let text = "item \(item.id.rawValue): \(program.words[0]) \(result.outcome); \(next)"
      try emit(.loading(keeping: ProgramReportViewModel(lines: [DisplayText(line: text)])))
      if !isLast { await sleep(delay) }
    }
    return true
  }
}

/// Hands to programs what a follower reads.
private struct HandedItems: FollowConsumer {
  let queue: ItemQueue
  let progress: CursorProgress

  func begin(with items: [NewsItem]) async {
    for item in items { await hand(item, nil) }
  }

  func take(_ items: [(item: NewsItem, place: FollowCursor)]) async {
    for (item, place) in items { await hand(item, place) }
  }

  private func hand(_ item: NewsItem, _ place: FollowCursor?) async {
    // One that nobody takes is never done, so the cursor does not pass it.
    _ = await queue.put(ItemQueue.Job(item: item, ticket: progress.begin(place)))
  }

  func reached(_ place: FollowCursor) throws { try progress.reached(place) }
}

/// What there is to say of programs that failed.
public struct ProgramReportViewModel: ScreenContent {
  public var lines: [DisplayText]
  public var rowCount: Int { lines.count }

  public init(lines: [DisplayText] = []) {
    self.lines = lines
  }
}
