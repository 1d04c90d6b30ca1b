import Synchronization
import Testing

@testable import NewsService

@Suite(.timeLimit(.minutes(1))) struct `The gate before reading` {
  private let gate = ReadingGate(limit: 100)
  private let first = Feed.ID(rawValue: 1)
  private let second = Feed.ID(rawValue: 2)

  /// Enters in a task of its own and notes when it is in.
  private func enter(_ id: Feed.ID, _ body: Int, _ order: Order) -> Task<Void, Never> {
    Task {
      await gate.enter(id, body: body)
      order.ids.withLock { $0.append(id.rawValue) }
    }
  }

  private final class Order: Sendable {
    let ids = Mutex<[Int64]>([])
  }

  @Test func `What fits goes in at once, what does not waits for room`() async throws {
    let order = Order()
    await gate.enter(first, body: 40)
    let waiting = enter(second, 20, order)
    try await Task.sleep(for: .milliseconds(50))
    #expect(order.ids.withLock { $0.isEmpty })
    gate.leave(first)
    await waiting.value
    #expect(order.ids.withLock { $0 } == [2])
  }

  @Test func `A body larger than all room goes in alone, and nobody overtakes`() async throws {
    let order = Order()
    await gate.enter(first, body: 1000)
    let large = enter(second, 900, order)
    try await Task.sleep(for: .milliseconds(50))
    let small = enter(Feed.ID(rawValue: 3), 1, order)
    try await Task.sleep(for: .milliseconds(50))
    #expect(order.ids.withLock { $0.isEmpty })
    gate.leave(first)
    await large.value
    gate.leave(second)
    await small.value
    #expect(order.ids.withLock { $0 } == [2, 3])
  }

  @Test func `Who is in is not kept waiting again, and an open gate keeps nobody`() async {
    await gate.enter(first, body: 50)
    await gate.enter(first, body: 50)
    let order = Order()
    let waiting = enter(second, 50, order)
    gate.open()
    await waiting.value
    await gate.enter(Feed.ID(rawValue: 3), body: 5000)
  }
}
