import Synchronization

/// Lets bodies be read only as fast as what they turn into is stored: items with their HTML and text take about twice
/// the room of their document, and parsing is faster than storing.
final class ReadingGate: Sendable {
  private struct State {
    var taken = 0
    var shares: [Feed.ID: Int] = [:]
    var waiting: [(id: Feed.ID, bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var isOpen = false
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: Bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Waits until there is room for what a body of that many bytes turns into. A body that is larger than all room is let
  /// in alone; a feed that has been let in is not kept waiting again.
  func enter(_ id: Feed.ID, body: Int) async {
    guard body > 0 else { return }
    await withCheckedContinuation { continuation in
      let isIn = state.withLock { state in
        guard state.waiting.isEmpty || state.shares[id] != nil || state.isOpen,
          Self.take(id, 2 * body, limit, &state)
        else {
          state.waiting.append((id, 2 * body, continuation))
          return false
        }
        return true
      }
      if isIn { continuation.resume() }
    }
  }

  /// What the feed brought is stored, or given up.
  func leave(_ id: Feed.ID) {
    let next = state.withLock { state in
      state.taken -= state.shares.removeValue(forKey: id) ?? 0
      return Self.admitted(limit, &state)
    }
    for continuation in next { continuation.resume() }
  }

  /// Keeps nobody waiting from now on.
  func open() {
    let next = state.withLock { state in
      state.isOpen = true
      return Self.admitted(limit, &state)
    }
    for continuation in next { continuation.resume() }
  }

  private static func take(_ id: Feed.ID, _ bytes: Int, _ limit: Int, _ state: inout State) -> Bool {
    guard state.isOpen || state.taken == 0 || state.shares[id] != nil || state.taken + bytes <= limit else {
      return false
    }
    state.taken += bytes
    state.shares[id, default: 0] += bytes
    return true
  }

  private static func admitted(
    _ limit: Int,
    _ state: inout State
  ) -> [CheckedContinuation<Void, Never>] {
    var next: [CheckedContinuation<Void, Never>] = []
    while let first = state.waiting.first, take(first.id, first.bytes, limit, &state) {
      next.append(first.continuation)
      state.waiting.removeFirst()
    }
    return next
  }
}
