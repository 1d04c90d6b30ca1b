/// Delivers the outbox of a hook: one delivery at a time, in the order in which they become due.
public struct HookRunner: Sendable {
  /// A completed attempt.
  public struct Event: Hashable, Sendable {
    public var hook: String
    public var key: String
    public var outcome: HookOutcome
    /// True if the delivery failed and is not tried again.
    public var isGivenUp: Bool
  }

  /// Maximum number of entries in a digest; further entries follow in another one.
  public static let digestSize = 500
  /// Seconds beyond the hook's timeout for which deliveries are held. They cover reading the items, the deliveries that
  /// were taken together, ending a program that ignores SIGTERM, and storing the result.
  private static let holdMargin: Int64 = 15
  /// The time in which deliveries that were taken together are begun.
  private static let span = Duration.milliseconds(250)
  private static let firstBatch = 8
  private static let largestBatch = 400

  private let store: any HookKeeping
  private let items: any ItemReading
  private let sender: HookSender
  private let renderer: any HookRendering
  private let clock: any WallClock
  private let offset: @Sendable (Timestamp) -> Int
  private let random: @Sendable () -> Double

  /// For digests, `offset` returns the local zone's offset from UTC at a time, in seconds. `random` returns a
  /// number in 0..<1.
  public init(
    store: any HookKeeping,
    items: any ItemReading,
    sender: HookSender,
    renderer: any HookRendering,
    clock: any WallClock,
    offset: @escaping @Sendable (Timestamp) -> Int,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.store = store
    self.items = items
    self.sender = sender
    self.renderer = renderer
    self.clock = clock
    self.offset = offset
    self.random = random
  }

  /// Delivers until nothing is due, an attempt fails and is postponed, or the task is cancelled. Takes and
  /// settles several deliveries at once, so that the store is not what limits the throughput: as many as are
  /// made in `span`, which bounds the number that is repeated after a crash.
  ///
  /// - Parameters:
  ///   - hook: The hook.
  ///   - isCurrent: Returns false if the hook or other settings have changed: no further delivery is made, and what
  ///     was taken is released.
  ///   - isTrusted: Returns false if this time of the clock may be wrong; then nothing is given up because of its age.
  ///   - report: Called after each attempt.
  /// - Throws: When the store cannot be read or written.
  public func drain(
    _ hook: Hook,
    while isCurrent: @Sendable () -> Bool,
    isTrusted: @Sendable (Timestamp) -> Bool,
    report: @Sendable (Event) -> Void
  ) async throws(StoreError) {
    var limit = Self.firstBatch
    var ahead: [HookDelivery] = []
    while true {
      let start = ContinuousClock.now
      let deliveries = ahead.isEmpty ? try await take(limit, of: hook) : ahead
      guard let last = deliveries.last else { return }
      // After many there are probably more: they are taken while the target answers.
      async let following =
        deliveries.count < Self.firstBatch || last.isDigest ? [] : takeAhead(limit, of: hook, after: last)
      let (results, events) = try await attempt(deliveries, hook, since: start, isCurrent, isTrusted)
      ahead = await following
      if !results.isEmpty { try await store.settle(results, at: clock.now()) }
      for event in events { report(event) }
      var mustStop = Task.isCancelled || !isCurrent()
      if case .postponed? = results.last?.settlement { mustStop = true }
      // After a long pause of this process, another one may hold the deliveries: do not release them.
      let isHeld = .now - start < .seconds(Self.holdMargin)
      if results.count < deliveries.count || mustStop || !isHeld {
        if isHeld { try await store.release(Array(deliveries[results.count...]) + ahead) }
        ahead = []
      }
      if mustStop { return }
      let isFast = results.count == deliveries.count && .now - start < Self.span / 2
      limit = isFast ? min(2 * deliveries.count, Self.largestBatch) : max(results.count, 1)
    }
  }

  private func take(
    _ limit: Int,
    of hook: Hook,
    after last: HookDelivery? = nil
  ) async throws(StoreError) -> [HookDelivery] {
    let now = clock.now()
    return try await store.takeDeliveries(
      of: hook.name,
      at: now,
      before: hook.digest?.latest(notAfter: now, offset: offset),
      after: last,
      limit: limit,
      hold: HookSender.timeout(of: hook) + Self.holdMargin
    )
  }

  /// Takes the deliveries after `last`, which is being made. Returns none if the store fails: the next call of `take` reports it.
  private func takeAhead(_ limit: Int, of hook: Hook, after last: HookDelivery) async -> [HookDelivery] {
    (try? await take(limit, of: hook, after: last)) ?? []
  }

  /// Makes the deliveries until one is postponed, `span` has passed, the settings change, or the task is cancelled.
  private func attempt(
    _ deliveries: [HookDelivery],
    _ hook: Hook,
    since start: ContinuousClock.Instant,
    _ isCurrent: () -> Bool,
    _ isTrusted: (Timestamp) -> Bool
  ) async throws(StoreError) -> (
    results: [(delivery: HookDelivery, settlement: HookSettlement)], events: [Event]
  ) {
    var results: [(delivery: HookDelivery, settlement: HookSettlement)] = []
    var events: [Event] = []
    let ids = deliveries.flatMap(\.entries).compactMap(\.itemID)
    let items = try await items.items(ids, parts: .all)
    var request = prepare(deliveries[0], items, hook)
    for (place, delivery) in deliveries.enumerated() {
      guard !Task.isCancelled, isCurrent(), results.isEmpty || .now - start < Self.span else { break }
      // The next body is written while the target answers.
      async let next = place + 1 < deliveries.count ? prepare(deliveries[place + 1], items, hook) : .nothing
      let sent = await send(request, hook, key: delivery.key)
      request = await next
      guard let outcome = sent else {
        results.append((delivery, .gone))
        continue
      }
      // Shutting down interrupted the attempt: do not count it.
      if Task.isCancelled, case .failed = outcome { break }
      let settlement = settlement(of: outcome, delivery, isTrusted)
      results.append((delivery, settlement))
      var event = Event(hook: hook.name, key: delivery.key, outcome: outcome, isGivenUp: false)
      if case .givenUp = settlement { event.isGivenUp = true }
      events.append(event)
      if case .postponed = settlement { break }
    }
    return (results, events)
  }

