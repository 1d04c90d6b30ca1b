import NewsCore
import Synchronization

/// Passes items to programs with back-pressure: `enqueue` suspends until a program takes the item or the queue's one
/// slot is free.
final class ItemQueue: Sendable {
  struct Job: Sendable {
    var item: NewsItem
    /// The item's ticket from `CursorProgress`.
    var ticket: Int
  }

  private struct State {
    /// The item in the slot. There is one slot only, because reading further ahead gains nothing.
    var job: Job?
    var isClosed = false
    var waitingConsumers: [CheckedContinuation<Job?, Never>] = []
    var waitingProducers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits until the queue accepts the item; false if the queue is closed.
  func enqueue(_ job: Job) async -> Bool {
    while true {
      enum Step { case done, closed, wait }
      let step: Step = state.withLock { state in
        if state.isClosed { return .closed }
        if !state.waitingConsumers.isEmpty {
          state.waitingConsumers.removeFirst().resume(returning: job)
          return .done
        }
        guard state.job == nil else { return .wait }
        state.job = job
        return .done
      }
      switch step {
      case .done: return true
      case .closed: return false
      case .wait: await waitForSlot()
      }
    }
  }

  private func waitForSlot() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.isClosed || state.job == nil { return true }
        state.waitingProducers.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Waits for the next item; nil if the queue is closed and empty.
  func next() async -> Job? {
    await withCheckedContinuation { continuation in
      let waitingProducers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        guard let job = state.job else {
          if state.isClosed {
            continuation.resume(returning: nil)
            return []
          }
          state.waitingConsumers.append(continuation)
          return []
        }
        state.job = nil
        continuation.resume(returning: job)
        defer { state.waitingProducers = [] }
        return state.waitingProducers
      }
      for giver in waitingProducers { giver.resume() }
    }
  }

  /// Closes the queue and resumes all waiting tasks. With `drops`, the item in the queue is discarded;
  /// otherwise programs can still take it.
  func close(drops: Bool) {
    let (waitingConsumers, waitingProducers) = state.withLock { state in
      state.isClosed = true
      if drops { state.job = nil }
      defer {
        state.waitingConsumers = []
        state.waitingProducers = []
      }
      return (state.waitingConsumers, state.waitingProducers)
    }
    for taker in waitingConsumers { taker.resume(returning: nil) }
    for giver in waitingProducers { giver.resume() }
  }
}

/// Advances a cursor over items that finish out of order, but never past an unfinished item.
final class CursorProgress: Sendable {
  private struct State {
    /// Ticket of the first entry.
    var first = 0
    var entries: [(place: FollowCursor?, isDone: Bool)] = []
  }

  private let state = Mutex(State())
  private let cursor: (any CursorKeeping)?

  init(_ cursor: (any CursorKeeping)?) {
    self.cursor = cursor
  }

  /// Registers an item before it is processed. `place` is the position of the item in the log; nil: it has
  /// none. Returns the item's ticket.
  func register(_ place: FollowCursor?) -> Int {
    state.withLock { state in
      state.entries.append((place, false))
      return state.first + state.entries.count - 1
    }
  }

  /// Marks a ticket as done, and saves the position up to which all tickets are done.
  func complete(_ ticket: Int) throws {
    try state.withLock { state in
      state.entries[ticket - state.first].isDone = true
      let done = state.entries.prefix { $0.isDone }
      guard let place = done.last(where: { $0.place != nil })?.place ?? nil else { return }
      state.first += done.count
      state.entries.removeFirst(done.count)
      try cursor?.save(place)
    }
  }

  /// Moves the cursor to `place` once all registered items are done.
  func advance(to place: FollowCursor) throws { try complete(register(place)) }
}
