/// A row of the outbox: one event for one hook.
public struct HookEntry: Hashable, Sendable {
  /// The event's number in the change log. The entries of all hooks for this event have the same number.
  public var sequence: Int64
  public var event: HookEvent
  /// When the event happened.
  public var time: Timestamp
  /// The item, for events with one.
  public var itemID: NewsItem.ID?
  /// The text of an event without an item; nil for events with an item.
  public var notice: HookNotice?

  public init(
    sequence: Int64,
    event: HookEvent,
    time: Timestamp,
    itemID: NewsItem.ID? = nil,
    notice: HookNotice? = nil
  ) {
    self.sequence = sequence
    self.event = event
    self.time = time
    self.itemID = itemID
    self.notice = notice
  }
}

/// The text of an event without an item.
public struct HookNotice: Hashable, Sendable {
  /// One sentence.
  public var message: String
  /// The feed concerned; its URL has no password.
  public var feedID: Feed.ID?
  public var feedTitle: String?
  public var feedURL: String?

  public init(message: String) {
    self.message = message
  }
}

/// Entries that are sent together: one entry, or the entries of a digest.
public struct HookDelivery: Hashable, Sendable {
  public var hook: String
  /// In ascending order of `sequence`; never empty.
  public var entries: [HookEntry]
  /// The last entry's `sequence`, the same in every attempt; part of `key`.
  public var number: Int64
  public var isDigest: Bool
  /// When it became due, in seconds since 1970: deliveries are made in the order of this and of `number`. Not set for a digest.
  public var due: Int64
  /// Failed attempts so far.
  public var attempts: Int
  /// Failed attempts of the hook in a row.
  public var hookFailures: Int

  public init(
    hook: String,
    entries: [HookEntry],
    number: Int64,
    isDigest: Bool,
    due: Int64 = 0,
    attempts: Int = 0,
    hookFailures: Int = 0
  ) {
    self.hook = hook
    self.entries = entries
    self.number = number
    self.isDigest = isDigest
    self.due = due
    self.attempts = attempts
    self.hookFailures = hookFailures
  }

  /// The idempotency key, `HOOK-SEQ`.
  public var key: String { "\(hook)-\(number)" }

  /// The items of the entries that have one.
  var itemIDs: [NewsItem.ID] { entries.compactMap(\.itemID) }
}

extension [Int] {
  /// How many of the first of these sizes are `bytes` together at most, at least one.
  package func fitting(in bytes: Int) -> Int {
    var left = bytes
    let end = firstIndex { size in
      left -= size
      return left < 0
    }
    return Swift.min(count, Swift.max(1, end ?? count))
  }
}

/// The content of one entry of a delivery: its item, read from the store, or its notice.
public enum HookContent: Hashable, Sendable {
  case item(NewsItem)
  case notice(HookEntry, HookNotice)
}

/// The bytes of a delivery.
public struct HookBody: Hashable, Sendable {
  public var bytes: [UInt8]
  public var contentType: String
  /// The URL to request instead of posting the bytes; nil: the bytes are posted.
  public var url: String?
  /// The body of the second request (`Hook.NextRequest`); empty: there is none.
  public var next: [UInt8]

  public init(bytes: [UInt8], contentType: String, url: String? = nil, next: [UInt8] = []) {
    self.bytes = bytes
    self.contentType = contentType
    self.url = url
    self.next = next
  }

  /// The type of a body made by a template.
  public static func type(of bytes: [UInt8]) -> String {
    let isJSON = bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[")
    return isJSON ? "application/json" : "text/plain; charset=utf-8"
  }
}

/// How an attempt ended.
public enum HookOutcome: Hashable, Sendable {
  /// `what` describes the answer: "status 200".
  case delivered(what: String)
  /// The target refuses this delivery; it is not tried again.
  case refused(String)
  /// The delivery is tried again, or given up when it is older than `HookBackoff.lifetime`. If the target asked for a delay, the next
  /// attempt is not before `wait` seconds.
  case failed(String, wait: Int64?)
}

/// The result of an attempt to deliver, for the store.
public enum HookSettlement: Hashable, Sendable {
  case delivered
  /// The delivery's items no longer exist.
  case gone
  /// The delivery is listed as failed, with this error.
  case givenUp(String)
  /// The delivery is tried again after `wait` seconds; the hook sends nothing for `pause` seconds.
  case postponed(String, wait: Int64, pause: Int64)
}
