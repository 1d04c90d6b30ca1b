import NewsCore
import Synchronization

/// The connections of a pool for one purpose, and the uses that wait for one.
///
/// The number of connections of one store is limited. A use that waits because its store has reached that limit, or because its
/// tables are locked, does not delay the uses of other stores. If a use holds a connection for longer than `patience`, a store
/// without a connection may open a further one, and its own store is served last, but not much later. There are at most twice as
/// many connections as usual.
final class LaneQueue: Sendable {
  private struct Place {
    let number: Int
    let lane: Lane
    /// The schema of the store that has the connection now, and since when.
    var use: (schema: String, begin: ContinuousClock.Instant)?
    /// The schema of the last use.
    var last: String?
  }

  private struct Waiter {
    let schema: String
    let since = ContinuousClock.now
    let continuation: CheckedContinuation<(Int, Lane), Never>
  }

  private struct State {
    var places: [Place] = []
    var waiters: [Waiter] = []
    var lastNumber = 0
    /// The schemas of the stores whose last use was held too long.
    var slow: Set<String> = []
    /// True while a task looks whether connections are held too long.
    var isWatched = false
  }

  private let role: Lane.Role
  private let size: Int
  private let ofStore: Int
  private let state = Mutex(State())

  private static let patience = Duration.seconds(2)
  private static let look = Duration.milliseconds(500)
  /// How long a use waits until it is served like others although its store's last use was held too long.
  private static let longestDelay = Duration.seconds(10)

  /// `size` is the number of connections, and `ofStore` the most of them that one store has at the same time.
  init(_ role: Lane.Role, size: Int, ofStore: Int) {
    (self.role, self.size, self.ofStore) = (role, size, ofStore)
  }

  /// The connections, in use or not.
  var lanes: [Lane] { state.withLock { $0.places.map(\.lane) } }

  /// Closes the connections. The next use opens one again.
  func close() async {
    for lane in lanes { await lane.close() }
  }

  /// Since when a connection waits for the server; nil: none does.
  var waitsSince: ContinuousClock.Instant? { lanes.compactMap { $0.waitsSince }.min() }

  /// Since when the server does not answer a use of the store; nil: none waits for it.
  func waitsSince(of schema: String) -> ContinuousClock.Instant? {
    let lanes = state.withLock { state in state.places.filter { $0.use?.schema == schema }.map { $0.lane } }
    return lanes.compactMap { $0.waitsSince }.min()
  }

  /// Closes the connections that have waited for the server for so long. Returns when the first of these waits began; nil: there
  /// is none of that length.
  func cut(after limit: Duration) -> ContinuousClock.Instant? {
    lanes.compactMap { $0.cut(after: limit) }.min()
  }

  /// Runs `body` once; see `Lane.perform`.
  func perform<Result: Sendable>(
    on uri: StoreURI,
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await use(uri.schema) { (lane) async throws(StoreError) in
      try await lane.perform(on: uri, body)
    }
  }

  /// Calls `body` with a connection that nothing else uses meanwhile.
  func use<Result: Sendable>(
    _ schema: String,
    _ body: (Lane) async throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let (number, lane) = await take(schema)
    let result: Swift.Result<Result, StoreError>
    do throws(StoreError) {
      result = .success(try await body(lane))
    } catch {
      result = .failure(error)
    }
    await giveBack(number)
    return try result.get()
  }

  private func take(_ schema: String) async -> (Int, Lane) {
    await withCheckedContinuation { continuation in
      let mustWatch = state.withLock { state in
        state.waiters.append(Waiter(schema: schema, continuation: continuation))
        serve(&state)
        guard !state.waiters.isEmpty, !state.isWatched else { return false }
        state.isWatched = true
        return true
      }
      if mustWatch { Task { await watch() } }
    }
  }

  private func giveBack(_ number: Int) async {
    let surplus = state.withLock { state -> Lane? in
      guard let index = state.places.firstIndex(where: { $0.number == number }) else { return nil }
      if let use = state.places[index].use {
        if use.begin + Self.patience < .now {
          state.slow.insert(use.schema)
        } else {
          state.slow.remove(use.schema)
        }
      }
      state.places[index].use = nil
      serve(&state)
      guard state.places[index].use == nil, state.places.count > size else { return nil }
      return state.places.remove(at: index).lane
    }
    await surplus?.close()
  }

  /// Serves waiting uses as soon as connections have been held too long.
  private func watch() async {
    while true {
      try? await Task.sleep(for: Self.look)
      let isDone = state.withLock { state in
        serve(&state)
        state.isWatched = !state.waiters.isEmpty
        return !state.isWatched
      }
      if isDone { return }
    }
  }

  /// Which of the waiting uses may have a connection now.
  private enum Offer { case none, storesWithoutOne, all }

  private func serve(_ state: inout State) {
    let slow = state.slow
    serve(&state, except: slow)
    if !slow.isEmpty { serve(&state, except: []) }
  }

  /// Gives connections to the uses that have waited longest and whose store may have another one. Passes over the waiting uses
  /// once, and not at all without a connection to give: many may wait.
  private func serve(_ state: inout State, except passed: Set<String>) {
    var offer = self.offer(state)
    guard offer != .none else { return }
    var uses: [String: Int] = [:]
    for place in state.places { if let use = place.use { uses[use.schema, default: 0] += 1 } }
    let overdue = ContinuousClock.now - Self.longestDelay
    var kept = 0
    var index = 0
    while offer != .none, index < state.waiters.count {
      let waiter = state.waiters[index]
      index += 1
      let used = uses[waiter.schema] ?? 0
      let isPassed = passed.contains(waiter.schema) && waiter.since > overdue
      guard used < ofStore, used == 0 || offer == .all, !isPassed else {
        state.waiters[kept] = waiter
        kept += 1
        continue
      }
      let place = freePlace(for: waiter.schema, &state)
      state.places[place].use = (waiter.schema, .now)
      state.places[place].last = waiter.schema
      uses[waiter.schema] = used + 1
      waiter.continuation.resume(returning: (state.places[place].number, state.places[place].lane))
      offer = self.offer(state)
    }
    state.waiters.removeSubrange(kept..<index)
  }

  /// The usual number of connections is for all; further ones, while some are held too long, are for stores that have none, even
  /// if they are idle: stores that hold theirs would take all of them in the end.
  private func offer(_ state: State) -> Offer {
    let used = state.places.count { $0.use != nil }
    if used < size { return .all }
    let limit = ContinuousClock.now - Self.patience
    let held = state.places.count { $0.use.map { $0.begin < limit } ?? false }
    return used < size + min(held, size) ? .storesWithoutOne : .none
  }

  /// Returns the index of an idle connection, preferably with the same schema as before, or of a further one.
  private func freePlace(for schema: String, _ state: inout State) -> Int {
    let idle = state.places.indices.filter { state.places[$0].use == nil }
    if let place = idle.first(where: { state.places[$0].last == schema }) ?? idle.first { return place }
    state.lastNumber += 1
    state.places.append(Place(number: state.lastNumber, lane: Lane(role)))
    return state.places.count - 1
  }
}
