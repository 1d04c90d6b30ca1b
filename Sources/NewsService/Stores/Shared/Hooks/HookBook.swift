package import NewsCore
package import NewsSearch

/// The active hooks, as one transaction reads them.
package struct HookBook {
  fileprivate struct Compiled {
    var name: String
    /// Selects the items for which the hook fires; nil: all items that its events are about.
    var matcher: QueryMatcher?
    /// True if the hook fires for new items.
    var takesNewItems: Bool
    var events: Set<HookEvent>
    var failingAfter: Int64
    var takesBacklog: Bool

    func selects(_ subject: MatchSubject) -> Bool { matcher?.matches(subject) ?? true }
  }

  private var hooks: [Compiled] = []

  /// Compiles the hooks' queries. If a query cannot be evaluated, for example because a saved search was deleted,
  /// records an error for its hook.
  /// With `events`, omits the hooks that have none of them.
  package init(_ session: some HookSession, with events: Set<HookEvent>? = nil) throws(StoreError) {
    for stored in try session.activeHooks() {
      let known = stored.eventSet
      if let events, events.isDisjoint(with: known) { continue }
      var hook = Compiled(
        name: stored.name,
        // With events of the user's marks, the query only selects among the items that are marked.
        takesNewItems: known.contains(.item)
          || stored.query != nil && known.isDisjoint(with: HookEvent.marks),
        events: known,
        failingAfter: stored.failingAfter,
        takesBacklog: stored.takesBacklog
      )
      if let text = stored.query {
        do {
          hook.matcher = try Self.matcher(text, session)
        } catch {
          hook.matcher = .nothing
          try session.noteError(
            "the query cannot be read, so that the hook selects no item: \(error.message)",
            of: stored.name
          )
        }
      }
      hooks.append(hook)
    }
  }

  private static func matcher(_ text: String, _ session: some HookSession) throws(StoreError) -> QueryMatcher
  {
    let query = try QueryExpansion.expand(QueryExpansion.read(text)) { (name) throws(StoreError) in
      try session.savedQuery(name)
    }
    do {
      return try QueryMatcher(query)
    } catch {
      throw StoreError(code: .badQuery, message: error.message)
    }
  }

  package var isEmpty: Bool { hooks.isEmpty }

  /// Prepares the evaluation of a feed's items. `title` is the one in the document, for a feed without a
  /// stored document. `isBacklog`: the items are those of a newly added feed. Returns nil if no hook fires
  /// for items of the feed.
  package func watch(
    of id: Feed.ID,
    title: String? = nil,
    language: String? = nil,
    isBacklog: Bool,
    at time: Timestamp,
    _ session: some HookSession
  ) throws(StoreError) -> Watch? {
    let watching = hooks.filter {
      $0.takesNewItems && (!isBacklog || $0.takesBacklog) || $0.events.contains(.edited)
    }
    guard !watching.isEmpty, var feed = try session.feed(id) else { return nil }
    if feed.title == feed.url, let title, !title.isEmpty { feed.title = title }
    return Watch(
      hooks: watching.map { hook in
        var hook = hook
        if isBacklog, !hook.takesBacklog { hook.takesNewItems = false }
        return hook
      },
      feed: feed,
      language: language,
      time: time
    )
  }

  /// Writes the outbox for the items of one feed.
  package struct Watch {
    fileprivate let hooks: [Compiled]
    fileprivate let feed: Feed
    fileprivate let language: String?
    fileprivate let time: Timestamp

    /// Evaluates the hooks for a new item that was just stored.
    package func inserted(
      _ id: NewsItem.ID,
      _ item: ParsedItem,
      _ initial: InitialState,
      tags: [String],
      sequence: Int64,
      _ session: some HookSession
    ) throws(StoreError) {
      let subject = subject(item, tags, initial)
      for hook in hooks where hook.takesNewItems && hook.selects(subject) {
        try session.add(HookEntry(sequence: sequence, event: .item, time: time, itemID: id), to: hook.name)
      }
    }

    /// Evaluates the hooks for an item that the feed has edited.
    package func updated(
      _ id: NewsItem.ID,
      _ item: ParsedItem,
      tags: [String],
      sequence: Int64,
      _ session: some HookSession
    ) throws(StoreError) {
      let hooks = hooks.filter { $0.events.contains(.edited) }
      guard !hooks.isEmpty else { return }
      guard let state = try session.state(of: id) else { return }
      let subject = subject(item, tags, state)
      for hook in hooks where hook.selects(subject) {
        try session.add(HookEntry(sequence: sequence, event: .edited, time: time, itemID: id), to: hook.name)
      }
    }

    private func subject(_ item: ParsedItem, _ tags: [String], _ state: InitialState) -> MatchSubject {
      let subject = MatchSubject(item, of: feed, language: language, at: time)
      subject.isRead = state.isRead
      subject.isStarred = state.isStarred
      subject.labels = state.labels
      subject.tags += tags
      return subject
    }
  }
}

// MARK: - Events of feeds

