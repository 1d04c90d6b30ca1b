import NewsToolbox
/// Imports and exports subscription lists.
public struct SubscriptionTransfer: Sendable {
  private let coder: any SubscriptionListCoding
  private let subscriptions: any FeedKeeping
  private let searches: (any DefinitionKeeping)?
  private let rules: (any DefinitionKeeping)?
  private let clock: any WallClock
  private let check: SettingsCheck

  /// Saved searches and rules in lists are ignored without their store. `check` defines which settings are
  /// usable, and the limits for untrusted lists.
  public init(
    coder: any SubscriptionListCoding,
    subscriptions: any FeedKeeping,
    searches: (any DefinitionKeeping)? = nil,
    rules: (any DefinitionKeeping)? = nil,
    clock: any WallClock,
    check: SettingsCheck = SettingsCheck()
  ) {
    self.coder = coder
    self.subscriptions = subscriptions
    self.searches = searches
    self.rules = rules
    self.clock = clock
    self.check = check
  }

  /// The result of an import.
  public struct Report: Sendable {
    public var added: [Feed] = []
    /// New saved searches.
    public var searches: [SavedSearch] = []
    /// Entries whose feed is already subscribed to, or that repeat an earlier entry.
    public var duplicates: [NewFeed] = []
    /// Entries, saved searches and rules that cannot be imported, with the reason.
    public var refused: [(entry: String, reason: String)] = []
    /// Entries with settings that were removed or clamped, such as credentials, because the list is not
    /// trusted.
    public var stripped: [NewFeed] = []
    /// Settings of entries that have no equivalent in newsd.
    public var leftOut: [SubscriptionList.UnsupportedSettings] = []
    /// New rules from the list's entries.
    public var rules: [Rule] = []
    /// The list is truncated; the feeds up to its end were imported.
    public var isTruncated = false
  }

  /// Subscribes to every feed of the list that is not subscribed yet, in one transaction; nothing is fetched.
  ///
  /// The user did not type the list's URLs, so `file:` and `exec:` entries are rejected and no entry may reach a local
  /// address.
  ///
  /// - Parameters:
  ///   - bytes: OPML, a newsboat `urls` file or an sfeedrc.
  ///   - folder: The folder for entries without one.
  ///   - isTrusted: True: the list is the user's own export, so its entries may name secrets. An entry of another list
  ///     could make newsd send any file to any server.
  ///   - isDryRun: True: nothing is stored; the feeds that would be added have the id 0.
  /// - Returns: The additions, and the rejected entries with reasons.
  /// - Throws: `FeedParseError` when the list cannot be read, `StoreError` when it cannot be stored.
  public func importList(
    _ bytes: [UInt8],
    folder: String? = nil,
    isTrusted: Bool = false,
    isDryRun: Bool = false
  ) async throws -> Report {
    var report = Report()
    var wanted: [NewFeed] = []
    // By their bytes, as the store has them: addresses that only look the same are two.
    var seen = Set<[UInt8]>()
    let list = try coder.decodeList(bytes)
    report.isTruncated = list.isTruncated
    report.refused = list.skipped.map {
      ($0.entry, $0.line > 0 ? "line \($0.line): \($0.reason)" : $0.reason)
    }
    for entry in list.feeds {
      do {
        var feed = entry
        feed.url = try Self.importable(entry.url)
        feed.settings = entry.settings.clamped()
        feed.settings.allowsLocalOrigin = nil
        if !isTrusted, check.removePrivileged(&feed.settings) { report.stripped.append(feed) }
        let unusable = check.removeUnusable(&feed.settings)
        if !unusable.isEmpty { report.leftOut.append(.init(url: feed.url, what: unusable)) }
        feed.title = entry.title.map { GivenName.cut($0) }
        feed.folder = entry.folder.map { GivenName.cut($0) } ?? folder
        if seen.insert(Array(feed.url.utf8)).inserted {
          wanted.append(feed)
        } else {
          report.duplicates.append(feed)
        }
      } catch {
        report.refused.append((entry.url, error.message))
      }
    }
    if isDryRun {
      try await preview(wanted, list, &report)
      return report
    }
    let stored = try await subscriptions.add(wanted, at: clock.now())
    if isTrusted { try await complete(stored.duplicates) }
    report.added = stored.added
    report.duplicates += stored.duplicates
    try await importSearches(list.searches, &report)
    report.leftOut += list.leftOut
    try await importRules(permitted(list.rules, isTrusted, &report), &report)
    return report
  }

