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
  /// Maximum number of bytes of the texts in a digest, unless it has one item only; further entries follow in another one.
  public static let digestBytes = 16 << 20
  /// The bytes of text that are read at a time. A larger delivery needs memory of `memory`.
  static let portionBytes = 1 << 18
  private static let portionLength = 64
  /// A text is there about so often while its item is read and the body is written.
  private static let copies = 4
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
  private let memory: MemoryBudget
  private let account: String
  private let clock: any WallClock
  private let offset: @Sendable (Timestamp) -> Int
  private let random: @Sendable () -> Double

  /// `memory` is that of large deliveries, of which those of an account take turns with those of others. For digests, `offset`
  /// returns the local zone's offset from UTC at a time, in seconds. `random` returns a number in 0..<1.
  public init(
    store: any HookKeeping,
    items: any ItemReading,
    sender: HookSender,
    renderer: any HookRendering,
    memory: MemoryBudget,
    account: String,
    clock: any WallClock,
    offset: @escaping @Sendable (Timestamp) -> Int,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.store = store
    self.items = items
    self.sender = sender
    self.renderer = renderer
    self.memory = memory
    self.account = account
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
    var granted: Grant?
    while true {
      let start = ContinuousClock.now
      let deliveries = ahead.isEmpty ? try await take(limit, of: hook) : ahead
      guard let last = deliveries.last else { return }
      // After many there are probably more: they are taken while the target answers.
      async let following =
        deliveries.count < Self.firstBatch || last.isDigest ? [] : takeAhead(limit, of: hook, after: last)
      let round = try await attempt(deliveries, hook, since: start, &granted, isCurrent, isTrusted)
      granted = nil
      let results = round.results
      ahead = await following
      if !results.isEmpty { try await store.settle(results, at: clock.now()) }
      for event in round.events { report(event) }
      var mustStop = Task.isCancelled || !isCurrent()
      if case .postponed? = results.last?.settlement { mustStop = true }
      // After a long pause of this process, another one may hold the deliveries: do not release them.
      let isHeld = .now - start < .seconds(Self.holdMargin)
      if results.count < deliveries.count || mustStop || !isHeld {
        if isHeld { try await store.release(Array(deliveries[results.count...]) + ahead) }
        ahead = []
      }
      if mustStop { return }
      // Others may make deliveries that wait for memory, so they are not held.
      if let bytes = round.missing {
        guard let claim = await memory.claim(bytes, of: account) else { return }
        // The store may be slow: a turn beside the limit ends all the same.
        claim.made(bytes)
        granted = Grant(claim: claim, bytes: bytes)
      }
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

  /// Memory for the next delivery.
  private struct Grant {
    var claim: MemoryBudget.Claim
    var bytes: Int
  }

  /// What was done of deliveries that were taken together.
  private struct Round {
    var results: [(delivery: HookDelivery, settlement: HookSettlement)] = []
    var events: [Event] = []
    /// The bytes of memory that the next delivery needs and has not; nil: the round has ended for another reason.
    var missing: Int?
  }

  /// Makes the deliveries until one is postponed, `span` has passed, the settings change, the task is cancelled, or a delivery needs
  /// more memory than `granted`, which it uses up.
  private func attempt(
    _ deliveries: [HookDelivery],
    _ hook: Hook,
    since start: ContinuousClock.Instant,
    _ granted: inout Grant?,
    _ isCurrent: () -> Bool,
    _ isTrusted: (Timestamp) -> Bool
  ) async throws(StoreError) -> Round {
    var round = Round()
    var rest = deliveries[...]
    while !rest.isEmpty {
      var portion: Portion
      do throws(StoreError) {
        portion = try await self.portion(of: rest)
        let bytes = Self.copies * portion.bytes
        guard !portion.isLarge || bytes <= granted?.bytes ?? 0 else {
          round.missing = bytes
          return round
        }
        try await read(&portion)
      } catch {
        // What was delivered must be settled.
        guard round.results.isEmpty else { return round }
        throw error
      }
      rest = rest.dropFirst(portion.deliveries.count)
      guard await deliver(&portion, hook, since: start, granted, &round, isCurrent, isTrusted) else {
        return round
      }
      if portion.isLarge { granted = nil }
    }
    return round
  }

  /// Makes the deliveries of a portion. Returns false if no further one may be made now.
  private func deliver(
    _ portion: inout Portion,
    _ hook: Hook,
    since start: ContinuousClock.Instant,
    _ granted: Grant?,
    _ round: inout Round,
    _ isCurrent: () -> Bool,
    _ isTrusted: (Timestamp) -> Bool
  ) async -> Bool {
    var request = prepare(portion.unwritten.popLast(), hook)
    // From now on, only the body is in memory.
    if portion.isLarge { granted?.claim.made(request.byteCount) }
    for delivery in portion.deliveries {
      guard !Task.isCancelled, isCurrent(), round.results.isEmpty || .now - start < Self.span else {
        return false
      }
      // The next body is written while the target answers.
      let following = portion.unwritten.popLast()
      async let next = prepare(following, hook)
      let sent = await send(request, hook, key: delivery.key)
      request = await next
      guard let outcome = sent else {
        round.results.append((delivery, .gone))
        continue
      }
      // Shutting down interrupted the attempt: do not count it.
      if Task.isCancelled, case .failed = outcome { return false }
      let settlement = settlement(of: outcome, delivery, isTrusted)
      round.results.append((delivery, settlement))
      var event = Event(hook: hook.name, key: delivery.key, outcome: outcome, isGivenUp: false)
      if case .givenUp = settlement { event.isGivenUp = true }
      round.events.append(event)
      if case .postponed = settlement { return false }
    }
    return true
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
    let key = "\(hook.name)-test-\(now.seconds)"
    var newest: NewsItem.ID?
    if let query {
      newest = try await items.items(ItemRequest(query: query, limit: 1, parts: [])).first?.item.id
    }
    let bytes = try await items.textSizes(of: newest.map { [$0] } ?? [], within: .max).first ?? 0
    let claim = bytes > Self.portionBytes ? await memory.claim(Self.copies * bytes, of: account) : nil
    defer { withExtendedLifetime(claim) {} }
    claim?.made(Self.copies * bytes)
    let prepared = prepare(
      [try await sample(newest, hook, at: now)],
      hook,
      key: key,
      .test,
      isDigest: hook.digest != nil
    )
    claim?.made(prepared.byteCount)
    return await send(prepared, hook, key: key) ?? .refused("the event has no text")
  }

  /// Returns the item, or an example.
  private func sample(
    _ item: NewsItem.ID?,
    _ hook: Hook,
    at now: Timestamp
  ) async throws(StoreError) -> HookContent {
    if let item { return .item(try await items.item(item)) }
    let notice = HookNotice(message: "This is a test of the hook \(hook.name).")
    return .notice(HookEntry(sequence: 0, event: .test, time: now, notice: notice), notice)
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

  // MARK: Portions

  /// Deliveries whose items are read together: those with texts of `portionBytes` at most, or a larger one.
  private struct Portion {
    /// A delivery, with the contents of its entries whose items exist.
    struct Unwritten {
      var delivery: HookDelivery
      var contents: [(entry: HookEntry, content: HookContent)]
    }

    let deliveries: ArraySlice<HookDelivery>
    /// The items that are read as a whole.
    let whole: ArraySlice<NewsItem.ID>
    /// The bytes of their texts.
    let bytes: Int
    /// Further items of a digest, which have grown since its entries were fixed. They are read without their texts.
    let headlines: ArraySlice<NewsItem.ID>
    /// The deliveries without a body, from the last on.
    var unwritten: [Unwritten] = []

    var isLarge: Bool { bytes > HookRunner.portionBytes }
  }

  /// Returns the first portion of deliveries, without its items.
  private func portion(of deliveries: ArraySlice<HookDelivery>) async throws(StoreError) -> Portion {
    let (first, isDigest) = (deliveries.first?.itemIDs ?? [], deliveries.first?.isDigest == true)
    let limit = isDigest ? Self.digestBytes : Self.portionBytes
    // Few texts are so short that more fit.
    let deliveries = isDigest ? deliveries : deliveries.prefix(Self.portionLength)
    let ids = deliveries.flatMap(\.itemIDs)
    let sizes = try await items.textSizes(of: ids, within: limit)
    var count = sizes.fitting(in: limit)
    // A large delivery comes first in its portion.
    if first.isEmpty, count == 1, sizes[0] > limit { count = 0 }
    var left = count
    let end = deliveries.firstIndex {
      left -= $0.itemIDs.count
      return left < 0
    }
    return Portion(
      deliveries: isDigest ? deliveries : deliveries[..<(end ?? deliveries.endIndex)],
      whole: ids.prefix(count),
      bytes: sizes.prefix(count).reduce(0, +),
      headlines: isDigest ? ids.dropFirst(count) : []
    )
  }

  private func read(_ portion: inout Portion) async throws(StoreError) {
    var found = try await items.items(Array(portion.whole), parts: .all)
    let headlines = try await items.items(Array(portion.headlines), parts: .headlineText)
    found.merge(headlines) { whole, _ in whole }
    portion.unwritten = portion.deliveries.reversed().map { delivery in
      Portion.Unwritten(
        delivery: delivery,
        contents: delivery.entries.compactMap { entry in
          Self.content(of: entry, found).map { (entry: entry, content: $0) }
        }
      )
    }
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

    var byteCount: Int {
      guard case .body(let body, _) = self else { return 0 }
      return body.bytes.count + body.next.count + (body.url?.utf8.count ?? 0)
    }
  }

  private func prepare(_ unwritten: Portion.Unwritten?, _ hook: Hook) -> Prepared {
    guard let unwritten, let first = unwritten.contents.first else { return .nothing }
    let event = unwritten.contents.count == 1 ? first.entry.event : .item
    return prepare(
      unwritten.contents.map(\.content),
      hook,
      key: unwritten.delivery.key,
      event,
      isDigest: unwritten.delivery.isDigest
    )
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
