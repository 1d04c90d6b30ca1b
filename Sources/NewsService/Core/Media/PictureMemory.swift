import Synchronization

/// Limits the memory of the pictures that the page passes on, from the request to a publisher until the last byte is
/// sent: a small compressed answer may become a large picture, and an item may have any number of them. Requests that
/// find no room wait in their order.
final class PictureMemory: Sendable {
  /// Bytes of all pictures together.
  private static let total = 160 << 20
  /// Number of pictures of one feed that are fetched at once, so that a slow publisher leaves room for others.
  private static let fetchesOfFeed = 6

  private struct Waiting {
    let number: Int
    let feed: Feed.ID
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free = PictureMemory.total
    /// Number of pictures that are being fetched.
    var fetches: [Feed.ID: Int] = [:]
    var waiting: [Waiting] = []
    var lastNumber = 0

    mutating func take(_ size: Int, _ feed: Feed.ID) -> Bool {
      guard free >= size, fetches[feed, default: 0] < PictureMemory.fetchesOfFeed else { return false }
      free -= size
      fetches[feed, default: 0] += 1
      return true
    }

    mutating func endFetch(_ feed: Feed.ID) {
      let rest = fetches[feed, default: 1] - 1
      fetches[feed] = rest > 0 ? rest : nil
    }

    /// Removes the requests for which there is room from the queue.
    mutating func admit(_ size: Int) -> [Waiting] {
      var admitted: [Waiting] = []
      var rest: [Waiting] = []
      for entry in waiting {
        if take(size, entry.feed) { admitted.append(entry) } else { rest.append(entry) }
      }
      waiting = rest
      return admitted
    }
  }

  /// Maximum bytes of a picture.
  private let size: Int
  private let state = Mutex(State())

  init(largest size: Int) { self.size = size }

  /// Takes the memory of the largest possible picture, as soon as there is room. Throws if the task is cancelled.
  func take(for feed: Feed.ID) async throws(CancellationError) -> Share {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let isTaken = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isTaken: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          // A request does not overtake another one of its feed.
          if !state.waiting.contains(where: { $0.feed == feed }), state.take(size, feed) { return true }
          state.waiting.append(Waiting(number: number, feed: feed, continuation: continuation))
          return nil
        }
        if let isTaken { continuation.resume(returning: isTaken) }
      }
    } onCancel: {
      let entry = state.withLock { state in
        state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
      }
      entry?.continuation.resume(returning: false)
    }
    guard isTaken else { throw CancellationError() }
    return Share(self, feed, size)
  }

  private func change(_ body: (inout State) -> Void) {
    let admitted = state.withLock { state in
      body(&state)
      return state.admit(size)
    }
    for entry in admitted { entry.continuation.resume(returning: true) }
  }

  /// The memory of one picture, free again with the last reference to it.
  final class Share: Sendable {
    private let memory: PictureMemory
    private let feed: Feed.ID
    /// The bytes that are taken, and whether the picture is still being fetched.
    private let taken: Mutex<(bytes: Int, isFetching: Bool)>

    fileprivate init(_ memory: PictureMemory, _ feed: Feed.ID, _ bytes: Int) {
      self.memory = memory
      self.feed = feed
      taken = Mutex((bytes, true))
    }

    /// Gives back what the fetched picture does not need.
    func shrink(to bytes: Int) {
      let before = taken.withLock { taken in
        defer { taken = (min(bytes, taken.bytes), false) }
        return taken
      }
      memory.change { state in
        state.free += max(before.bytes - bytes, 0)
        if before.isFetching { state.endFetch(feed) }
      }
    }

    deinit { shrink(to: 0) }
  }
}
