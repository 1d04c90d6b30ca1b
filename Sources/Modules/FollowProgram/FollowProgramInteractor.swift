import NewsToolbox
public import NewsCore

/// Runs a program for each new item until the task is cancelled. The program reads the item as a JSON object on
/// standard input.
///
/// An item is done when its program succeeded or used up its tries. The cursor never passes an unfinished item, so
/// that a restart loses none.
public struct FollowProgramInteractor: Interactor {
  private let reader: FollowReader
  private let programs: any ProgramRunning
  private let program: ItemProgram
  private let input: ProgramInput
  private let presenter = ProgramReportPresenter()
  private let sleep: @Sendable (Int) async -> Void

  /// Milliseconds for a running program to finish when newsd is asked to stop.
  private static let grace = 5_000

  /// `cursor` saves the position up to which items are done; nil: the position is not saved. `pause` waits
  /// between two reads of the log, and throws to end the run. `sleep` waits for that many seconds before the
  /// next try.
  public init(
    changes: any ChangeReading,
    news: any ItemReading,
    filters: FilterResolver,
    cursor: (any CursorKeeping)? = nil,
    programs: any ProgramRunning,
    program: ItemProgram,
    input: ProgramInput,
    pause: @escaping @Sendable () async throws -> Void,
    sleep: @escaping @Sendable (Int) async -> Void = { try? await Task.sleep(for: .seconds($0)) }
  ) {
    reader = FollowReader(changes: changes, news: news, filters: filters, cursor: cursor, pause: pause)
    self.programs = programs
    self.program = program
    self.input = input
    self.sleep = sleep
  }

  /// Runs the program for each item, and emits a warning as soon as a run fails.
  public func respond(to request: FollowRequest, emit: @escaping Emit<Outcome>) async throws {
    try await run(request, emit)
    try emit(.outcome())
  }

  private func run(_ request: FollowRequest, _ emit: @escaping Emit<Outcome>) async throws {
    let progress = CursorProgress(reader.cursor)
    let queue = ItemQueue()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<max(program.jobs, 1) {
        group.addTask { try await work(queue, progress, emit) }
      }
      group.addTask {
        defer { queue.close(drops: false) }
        try await reader.run(request, parts: input.parts, QueueingConsumer(queue: queue, progress: progress))
      }
      // On cancellation and on the first error, close the queue, so that no task waits on it. `waitForAll` would
      // throw the error only after all tasks have ended.
      try await withTaskCancellationHandler {
        do {
          while try await group.next() != nil {}
        } catch {
          queue.close(drops: true)
          throw error
        }
      } onCancel: {
        queue.close(drops: true)
      }
    }
  }

  private func work(
    _ queue: ItemQueue,
    _ progress: CursorProgress,
    _ emit: @escaping Emit<Outcome>
  ) async throws {
    while let job = await queue.next() {
      guard try await handle(job.item, emit) else { return }
      try progress.complete(job.ticket)
    }
  }

  /// Runs the program for an item until it succeeds or its tries are used up. Returns false if newsd is asked to stop
  /// first.
  private func handle(
    _ item: NewsItem,
    _ emit: @escaping Emit<Outcome>
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
      try emit(
        presenter.failed(
          item,
          program: program.words[0],
          outcome: result.outcome,
          tries: count,
          delay: isLast ? nil : delay
        )
      )
      if !isLast { await sleep(delay) }
    }
    return true
  }
}

/// Queues the items of a `FollowReader` for the programs.
private struct QueueingConsumer: FollowConsumer {
  let queue: ItemQueue
  let progress: CursorProgress

  func consumeStored(_ items: [NewsItem]) async {
    for item in items { await enqueue(item, nil) }
  }

  func consume(_ items: [(item: NewsItem, place: FollowCursor)]) async {
    for (item, place) in items { await enqueue(item, place) }
  }

  private func enqueue(_ item: NewsItem, _ place: FollowCursor?) async {
    // An item that a closed queue rejects is never done, so the cursor does not pass it.
    _ = await queue.enqueue(ItemQueue.Job(item: item, ticket: progress.register(place)))
  }

  func didReach(_ place: FollowCursor) throws { try progress.advance(to: place) }
}

/// Reports a failed run, and when the next try begins.
struct ProgramReportPresenter {
  /// Reports a failed run. `delay` is the number of seconds until the next try; nil: this was the last.
  func failed(
    _ item: NewsItem,
    program: String,
    outcome: String,
    tries: Int,
    delay: Int?
  ) -> Container<Outcome> {
    let next = delay.map { "again in \($0) s" } ?? "given up after \(Plural.of(tries, "try", "tries"))"
    let text = "item \(item.id.rawValue): \(program) \(outcome); \(next)"
    return .loading(keeping: Outcome([], warnings: [text]))
  }
}