extension HookBook {
  /// Returns a feed's state before a refresh is stored; nil if no hook fires for events of feeds.
  package func formerFeed(_ id: Feed.ID, _ session: some HookSession) throws(StoreError) -> Feed? {
    guard hooks.contains(where: { !$0.events.isDisjoint(with: [.feedFailing, .feedGone]) }) else {
      return nil
    }
    return try session.feed(id)
  }

  /// Reports a feed that was gone at this poll for the first time, or that has failed for as long as a hook's
  /// `failingAfter`.
  package func compare(
    _ former: Feed,
    with state: FetchState,
    at time: Timestamp,
    sequence: () -> Int64,
    _ session: some HookSession
  ) throws(StoreError) {
    if state.isGone, !former.fetchState.isGone {
      let notice = HookNotice(
        "\(former.shownTitle) is gone (410); newsd no longer polls it",
        about: former
      )
      try report(.feedGone, notice, at: time, sequence: sequence(), session)
    }
    guard state.failures > 0, let since = state.failingSince else { return }
    let known = former.fetchState.failingSince == since ? (former.fetchState.lastFetched ?? since) - since : 0
    // Fire once: at the first poll after `failingAfter` has passed.
    let telling = hooks.filter {
      $0.events.contains(.feedFailing) && known < $0.failingAfter && time - since >= $0.failingAfter
    }
    guard !telling.isEmpty else { return }
    let number = sequence()
    for hook in telling {
      let days = (time - since) / 86_400
      let age = days >= 2 ? "\(days) days" : "\((time - since) / 3600) hours"
      let message = "\(former.shownTitle) has failed for \(age): \(state.lastError ?? "unknown")"
      let entry = HookEntry(
        sequence: number,
        event: .feedFailing,
        time: time,
        notice: HookNotice(message, about: former)
      )
      try session.add(entry, to: hook.name)
    }
  }

  /// Adds an event to the outbox of every hook that fires for it.
  package func report(
    _ event: HookEvent,
    _ notice: HookNotice,
    at time: Timestamp,
    sequence: Int64,
    _ session: some HookSession
  ) throws(StoreError) {
    for hook in hooks where hook.events.contains(event) {
      try session.add(HookEntry(sequence: sequence, event: event, time: time, notice: notice), to: hook.name)
    }
  }
}

// MARK: - Events of items that the user marks, labels or saves

/// A change that a user made to an item.
package struct ItemEvent {
  package var event: HookEvent
  package var item: NewsItem.ID
  /// The number of the change, which the idempotency keys contain.
  package var sequence: Int64
  /// The labels that were added.
  package var labels: [String]

  package init(_ event: HookEvent, _ item: NewsItem.ID, sequence: Int64, labels: [String] = []) {
    self.event = event
    self.item = item
    self.sequence = sequence
    self.labels = labels
  }
}

extension ItemMark {
  package var event: HookEvent? {
    switch self {
    case .read, .unread: nil
    case .starred: .starred
    case .unstarred: .unstarred
    }
  }
}

extension HookBook {
  /// True if a query selects among the items of events.
  package var hasQueries: Bool { hooks.contains { $0.matcher != nil } }

  /// Adds changes that the user made to the outbox of every hook that fires for them. `subjects` has the items by id,
  /// unless no hook has a query.
  package func report(
    _ events: [ItemEvent],
    _ subjects: [NewsItem.ID: MatchSubject],
    at time: Timestamp,
    _ session: some HookSession
  ) throws(StoreError) {
    for event in events {
      let subject = subjects[event.item]
      let labels = subject?.labels ?? []
      defer { subject?.labels = labels }
      // The query asks which label was added: an item that has a label for long gets others too.
      if event.event == .labelled { subject?.labels = event.labels }
      for hook in hooks where hook.events.contains(event.event) {
        guard hook.matcher == nil || subject.map(hook.selects) == true else { continue }
        try session.add(
          HookEntry(sequence: event.sequence, event: event.event, time: time, itemID: event.item),
          to: hook.name
        )
      }
    }
  }
}

extension Feed {
  fileprivate var shownTitle: String { WebAddress.redacted(title) }
}

/// The part of a writing transaction that evaluates hooks. A store may write the outbox only at the end of the
/// transaction.
package protocol HookSession {
  /// Returns the hooks that fire, ordered by name.
  func activeHooks() throws(StoreError) -> [StoredHook]
  /// Returns the query of a saved search; nil if there is none.
  func savedQuery(_ name: String) throws(StoreError) -> String?
  /// Records an error of a hook with the current time, unless the same error was the last one recorded.
  func noteError(_ error: String, of hook: String) throws(StoreError)
  func feed(_ id: Feed.ID) throws(StoreError) -> Feed?
  /// Returns the state of an item; nil if there is no such item.
  func state(of id: NewsItem.ID) throws(StoreError) -> InitialState?
  /// Adds an entry to the outbox of a hook, due now.
  func add(_ entry: HookEntry, to hook: String) throws(StoreError)
}
