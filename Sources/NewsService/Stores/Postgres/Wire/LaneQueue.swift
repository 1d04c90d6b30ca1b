import NewsCore
import Synchronization

/// The connections of a pool for one purpose, and the uses that wait for one.
///
/// The number of connections of one store is limited. A use that waits because its store has reached that limit, or because its
/// tables are locked, does not delay the uses of other stores. If a use holds a connection for longer than `patience`, a store
/// without a connection may open a further one, and its own store is slow for a while: it is served after the others, but not much
/// later, and slow stores never have all connections. There are at most twice as many connections as usual.
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
    let since: ContinuousClock.Instant
    let continuation: CheckedContinuation<(Int, Lane), Never>
  }

  private struct State {
    var places: [Place] = []
    var waiters: [Waiter] = []
    var lastNumber = 0
    /// When the last use that was held too long ended, by the schemas of the stores that are slow. They stay so until a use ends
    /// early after `longestDelay`: just after a failure, uses are refused without a question to the server, which says nothing.
    var slow: [String: ContinuousClock.Instant] = [:]
    /// True while a task looks whether connections are held too long.
    var isWatched = false
  }

  private let role: Lane.Role
  private let size: Int
  private let ofStore: Int
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  /// How long a use may hold a connection. Much shorter than the limit on waits for locks: a use that waits for one must count.
  private let patience: Duration
  /// How long a use of a slow store waits, and how long after the last slow one, until it is served like those of others.
  private static let longestDelay = Duration.seconds(10)

  /// `size` is the number of connections, and `ofStore` the most of them that one store has at the same time.
  init(
    _ role: Lane.Role,
    size: Int,
    ofStore: Int,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    (self.role, self.size, self.ofStore) = (role, size, ofStore)
    self.now = now
    patience = role.isQuick ? .milliseconds(500) : .seconds(2)
  }

  /// The connections, in use or not.
  var lanes: [Lane] { state.withLock { $0.places.map(\.lane) } }

  /// Number of uses that wait for a connection, for tests.
  var waiting: Int { state.withLock { $0.waiters.count } }

  /// Closes the connections. The next use opens one again.
  func close() async {
    for lane in lanes { await lane.close() }
  }

  /// Closes the connections that do not wait for the server: a read of a locked table would take 20 seconds.
  func closeAnswered() async {
    for lane in lanes where lane.waitsSince == nil { await lane.close() }
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
        state.waiters.append(Waiter(schema: schema, since: now(), continuation: continuation))
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
        let now = now()
        if use.begin + patience < now {
          state.slow[use.schema] = now
        } else if let end = state.slow[use.schema], end + Self.longestDelay <= now {
          state.slow[use.schema] = nil
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
      try? await Task.sleep(for: patience / 4)
      let isDone = state.withLock { state in
        serve(&state)
        state.isWatched = !state.waiters.isEmpty
        return !state.isWatched
      }
      if isDone { return }
    }
  }

  private func serve(_ state: inout State) {
    let now = now()
    if !state.slow.isEmpty { serve(&state, now, passesOverSlow: true) }
    serve(&state, now, passesOverSlow: false)
  }

  /// Gives connections to the uses that have waited longest and whose store may have another one. Passes over the waiting uses
  /// once, and not at all without a connection to give: many may wait.
  private func serve(_ state: inout State, _ now: ContinuousClock.Instant, passesOverSlow: Bool) {
    let limit = limit(state, now)
    var used = state.places.count { $0.use != nil }
    guard used < limit else { return }
    var uses: [String: Int] = [:]
    var slowUses = 0
    for place in state.places {
      guard let use = place.use else { continue }
      uses[use.schema, default: 0] += 1
      if state.slow[use.schema] != nil { slowUses += 1 }
    }
    var kept = 0
    var index = 0
    while used < limit, index < state.waiters.count {
      let waiter = state.waiters[index]
      index += 1
      let own = uses[waiter.schema] ?? 0
      let slowEnd = state.slow[waiter.schema]
      // Further connections are for stores that have none: stores that hold theirs would take all of them in the end.
      var isNext = own < ofStore && (own == 0 || used < size)
      if isNext, let slowEnd {
        let isOverdue = max(waiter.since, slowEnd) + Self.longestDelay <= now
        isNext = slowUses < max(ofStore, limit - 1) && (isOverdue || !passesOverSlow)
      }
      guard isNext else {
        state.waiters[kept] = waiter
        kept += 1
        continue
      }
      let place = freePlace(for: waiter.schema, &state)
      state.places[place].use = (waiter.schema, now)
      state.places[place].last = waiter.schema
      uses[waiter.schema] = own + 1
      used += 1
      if slowEnd != nil { slowUses += 1 }
      waiter.continuation.resume(returning: (state.places[place].number, state.places[place].lane))
    }
    state.waiters.removeSubrange(kept..<index)
  }

  /// How many connections may be in use now: the usual number, and a further one for each that is held too long.
  private func limit(_ state: State, _ now: ContinuousClock.Instant) -> Int {
    let held = state.places.count { $0.use.map { $0.begin + patience < now } ?? false }
    return size + min(held, size)
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
