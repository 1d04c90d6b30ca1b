import NewsCore
import Synchronization
import TestSupport
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

/// Simulates programs; `end` decides how each run ends.
private final class FakePrograms: ProgramRunning, Sendable {
  struct State {
    var inputs: [String] = []
    var running = 0
    var most = 0
  }
  let state = Mutex(State())
  private let end: @Sendable (_ input: String, _ run: Int) async -> ProgramResult.End

  init(_ end: @escaping @Sendable (_ input: String, _ run: Int) async -> ProgramResult.End) {
    self.end = end
  }

  func run(_ call: ProgramCall) async -> ProgramResult {
    let input = String(decoding: call.input, as: UTF8.self)
    let run = state.withLock { state in
      state.inputs.append(input)
      state.running += 1
      state.most = max(state.most, state.running)
      return state.inputs.count { $0 == input }
    }
    await Task.yield()
    let end = await end(input, run)
    state.withLock { $0.running -= 1 }
    return ProgramResult(end: end)
  }
}

/// A flag with one setter and one waiter.
private final class Flag: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  func raise() { continuation.finish() }
  func wait() async { for await _ in stream {} }
}

@Suite struct `Programs for items` {
  private struct Stop: Error {}

  private func follow(
    _ log: FakeLog,
    _ programs: FakePrograms,
    _ program: ItemProgram,
    cursor: FakeCursor? = nil
  ) async throws -> [String] {
    let store = FakeStore()
    let output = try ItemOutput(format: .jsonl, fields: ["id"], terminal: .plain())
    let interactor = FollowProgramInteractor(
      changes: log,
      news: store,
      filters: .plain(store),
      cursor: cursor,
      programs: programs,
      program: program,
      input: ProgramInput(parts: output.parts) { try output.line(of: $0) },
      pause: { throw Stop() },
      sleep: { _ in }
    )
    let collected = Collected<Outcome>()
    try await interactor.run(FollowRequest(after: 0), emit: collected.emit)
    return collected.all.flatMap { $0.content?.warnings ?? [] }.map(\.string)
  }

  private static func log(_ count: Int64) -> FakeLog {
    let log = FakeLog()
    for id in 1...count { log.insert(id) }
    return log
  }

  private static func line(_ id: Int) -> String { "{\"schema\":1,\"id\":\(id)}\n" }

  @Test func `A program runs for each item, in order if only one runs at a time`() async throws {
    let programs = FakePrograms { _, _ in .exited(status: 0) }
    #expect(try await follow(Self.log(40), programs, ItemProgram(words: ["p"], jobs: 1)) == [])
    #expect(programs.state.withLock { $0.inputs } == (1...40).map(Self.line))
    #expect(programs.state.withLock { $0.most } == 1)
  }

  @Test func `The number of concurrent programs is limited`() async throws {
    let programs = FakePrograms { _, _ in
      for _ in 0..<20 { await Task.yield() }
      return .exited(status: 0)
    }
    _ = try await follow(Self.log(300), programs, ItemProgram(words: ["p"], jobs: 3))
    #expect(Set(programs.state.withLock { $0.inputs }).count == 300)
    #expect(programs.state.withLock { $0.most } <= 3)
  }

  @Test func `A failing program is retried, reported, and given up`() async throws {
    let programs = FakePrograms { input, run in
      input == Self.line(2)
        ? .exited(status: 3) : input == Self.line(3) && run == 1 ? .timedOut : .exited(status: 0)
    }
    let lines = try await follow(Self.log(4), programs, ItemProgram(words: ["p"], jobs: 1, tries: 3))
    #expect(
      lines == [
        "item 2: p ended with status 3; again in 1 s", "item 2: p ended with status 3; again in 2 s",
        "item 2: p ended with status 3; given up after 3 tries",
        "item 3: p took too long and was ended; again in 1 s",
      ]
    )
  }

  @Test func `The cursor does not pass an unfinished item`() async throws {
    let cursor = FakeCursor(FollowCursor(sequence: 0))
    let isLast = Flag()
    // The first item's program ends after all others.
    let programs = FakePrograms { input, _ in
      if input == Self.line(1) {
        await isLast.wait()
        // Only the start position has been saved so far.
        #expect(cursor.all.withLock { $0 } == [FollowCursor(sequence: 0)])
      } else if input == Self.line(20) {
        isLast.raise()
      }
      return .exited(status: 0)
    }
    _ = try await follow(Self.log(20), programs, ItemProgram(words: ["p"], jobs: 2), cursor: cursor)
    #expect(cursor.all.withLock { $0.last } == FollowCursor(sequence: 20))
  }

  @Test func `The cursor does not pass an item whose program was interrupted`() async throws {
    let cursor = FakeCursor(FollowCursor(sequence: 0))
    let programs = FakePrograms { input, _ in input == Self.line(3) ? .cancelled : .exited(status: 0) }
    _ = try await follow(Self.log(3), programs, ItemProgram(words: ["p"], jobs: 1), cursor: cursor)
    #expect(cursor.all.withLock { $0.last }?.sequence == 2)
  }

  @Test(.timeLimit(.minutes(1)))
  func `If a failure cannot be reported, the other programs and the reader end too`() async throws {
    struct Closed: Error {}
    let store = FakeStore()
    let output = try ItemOutput(format: .jsonl, fields: ["id"], terminal: .plain())
    let isCancelled = Flag()
    let interactor = FollowProgramInteractor(
      changes: Self.log(2),
      news: store,
      filters: .plain(store),
      programs: FakePrograms { input, _ in
        guard input == Self.line(2) else { return .exited(status: 1) }
        // The second program ends only when it is cancelled.
        await isCancelled.wait()
        return .cancelled
      },
      program: ItemProgram(words: ["p"], jobs: 2, tries: 1),
      input: ProgramInput(parts: output.parts) { try output.line(of: $0) },
      pause: {
        // Waits for the next change until the task is cancelled.
        defer { isCancelled.raise() }
        try await untilCancelled()
      }
    )
    await #expect(throws: Closed.self) {
      try await interactor.run(FollowRequest(after: 0)) { _ in throw Closed() }
    }
  }

  @Test func `The delay between tries grows up to a minute`() {
    let program = ItemProgram(words: ["p"])
    #expect((1...9).map(program.delay) == [1, 2, 4, 8, 16, 32, 60, 60, 60])
  }
}
