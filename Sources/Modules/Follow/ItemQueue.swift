import NewsCore
import Synchronization

/// Items that wait for a program, few at a time: whoever puts one in waits while others do.
final class ItemQueue: Sendable {
  struct Job: Sendable {
    var item: NewsItem
    /// Its number in `CursorProgress`.
    var ticket: Int
  }

  private struct State {
    /// At most one: more would only be read ahead of the programs.
    var job: Job?
    var isClosed = false
    var takers: [CheckedContinuation<Job?, Never>] = []
    var givers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits until a program is free; false when the queue is closed and nobody will take it.
  func put(_ job: Job) async -> Bool {
    while true {
      enum Step { case done, closed, wait }
      let step: Step = state.withLock { state in
        if state.isClosed { return .closed }
        if !state.takers.isEmpty {
          state.takers.removeFirst().resume(returning: job)
          return .done
        }
        guard state.job == nil else { return .wait }
        state.job = job
        return .done
      }
      switch step {
      case .done: return true
      case .closed: return false
      case .wait: await room()
      }
    }
  }

  private func room() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.isClosed || state.job == nil { return true }
        state.givers.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// The next item; nil when there will be none.
  func next() async -> Job? {
    await withCheckedContinuation { continuation in
      let givers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        guard let job = state.job else {
          if state.isClosed {
            continuation.resume(returning: nil)
            return []
          }
          state.takers.append(continuation)
          return []
        }
        state.job = nil
        continuation.resume(returning: job)
        defer { state.givers = [] }
        return state.givers
      }
      for giver in givers { giver.resume() }
    }
  }

  /// Nothing more can be put in, and nobody waits for it.
  ///
  /// - Parameter drops: True: what waits is left; false: someone may still take it.
  func close(drops: Bool) {
    let (takers, givers) = state.withLock { state in
      state.isClosed = true
      if drops { state.job = nil }
      defer {
        state.takers = []
        state.givers = []
      }
      return (state.takers, state.givers)
    }
    for taker in takers { taker.resume(returning: nil) }
    for giver in givers { giver.resume() }
  }
}

/// How far a cursor may go when items are dealt with out of order: never past one that is not done.
final class CursorProgress: Sendable {
  private struct State {
    /// Number of the first entry.
    var first = 0
    var entries: [(place: FollowCursor?, isDone: Bool)] = []
  }

  private let state = Mutex(State())
  private let cursor: (any CursorKeeping)?

  init(_ cursor: (any CursorKeeping)?) {
    self.cursor = cursor
  }

  /// Something begins that stands for `place`; nil: for no place of its own. Returns its number.
  func begin(_ place: FollowCursor?) -> Int {
    state.withLock { state in
      state.entries.append((place, false))
      return state.first + state.entries.count - 1
    }
  }

  /// That is done; the cursor moves over it when everything before it is done too.
  func finish(_ ticket: Int) throws {
    try state.withLock { state in
      state.entries[ticket - state.first].isDone = true
      let done = state.entries.prefix { $0.isDone }
      guard let place = done.last(where: { $0.place != nil })?.place ?? nil else { return }
      state.first += done.count
      state.entries.removeFirst(done.count)
      try cursor?.save(place)
    }
  }

  /// Everything that has begun stands for places up to this one.
  func reached(_ place: FollowCursor) throws { try finish(begin(place)) }
}