  /// Adds to the report what an import would add, without parsing the queries.
  private func preview(
    _ wanted: [NewFeed],
    _ list: SubscriptionList,
    _ report: inout Report
  ) async throws(StoreError) {
    let known = Set(try await subscriptions.feeds().map { Array($0.url.utf8) })
    for feed in wanted {
      guard !known.contains(Array(feed.url.utf8)) else {
        report.duplicates.append(feed)
        continue
      }
      report.added.append(
        Feed(
          id: Feed.ID(rawValue: 0),
          url: feed.url,
          title: feed.title ?? feed.url,
          siteURL: feed.siteURL,
          folder: feed.folder,
          position: 0,
          settings: feed.settings
        )
      )
    }
    for search in list.searches where try await searches?.savedSearch(named: search.name) == nil {
      report.searches.append(search)
    }
    report.leftOut += list.leftOut
  }

  /// Adds the missing settings to feeds that exist already: the list may have been imported before without trust.
  private func complete(_ feeds: [NewFeed]) async throws(StoreError) {
    for entry in feeds where !entry.settings.isEmpty {
      let feed = try await subscriptions.feed(named: entry.url)
      let settings = feed.settings.completed(by: entry.settings)
      if settings != feed.settings { try await subscriptions.update(feed.id, settings: settings) }
    }
  }

  /// Saves searches repeatedly until none is left or all fail: a search may refer to a later one of the list.
  private func importSearches(_ wanted: [SavedSearch], _ report: inout Report) async throws(StoreError) {
    guard let searches else { return }
    var left = wanted
    while !left.isEmpty {
      var failed: [(search: SavedSearch, reason: String)] = []
      for search in left {
        if try await searches.savedSearch(named: search.name) != nil { continue }
        do {
          try await searches.save(search, at: clock.now())
          report.searches.append(search)
        } catch {
          guard error.code == .badQuery else { throw error }
          failed.append((search, error.message))
        }
      }
      if failed.count == left.count {
        report.refused += failed.map { ($0.search.name, $0.reason) }
        return
      }
      left = failed.map(\.search)
    }
  }

  /// Only a trusted list may add rules for feeds that were subscribed to before. A rule names its feed by the URL without user
  /// information, which could be that of another feed.
  private func permitted(
    _ rules: [SubscriptionList.EntryRule],
    _ isTrusted: Bool,
    _ report: inout Report
  ) -> [SubscriptionList.EntryRule] {
    guard !isTrusted else { return rules }
    let added = Set(report.added.map { Array($0.url.utf8) })
    let advice = "'newsd feeds import --trust' adds it"
    return rules.filter { rule in
      let url = (try? Self.importable(rule.url)) ?? rule.url
      guard added.contains(Array(url.utf8)) else {
        report.refused.append((rule.query, "the rule is for a feed that was there already; \(advice)"))
        return false
      }
      guard WebAddress(url)?.userInfo == nil else {
        report.refused.append((rule.query, "the rule is for a URL with a user name; \(advice)"))
        return false
      }
      return true
    }
  }

  /// Maximum number of rules that a list may add.
  private static let mostRules = 1000

  private func importRules(
    _ wanted: [SubscriptionList.EntryRule],
    _ report: inout Report
  ) async throws(StoreError) {
    guard let rules, !wanted.isEmpty else { return }
    var known = Set(try await rules.rules().map(\.query))
    // The number is limited, because every new item is matched against every rule.
    let new = wanted.filter { known.insert($0.query).inserted }
    if new.count > Self.mostRules {
      report.refused.append(
        ("\(new.count - Self.mostRules) rules", "a list can add \(Self.mostRules) rules at most")
      )
    }
    for rule in new.prefix(Self.mostRules) {
      do {
        report.rules.append(
          try await rules.addRule(rule.query, do: rule.actions, until: nil, at: clock.now())
        )
      } catch {
        guard error.code == .badQuery else { throw error }
        report.refused.append((rule.query, error.message))
      }
    }
  }

  /// Exports all subscriptions in the user's order, and the saved searches. Feeds that `newsd ingest` fills
  /// are omitted, because they exist only in this store. `includesSecrets`: the list includes passwords,
  /// headers and the names of credentials. Returns OPML 2.0, and the number of feeds whose secrets were
  /// omitted.
  public func exportOPML(
    title: String = "newsd subscriptions",
    includesSecrets: Bool = false
  ) async throws(StoreError) -> (text: String, withoutSecrets: Int) {
    let saved = try await searches?.savedSearches() ?? []
    let feeds = try await subscriptions.feeds().filter { !$0.isIngested }
    let written = includesSecrets ? feeds : feeds.map(\.withoutSecrets)
    let changed = zip(feeds, written).count { $0 != $1 }
    return (coder.encodeOPML(written, searches: saved, title: title), changed)
  }

  private static func importable(_ url: String) throws(TypedAddress.Problem) -> String {
    let clean = try TypedAddress.url(url)
    guard WebAddress.isWeb(clean) else {
      let what = clean.hasPrefix(bytesOf: "file:") ? "is a file" : "runs a program"
      throw TypedAddress.Problem(
        message: "\(url) \(what). A list cannot add it; use 'newsd feeds add'."
      )
    }
    return clean
  }
}
