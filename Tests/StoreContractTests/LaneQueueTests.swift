import NewsCore
import Synchronization
import TestSupport
import Testing

@testable import NewsPostgres

/// The order in which stores get the connections of a pool. No connection is opened.
@Suite(.timeLimit(.minutes(1))) struct `The order of the uses of connections` {
  private final class Clock: Sendable {
    let time = Mutex(ContinuousClock.now)
  }

  private final class Uses: Sendable {
    private struct State {
      var begun: [String] = []
      /// The names of the uses that shall end, and of the ended ones.
      var ending: Set<String> = []
      var ended: Set<String> = []
    }

    let queue: LaneQueue
    private let clock: Clock
    private let state = Mutex(State())

    init(_ role: Lane.Role = .glancing, size: Int) {
      let clock = Clock()
      self.clock = clock
      queue = LaneQueue(role, size: size, ofStore: 1) { clock.time.withLock { $0 } }
    }

    var begun: [String] { state.withLock { $0.begun } }

    func advance(_ seconds: Int) { clock.time.withLock { $0 += .seconds(seconds) } }

    /// Begins a use, whose name is that of the store and a digit, and waits until it has a connection or waits for one.
    func begin(_ name: String) async throws {
      let count = begun.count + queue.waiting
      Task {
        try await queue.use(String(name.dropLast())) { (_) async throws(StoreError) in
          state.withLock { $0.begun.append(name) }
          while !state.withLock({ $0.ending.contains(name) }) { try? await Task.sleep(for: .milliseconds(1)) }
        }
        _ = state.withLock { $0.ended.insert(name) }
      }
      try await eventually { begun.count + queue.waiting > count }
    }

    /// Ends a use, and waits until so many have begun.
    func end(_ name: String, begun count: Int) async throws {
      endAll(name)
      try await eventually { state.withLock { $0.ended.contains(name) && $0.begun.count >= count } }
    }

    /// Ends uses, also before they begin.
    func endAll(_ names: String...) { state.withLock { $0.ending.formUnion(names) } }
  }

  @Test func `While others wait, a slow store has a connection again ten seconds after its last slow use`()
    async throws
  {
    let uses = Uses(size: 1)
    try await uses.begin("a1")
    try await uses.begin("a2")
    uses.advance(11)
    // While a1 is held too long, another store has a further connection.
    try await uses.begin("c1")
    try await uses.begin("d1")
    try await uses.end("a1", begun: 2)
    try await uses.end("c1", begun: 3)
    #expect(uses.begun == ["a1", "c1", "d1"])
    try await uses.begin("e1")
    uses.advance(10)
    try await eventually { uses.begun.count == 4 }
    #expect(uses.begun.last == "a2")
    uses.endAll("d1", "a2", "e1")
  }

  @Test func `A short use just after a slow one does not put its store before others again`() async throws {
    let uses = Uses(size: 1)
    try await uses.begin("a1")
    uses.advance(1)
    try await uses.end("a1", begun: 1)
    try await uses.begin("a2")
    try await uses.begin("b1")
    try await uses.end("a2", begun: 3)
    try await uses.begin("a3")
    try await uses.begin("c1")
    try await uses.end("b1", begun: 4)
    #expect(uses.begun == ["a1", "a2", "b1", "c1"])
    uses.endAll("c1", "a3")
  }

  @Test func `Slow stores do not take all connections`() async throws {
    let uses = Uses(size: 2)
    try await uses.begin("a1")
    try await uses.begin("b1")
    uses.advance(1)
    try await uses.end("a1", begun: 2)
    try await uses.end("b1", begun: 2)
    try await uses.begin("a2")
    try await uses.begin("b2")
    try await uses.begin("c1")
    #expect(uses.begun.dropFirst(2) == ["a2", "c1"])
    // Both are held too long then.
    uses.advance(1)
    try await eventually { uses.begun.count == 5 }
    #expect(uses.begun.last == "b2")
    uses.endAll("a2", "b2", "c1")
  }

  @Test func `A use that waits for a lock counts as held before the server ends the wait`() async throws {
    for role in [Lane.Role.glancing, .claiming] {
      let uses = Uses(role, size: 1)
      try await uses.begin("a1")
      try await uses.begin("b1")
      #expect(uses.begun == ["a1"])
      uses.advance(1)
      try await eventually { uses.begun == ["a1", "b1"] }
      uses.endAll("a1", "b1")
    }
    let uses = Uses(.reading, size: 1)
    try await uses.begin("a1")
    uses.advance(1)
    try await uses.begin("b1")
    #expect(uses.begun == ["a1"])
    uses.endAll("a1", "b1")
  }
}
