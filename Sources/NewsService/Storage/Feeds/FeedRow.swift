import NewsCore

/// Converts rows of the `feeds` table to `Feed` values.
enum FeedRow {
  static let columns = """
    id, url, coalesce(user_title, own_title, url), site_url, folder, position, items, unread, settings, \
    etag, last_modified, validated_url, body_hash, next_due, next_due_reason, last_fetched, last_status, \
    last_success, failures, failing_since, last_error, interval, ttl, skip_hours, skip_days, update_interval, \
    update_base, moved_url, moved_since, moved_polls, is_gone, max_age, hold_host, hold_until, \
    former_url, former_changed, hub_url, topic_url, \
    rejected_move
    """

  static func feed(_ row: borrowing Statement) -> Feed {
    Feed(
      id: Feed.ID(rawValue: row.int64(0)),
      url: row.string(1),
      title: title(row.string(2)),
      siteURL: row.optionalString(3),
      folder: row.optionalString(4),
      position: row.int(5),
      itemCount: row.int(6),
      unreadCount: row.int(7),
      settings: FeedSettings(stored: row.optionalString(8)),
      fetchState: state(row)
    )
  }

  /// The title. If the feed's URL stands in for it, the URL's password is redacted.
  private static func title(_ text: String) -> String {
    text.utf8.contains(0x40) ? WebAddress.redacted(text) : text
  }

  private static func state(_ row: borrowing Statement) -> FetchState {
    var state = FetchState()
    if let url = row.optionalString(11) {
      state.validators = Validators(
        etag: row.optionalString(9),
        lastModified: row.optionalString(10),
        url: url
      )
    }
    state.bodyHash = row.optionalInt64(12).map(UInt64.init(bitPattern:))
    state.nextDue = row.time(13)
    state.nextDueReason = row.optionalString(14).flatMap { DueReason($0) }
    state.lastFetched = row.time(15)
    state.lastStatus = row.optionalInt64(16).map(Int.init)
    state.lastSuccess = row.time(17)
    state.failures = row.int(18)
    state.failingSince = row.time(19)
    state.lastError = row.optionalString(20)
    state.interval = row.optionalInt64(21)
    state.hints = PollHints(
      ttl: row.optionalInt64(22).map(Int.init),
      skipHours: UInt32(truncatingIfNeeded: row.int64(23)),
      skipDays: UInt8(truncatingIfNeeded: row.int64(24)),
      updateInterval: row.optionalInt64(25),
      updateBase: row.time(26)
    )
    if let url = row.optionalString(27) {
      state.movedTo = MovedLocation(
        url: url,
        firstSeen: row.time(28) ?? Timestamp(seconds: 0),
        polls: row.int(29)
      )
    }
    state.isGone = row.bool(30)
    state.maxAge = row.optionalInt64(31)
    state.cooldown = cooldown(row, host: 32, until: 33)
    if let url = row.optionalString(34) {
      state.movedFrom = FormerURL(url: url, changed: row.time(35) ?? Timestamp(seconds: 0))
    }
    if let hub = row.optionalString(36) {
      state.hub = HubOffer(topic: row.string(37), hub: hub)
    }
    state.rejectedMove = row.optionalString(38)
    return state
  }

  static func cooldown(_ row: borrowing Statement, host: Int32, until: Int32) -> HostCooldown? {
    guard let host = row.optionalString(host), let until = row.time(until) else { return nil }
    return HostCooldown(host: host, until: until)
  }

  /// Assignments to every column of the fetch state, in the order of the parameters in `bind`.
  static let stateAssignments = """
    etag = ?, last_modified = ?, validated_url = ?, body_hash = ?, next_due = ?, next_due_reason = ?, \
    last_fetched = ?, last_status = ?, last_success = ?, failures = ?, failing_since = ?, last_error = ?, \
    interval = ?, ttl = ?, skip_hours = ?, skip_days = ?, update_interval = ?, update_base = ?, moved_url = ?, \
    moved_since = ?, moved_polls = ?, is_gone = ?, max_age = ?, hold_host = ?, hold_until = ?, former_url = ?, \
    former_changed = ?, hub_url = ?, topic_url = ?, rejected_move = ?
    """
  static let stateParameters: Int32 = 30

  static func bind(_ state: FetchState, to statement: borrowing Statement) throws(StoreError) {
    try statement.bind(1, state.validators?.etag)
    try statement.bind(2, state.validators?.lastModified)
    try statement.bind(3, state.validators?.url)
    try statement.bind(4, state.bodyHash.map(Int64.init(bitPattern:)))
    try statement.bind(5, state.nextDue)
    try statement.bind(6, state.nextDueReason?.description)
    try statement.bind(7, state.lastFetched)
    try statement.bind(8, state.lastStatus.map(Int64.init))
    try statement.bind(9, state.lastSuccess)
    try statement.bind(10, state.failures)
    try statement.bind(11, state.failingSince)
    try statement.bind(12, state.lastError)
    try statement.bind(13, state.interval)
    try statement.bind(14, state.hints.ttl.map(Int64.init))
    try statement.bind(15, Int64(state.hints.skipHours))
    try statement.bind(16, Int64(state.hints.skipDays))
    try statement.bind(17, state.hints.updateInterval)
    try statement.bind(18, state.hints.updateBase)
    try statement.bind(19, state.movedTo?.url)
    try statement.bind(20, state.movedTo?.firstSeen)
    try statement.bind(21, state.movedTo.map { Int64($0.polls) })
    try statement.bind(22, state.isGone)
    try statement.bind(23, state.maxAge)
    try statement.bind(24, state.cooldown?.host)
    try statement.bind(25, state.cooldown?.until)
    try statement.bind(26, state.movedFrom?.url)
    try statement.bind(27, state.movedFrom?.changed)
    try statement.bind(28, state.hub?.hub)
    try statement.bind(29, state.hub?.topic)
    try statement.bind(30, state.rejectedMove)
  }
}

/// A row of `counters`: the last number assigned of a kind, or a total.
enum Counter: String {
  case feed, item, sequence, items, unread, starred
  /// Incremented when the scheduler must reload the list of feeds.
  case feedList

  func value(_ connection: Connection) throws(StoreError) -> Int64 {
    try connection.integer("SELECT value FROM counters WHERE name = '\(rawValue)'") ?? 0
  }

  /// Adds `amount` and returns the new value.
  @discardableResult
  func add(_ amount: Int64, _ connection: Connection) throws(StoreError) -> Int64 {
    guard amount != 0 else { return try value(connection) }
    let statement = try connection.prepare(
      "UPDATE counters SET value = value + ?1 WHERE name = '\(rawValue)' RETURNING value"
    )
    try statement.bind(1, amount)
    guard try statement.step() else { return 0 }
    return statement.int64(0)
  }
}
