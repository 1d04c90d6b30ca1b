/// Keeps the outbox of hooks. Rows for items are written in the transaction that stores the items.
public protocol HookKeeping: Sendable {
  /// Registers hooks in the store: they fire for items stored from now on. If the list is complete, other
  /// hooks in the store no longer fire; their undelivered entries are kept.
  func register(_ hooks: [Hook], isComplete: Bool) async throws(StoreError)

  /// Takes the next deliveries of a hook that are due, in the order in which they became due. Only one after a failure,
  /// and none while another process holds one of them, so that the order is kept.
  ///
  /// - Parameters:
  ///   - hook: The name.
  ///   - now: The time.
  ///   - boundary: For digests: entries from before this time are sent together, as one delivery. Nil: each entry by
  ///     itself.
  ///   - last: The last delivery that the caller has taken and not yet settled: only those after it are taken. Nil: it has
  ///     none.
  ///   - limit: Maximum number of deliveries.
  ///   - hold: Seconds for which no other process gets the deliveries, unless they are settled or released before.
  /// - Returns: The deliveries; empty if none is due.
  /// - Throws: When the store cannot be read or written.
  func takeDeliveries(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp?,
    after last: HookDelivery?,
    limit: Int,
    hold: Int64
  ) async throws(StoreError) -> [HookDelivery]

  /// Gives back deliveries of a hook that were not attempted or whose attempt was interrupted, so that the next process
  /// makes them at once.
  func release(_ deliveries: [HookDelivery]) async throws(StoreError)

  /// Records how attempts of a hook ended, in their order. At most the last one was postponed.
  func settle(_ results: [(delivery: HookDelivery, settlement: HookSettlement)], at now: Timestamp)
    async throws(StoreError)

  /// Gives up the entries of a hook that are too many, and, `byAge`, entries that are too old; removes the oldest failed ones
  /// beyond a number. Entries and hooks that wait for a time that only a wrong clock can have set become due; the entries
  /// count as added now if they are dated later. Returns the number of entries that were given up.
  func trimOutbox(of hook: String, at now: Timestamp, byAge: Bool) async throws(StoreError) -> Int

  /// Returns the hooks that are registered in the store, by name.
  func hookStates() async throws(StoreError) -> [HookState]

  /// Returns the entries whose delivery failed and is not tried again, by hook, oldest first.
  func failedEntries() async throws(StoreError) -> [FailedHookEntry]

  /// Makes the undelivered entries of a hook, or of all hooks (nil), due now, also if they wait for their
  /// next attempt, and ends pauses. Returns the number of entries that were not due.
  func retryHook(_ name: String?, at now: Timestamp) async throws(StoreError) -> Int

  /// Removes the undelivered entries of a hook, and then the hook if it has no entries and is not in the
  /// configuration. With `onlyFailed`, waiting deliveries stay. Returns the number of deliveries.
  func dropHook(_ name: String, onlyFailed: Bool) async throws(StoreError) -> Int
}

/// Keeps the hooks that were added on the page.
public protocol PageHookKeeping: Sendable {
  /// Returns them, by name, at most `PageHook.most`.
  func pageHooks() async throws(StoreError) -> [PageHook]
  /// Adds a hook, or replaces the one with its name.
  func keep(_ hook: PageHook) async throws(StoreError)
  /// Removes a hook. Its undelivered entries are kept.
  func removePageHook(_ name: String) async throws(StoreError)
}

/// The stored state of a hook.
public struct HookState: Hashable, Sendable {
  public var name: String
  /// True while the configuration contains the hook.
  public var isActive: Bool
  public var pending: Int
  /// When the event of the oldest pending entry happened.
  public var oldest: Timestamp?
  public var failed: Int
  public var delivered: Int64
  public var lastDelivered: Timestamp?
  public var lastError: String?
  public var lastErrorTime: Timestamp?
  /// The end of the hook's pause after failed attempts.
  public var nextTry: Timestamp?

  public init(name: String, isActive: Bool = true) {
    self.name = name
    self.isActive = isActive
    pending = 0
    failed = 0
    delivered = 0
  }
}

/// A delivery that failed and is not tried again.
public struct FailedHookEntry: Hashable, Sendable {
  public var hook: String
  public var entry: HookEntry
  /// The item's title, or the event's message.
  public var title: String
  public var attempts: Int
  public var error: String

  public init(hook: String, entry: HookEntry, title: String, attempts: Int, error: String) {
    self.hook = hook
    self.entry = entry
    self.title = title
    self.attempts = attempts
    self.error = error
  }

  /// The idempotency key of its requests. For an entry of a digest, only the last entry's `key` is that of
  /// the requests.
  public var key: String { "\(hook)-\(entry.sequence)" }
}

/// Writes the bodies of deliveries.
public protocol HookRendering: Sendable {
  /// Writes the body of one delivery. `contents` begin with the oldest. `isDigest`: the body is a list, even
  /// with a single entry. For `mail`, it is a message (RFC 5322). Throws when the template is wrong.
  func body(of contents: [HookContent], for hook: Hook, key: String, isDigest: Bool) throws -> HookBody
}

/// Sends the requests of hooks.
public protocol BodyPosting: Sendable {
  /// Sends the bytes by POST. HTTP error statuses are responses, not errors. Only redirects that keep the method are
  /// followed.
  func post(raw bytes: [UInt8], _ request: FetchRequest) async throws(FetchError) -> FetchResponse
  /// Sends a GET, whose response may have any type.
  func get(_ request: FetchRequest) async throws(FetchError) -> FetchResponse
}