  /// Gives up entries that are too many, or, if the time is trusted, too old, and makes due entries that wait for a time
  /// which only a wrong clock can have set. Returns the number of entries that were given up.
  public func trim(_ hook: Hook, isTrusted: (Timestamp) -> Bool) async throws(StoreError) -> Int {
    let now = clock.now()
    return try await store.trimOutbox(of: hook.name, at: now, byAge: isTrusted(now))
  }

  /// Sends a sample: the newest item that the hook's query selects, or an example if there is none. The query
  /// is nil if the hook fires for events only.
  public func test(_ hook: Hook, query: Query?) async throws(StoreError) -> HookOutcome {
    let now = clock.now()
    var sample: HookContent?
    if let query, let newest = try await items.items(ItemRequest(query: query, limit: 1, parts: [])).first {
      sample = .item(try await items.item(newest.item.id))
    }
    let notice = HookNotice(message: "This is a test of the hook \(hook.name).")
    let entry = HookEntry(sequence: 0, event: .test, time: now, notice: notice)
    let content = sample ?? .notice(entry, notice)
    return await send(
      [content],
      hook,
      key: "\(hook.name)-test-\(now.seconds)",
      .test,
      isDigest: hook.digest != nil
    )
  }

  /// Sends an event of the daemon itself, without the outbox and without the store, which may be the cause of
  /// the event. `key` is the part of the idempotency key after the hook's name.
  public func send(_ entry: HookEntry, to hook: Hook, key: String) async -> HookOutcome {
    guard let notice = entry.notice else { return .refused("the event has no text") }
    return await send(
      [.notice(entry, notice)],
      hook,
      key: "\(hook.name)-\(key)",
      entry.event,
      isDigest: hook.digest != nil
    )
  }

  // MARK: One attempt

  /// Returns the content of an entry; nil if its item was removed.
  private static func content(of entry: HookEntry, _ items: [NewsItem.ID: NewsItem]) -> HookContent? {
    if let id = entry.itemID { return items[id].map { .item($0) } }
    return entry.notice.map { .notice(entry, $0) }
  }

  /// A delivery whose body is written.
  private enum Prepared {
    case body(HookBody, HookEvent)
    /// The body cannot be written, because of this error.
    case failure(String)
    /// The items were removed.
    case nothing
  }

  private func prepare(
    _ delivery: HookDelivery,
    _ items: [NewsItem.ID: NewsItem],
    _ hook: Hook
  ) -> Prepared {
    let contained = delivery.entries.compactMap { entry in
      Self.content(of: entry, items).map { (entry, $0) }
    }
    guard let first = contained.first else { return .nothing }
    let event = contained.count == 1 ? first.0.event : .item
    return prepare(contained.map(\.1), hook, key: delivery.key, event, isDigest: delivery.isDigest)
  }

  private func prepare(
    _ contents: [HookContent],
    _ hook: Hook,
    key: String,
    _ event: HookEvent,
    isDigest: Bool
  ) -> Prepared {
    do {
      return .body(try renderer.body(of: contents, for: hook, key: key, isDigest: isDigest), event)
    } catch {
      return .failure("the body cannot be written: \(error)")
    }
  }

  /// Returns nil if there is nothing to send.
  private func send(_ prepared: Prepared, _ hook: Hook, key: String) async -> HookOutcome? {
    switch prepared {
    case .body(let body, let event): await sender.send(body, for: hook, key: key, event: event)
    case .failure(let error): .failed(error, wait: nil)
    case .nothing: nil
    }
  }

  private func send(
    _ contents: [HookContent],
    _ hook: Hook,
    key: String,
    _ event: HookEvent,
    isDigest: Bool
  ) async -> HookOutcome {
    let prepared = prepare(contents, hook, key: key, event, isDigest: isDigest)
    return await send(prepared, hook, key: key) ?? .refused("the event has no text")
  }

  private func settlement(
    of outcome: HookOutcome,
    _ delivery: HookDelivery,
    _ isTrusted: (Timestamp) -> Bool
  ) -> HookSettlement {
    switch outcome {
    case .delivered: return .delivered
    case .refused(let error): return .givenUp(error)
    case .failed(let error, let asked):
      let now = clock.now()
      let oldest = delivery.entries.first?.time ?? now
      if now - oldest >= HookBackoff.lifetime, isTrusted(now) { return .givenUp(error) }
      let wait = HookBackoff.wait(attempts: delivery.attempts + 1, random: random())
      let pause = HookBackoff.pause(failures: delivery.hookFailures + 1, random: random())
      return .postponed(error, wait: max(wait, asked ?? 0), pause: max(pause, asked ?? 0))
    }
  }
}
