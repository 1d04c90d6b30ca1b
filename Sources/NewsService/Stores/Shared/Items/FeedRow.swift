package import NewsCore

/// Converts rows of the `feeds` table to `Feed` values.
package enum FeedRow {
  package static let columns =
    "id, url, coalesce(user_title, own_title, url), site_url, folder, position, items, unread, settings, "
    + stateColumns.joined(separator: ", ")
  /// True for the feeds of `FailureReport`.
  package static let isFailing =
    "(failures > 0 OR is_gone <> 0 OR next_due_reason = '\(DueReason.networkDown)') AND NOT \(FeedSettings.pausedCondition)"
  package static let columnCount = 9 + Int32(stateColumns.count)

  package static func feed(_ row: borrowing some StoreRow & ~Copyable) -> Feed {
    Feed(
      id: Feed.ID(rawValue: row.int64(0)),
      url: row.string(1),
      title: title(row.string(2)),
      siteURL: row.optionalString(3),
      folder: row.optionalString(4),
      position: row.count(5),
      itemCount: row.count(6),
      unreadCount: row.count(7),
      settings: FeedSettings(stored: row.optionalString(8)),
      fetchState: state(row)
    )
  }

  /// Returns the title. If the title is the feed's URL, redacts the password in it.
  private static func title(_ text: String) -> String {
    text.utf8.contains(0x40) ? WebAddress.redacted(text) : text
  }

  private static func state(_ row: borrowing some StoreRow & ~Copyable) -> FetchState {
    var state = FetchState.unfetched
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
    state.failures = row.count(18)
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
        polls: row.count(29)
      )
    } else if let first = row.time(28) {
      state.gone = GoneAnswers(firstSeen: first, polls: row.count(29))
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

  package static func cooldown(_ row: borrowing some StoreRow & ~Copyable, host: Int32, until: Int32)
    -> HostCooldown?
  {
    guard let host = row.optionalString(host), let until = row.time(until) else { return nil }
    return HostCooldown(host: host, until: until)
  }

  /// The columns of the fetch state, in the order of `values(of:)`. Without a `moved_url`, `moved_since` and `moved_polls` are of
  /// answers 410: after one, no redirect is remembered.
  private static let stateColumns = [
    "etag", "last_modified", "validated_url", "body_hash", "next_due", "next_due_reason", "last_fetched",
    "last_status", "last_success", "failures", "failing_since", "last_error", "interval", "ttl", "skip_hours",
    "skip_days", "update_interval", "update_base", "moved_url", "moved_since", "moved_polls", "is_gone",
    "max_age", "hold_host", "hold_until", "former_url", "former_changed", "hub_url", "topic_url",
    "rejected_move",
  ]

  /// The statement that saves the result of a refresh, with the values of `update(_:added:unread:)`.
  package static let update: String = {
    let state = stateColumns.enumerated().map { "\($0.element) = $\($0.offset + 1)" }.joined(separator: ", ")
    let next = stateColumns.count + 1
    return """
      UPDATE feeds SET \(state), own_title = coalesce($\(next), own_title),
        site_url = coalesce($\(next + 1), site_url), items = items + CAST($\(next + 2) AS bigint),
        unread = unread + CAST($\(next + 3) AS bigint)
      WHERE id = $\(next + 4)
      """
  }()

  package static func update(_ record: RefreshRecord, added: Int, unread: Int) -> [StoreValue] {
    values(of: record.state) + [
      StoreValue(record.parsed?.title.flatMap { $0.isEmpty ? nil : $0 }),
      StoreValue(record.parsed?.storedSite),
      StoreValue(added), StoreValue(unread), record.feedID.storeValue,
    ]
  }

  private static func values(of state: FetchState) -> [StoreValue] {
    [
      StoreValue(state.validators?.etag),
      StoreValue(state.validators?.lastModified),
      StoreValue(state.validators?.url),
      StoreValue(state.bodyHash.map(Int64.init(bitPattern:))),
      StoreValue(state.nextDue),
      StoreValue(state.nextDueReason?.description),
      StoreValue(state.lastFetched),
      StoreValue(state.lastStatus.map(Int64.init)),
      StoreValue(state.lastSuccess),
      StoreValue(state.failures),
      StoreValue(state.failingSince),
      StoreValue(state.lastError),
      StoreValue(state.interval),
      StoreValue(state.hints.ttl.map(Int64.init)),
      StoreValue(Int64(state.hints.skipHours)),
      StoreValue(Int64(state.hints.skipDays)),
      StoreValue(state.hints.updateInterval),
      StoreValue(state.hints.updateBase),
      StoreValue(state.movedTo?.url),
      StoreValue(state.movedTo?.firstSeen ?? state.gone?.firstSeen),
      StoreValue((state.movedTo?.polls ?? state.gone?.polls).map(Int64.init)),
      StoreValue(state.isGone),
      StoreValue(state.maxAge),
      StoreValue(state.cooldown?.host),
      StoreValue(state.cooldown?.until),
      StoreValue(state.movedFrom?.url),
      StoreValue(state.movedFrom?.changed),
      StoreValue(state.hub?.hub),
      StoreValue(state.hub?.topic),
      StoreValue(state.rejectedMove),
    ]
  }
}

extension ParsedFeed {
  /// The site, unless its address is longer than those of feeds.
  package var storedSite: String? { homePageURL.flatMap { $0.utf8.count <= TypedAddress.longest ? $0 : nil } }
}
