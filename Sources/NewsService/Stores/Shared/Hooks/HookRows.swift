package import NewsCore
import NewsToolbox

/// The part of a hook's configuration that a store keeps.
package struct StoredHook: Hashable, Sendable {
  package var name: String
  package var query: String?
  package var events: String
  package var failingAfter: Int64
  package var takesBacklog: Bool

  package init(_ hook: Hook) {
    name = hook.name
    query = hook.query
    events = hook.events.map(\.rawValue).sorted().joined(separator: " ")
    failingAfter = hook.failingAfter
    takesBacklog = hook.takesBacklog
  }

  /// The events that this version knows.
  package var eventSet: Set<HookEvent> {
    Set(events.split(ascii: " ").compactMap { HookEvent(rawValue: String($0)) })
  }

  /// The columns of a `StoredHook`, which are the first columns of a row.
  package static let columns = "name, query, events, failing_after, takes_backlog"

  package init(_ row: borrowing some StoreRow & ~Copyable) {
    name = row.string(0)
    query = row.optionalString(1)
    events = row.string(2)
    failingAfter = row.int64(3)
    takesBacklog = row.bool(4)
  }
}

/// Reads rows of the outbox.
package enum HookOutboxRow {
  package static let columns = "sequence, event, time, item, notice"

  /// Reads a delivery of one entry from its columns, `attempts` and `due`.
  package static func delivery(_ row: borrowing some StoreRow & ~Copyable, of hook: String) -> HookDelivery? {
    guard let entry = entry(row) else { return nil }
    return HookDelivery(
      hook: hook,
      entries: [entry],
      number: entry.sequence,
      isDigest: false,
      due: row.int64(6),
      attempts: row.count(5)
    )
  }

  /// Reads an entry from the first columns of a row. Returns nil if a later version of newsd wrote its event.
  package static func entry(_ row: borrowing some StoreRow & ~Copyable) -> HookEntry? {
    guard let event = HookEvent(rawValue: row.string(1)) else { return nil }
    return HookEntry(
      sequence: row.int64(0),
      event: event,
      time: row.time(2) ?? Timestamp(seconds: 0),
      itemID: row.optionalInt64(3).map(NewsItem.ID.init(rawValue:)),
      notice: row.optionalString(4).flatMap(HookNotice.init(stored:))
    )
  }
}

extension HookNotice {
  package var storedText: String {
    JSONValue.object(of: [
      "message": .string(message), "feed_id": feedID.map { .integer($0.rawValue) },
      "feed": feedTitle.map(JSONValue.string), "feed_url": feedURL.map(JSONValue.string),
    ]).serialized
  }

  fileprivate init?(stored text: String) {
    guard let value = JSONValue(valid: text), let message = value["message"]?.string else { return nil }
    self.init(message: message)
    feedID = value["feed_id"]?.integer.map(Feed.ID.init(rawValue:))
    feedTitle = value["feed"]?.string
    feedURL = value["feed_url"]?.string
  }

  /// Creates a notice about a feed.
  package init(_ message: String, about feed: Feed) {
    self.init(message: message)
    feedID = feed.id
    feedTitle = WebAddress.redacted(feed.title)
    feedURL = WebAddress.redacted(feed.url)
  }

  /// Returns the notice about a feed whose URL has changed.
  package static func moved(_ feed: Feed, from former: String) -> HookNotice {
    let message = "\(WebAddress.redacted(feed.title)) has moved from \(WebAddress.redacted(former))"
    return HookNotice("\(message) to \(WebAddress.redacted(feed.url))", about: feed)
  }
}
