/// Delivers the outbox of a hook: one delivery at a time, oldest first.
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
  /// Seconds beyond the hook's timeout for which a delivery is held. They cover reading the items, ending a program that
  /// ignores SIGTERM, and storing the result.
  private static let holdMargin: Int64 = 60

  private let store: any HookKeeping
  private let items: any ItemReading
  private let sender: HookSender
  private let renderer: any HookRendering
  private let clock: any WallClock
  private let offset: @Sendable (Timestamp) -> Int
  private let random: @Sendable () -> Double

  /// - Parameters:
  ///   - store: The outbox.
  ///   - items: Reads the items to deliver.
  ///   - sender: Makes attempts.
  ///   - renderer: Writes bodies.
  ///   - clock: The time.
  ///   - offset: The local zone's offset from UTC at a time, in seconds, for digests.
  ///   - random: A number in 0..<1.
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

  /// Delivers until nothing is due, an attempt fails and is postponed, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - hook: The hook.
  ///   - report: Called after each attempt.
  /// - Throws: When the store cannot be read or written.
  public func drain(_ hook: Hook, report: @Sendable (Event) -> Void) async throws(StoreError) {
    while !Task.isCancelled {
      let now = clock.now()
      let boundary = hook.digest?.latest(notAfter: now, offset: offset)
      let next = try await store.nextDelivery(
        of: hook.name,
        at: now,
        before: boundary,
        hold: HookSender.timeout(of: hook) + Self.holdMargin
      )
      guard var delivery = next else { return }
      // Shutting down: start no attempt.
      guard !Task.isCancelled else { return try await store.release(delivery) }
      let (contents, gone) = try await contents(of: delivery)
      if !gone.isEmpty {
        try await store.discard(gone, of: hook.name)
        delivery.entries.removeAll { gone.contains($0) }
      }
      guard !contents.isEmpty else { continue }
      let outcome = await attempt(contents, delivery, hook)
      // Shutting down interrupted the attempt: do not count it.
      if Task.isCancelled, case .failed = outcome { return try await store.release(delivery) }
      let settlement = settlement(of: outcome, delivery)
      try await store.settle(delivery, settlement, at: clock.now())
      var event = Event(hook: hook.name, key: delivery.key, outcome: outcome, isGivenUp: false)
      if case .givenUp = settlement { event.isGivenUp = true }
      report(event)
      if case .postponed = settlement { return }
    }
  }

  /// Sends a sample: the newest item that the hook's query selects, or an example if there is none.
  ///
  /// - Parameters:
  ///   - hook: The hook.
  ///   - query: The hook's query; nil if the hook fires for events only.
  /// - Returns: How the attempt ended.
  /// - Throws: When the store cannot be read.
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

  /// Sends an event of the daemon itself, without the outbox and without the store, which may be the cause of the event.
  ///
  /// - Parameters:
  ///   - entry: The event, with a notice.
  ///   - hook: The hook.
  ///   - key: The part of the idempotency key after the hook's name.
  /// - Returns: How the attempt ended.
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

  private func contents(
    of delivery: HookDelivery
  ) async throws(StoreError) -> (contents: [HookContent], gone: [HookEntry]) {
    var contents: [HookContent] = []
    var gone: [HookEntry] = []
    for entry in delivery.entries {
      if let id = entry.itemID {
        if let item = try await item(id) { contents.append(.item(item)) } else { gone.append(entry) }
      } else if let notice = entry.notice {
        contents.append(.notice(entry, notice))
      } else {
        gone.append(entry)
      }
    }
    return (contents, gone)
  }

  /// Reads an item; returns nil if the item was removed.
  private func item(_ id: NewsItem.ID) async throws(StoreError) -> NewsItem? {
    do {
      return try await items.item(id)
    } catch {
      if error.code == .noSuchItem { return nil }
      throw error
    }
  }

  private func attempt(_ contents: [HookContent], _ delivery: HookDelivery, _ hook: Hook) async -> HookOutcome
  {
    let event = delivery.entries.count == 1 ? delivery.entries[0].event : .item
    return await send(contents, hook, key: delivery.key, event, isDigest: delivery.isDigest)
  }

  private func send(
    _ contents: [HookContent],
    _ hook: Hook,
    key: String,
    _ event: HookEvent,
    isDigest: Bool
  ) async -> HookOutcome {
    let body: HookBody
    do {
      body = try renderer.body(of: contents, for: hook, key: key, isDigest: isDigest)
    } catch {
      return .failed("the body cannot be written: \(error)", wait: nil)
    }
    return await sender.send(body, for: hook, key: key, event: event)
  }

  private func settlement(of outcome: HookOutcome, _ delivery: HookDelivery) -> HookSettlement {
    switch outcome {
    case .delivered: return .delivered
    case .refused(let error): return .givenUp(error)
    case .failed(let error, let asked):
      let first = delivery.firstTry ?? clock.now()
      guard clock.now() - first < HookBackoff.lifetime else { return .givenUp(error) }
      let wait = HookBackoff.wait(attempts: delivery.attempts + 1, random: random())
      let pause = HookBackoff.pause(failures: delivery.hookFailures + 1, random: random())
      return .postponed(error, wait: max(wait, asked ?? 0), pause: max(pause, asked ?? 0))
    }
  }
}
