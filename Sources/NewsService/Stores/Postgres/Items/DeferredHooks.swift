import NewsStoresShared
import NewsCore

/// Collects the outbox entries of a writing transaction until the store is locked. The entries contain numbers of the
/// change log, which are only known then.
final class DeferredHooks: HookSession {
  private let connection: Connection
  private let definitions: Definitions
  /// The feeds as the transaction last read them.
  var feeds: [Feed.ID: PlannedFeed] = [:]
  private var entries: [(hook: String, entry: HookEntry)] = []
  private var errors: [(hook: String, error: String)] = []

  init(_ connection: Connection, _ definitions: Definitions) {
    self.connection = connection
    self.definitions = definitions
  }

  func activeHooks() throws(StoreError) -> [StoredHook] { definitions.hooks }

  func savedQuery(_ name: String) throws(StoreError) -> String? { definitions.savedQuery(name) }

  func noteError(_ error: String, of hook: String) throws(StoreError) { errors.append((hook, error)) }

  func feed(_ id: Feed.ID) throws(StoreError) -> Feed? {
    if let planned = feeds[id] { return planned.feed }
    return try connection.feed(id)
  }

  func state(of id: NewsItem.ID) throws(StoreError) -> InitialState? { try connection.state(of: id) }

  func add(_ entry: HookEntry, to hook: String) throws(StoreError) { entries.append((hook, entry)) }

  /// Writes the collected entries, with `base` added to their numbers.
  func write(after base: Int64) throws(StoreError) {
    for (hook, error) in errors { try connection.noteError(error, of: hook) }
    errors = []
    guard !entries.isEmpty else { return }
    let added = entries
    entries = []
    try connection.post(
      """
      INSERT INTO outbox (hook, sequence, event, time, item, notice, due)
      SELECT hook, sequence, event, time, item, notice, time
      FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])
        AS u(hook, sequence, event, time, item, notice)
      ON CONFLICT DO NOTHING
      """,
      StoreValue.array(added.map { Optional($0.hook) }),
      StoreValue.array(added.map { base + $0.entry.sequence }),
      StoreValue.array(added.map { Optional($0.entry.event.rawValue) }),
      StoreValue.array(added.map(\.entry.time.seconds)),
      StoreValue.array(added.map { $0.entry.itemID?.rawValue }),
      StoreValue.array(added.map { $0.entry.notice?.storedText })
    )
  }
}
