import NewsCore

/// Decides when each request may start. Limits the concurrent requests per site, and spaces scheduled requests to the
/// same site.
///
/// Sites take turns, so that a long queue for one site does not delay the others. Requests of feeds whose last poll
/// succeeded ("proven", `FetchRequest.lastPollSucceeded`) and other requests ("unproven") take turns as well. A caller
/// may also ask for proven requests only.
///
/// Within a site, urgent requests go first, and delay the scheduled ones by the spacing. So that endless urgent requests
/// do not keep the scheduled ones from starting, one of these follows after `mostOvertaking` urgent ones.
///
/// Within a site, accounts take turns. Once several accounts, or an account and common requests, have sent requests to a busy
/// site, one account has at most all but one of its slots until the site is idle, so that the others need not wait for the
/// end of its slow answers each time. An account that uses a site alone has all slots.
///
/// Times are milliseconds of any monotonic clock, passed in as arguments. Operations take O(1) time, or O(`perSite`) where
/// accounts share a site; setting a timer and reaching it takes O(log n) in the number of timers.
struct SiteGate<ID: Hashable> {
  /// The proven or the unproven requests of a site.
  private struct Lane {
    var urgent = TurnQueue<ID>()
    var scheduled = TurnQueue<ID>()
    var isReady = false

    var isEmpty: Bool { urgent.isEmpty && scheduled.isEmpty }
  }

  private struct Site {
    let perSite: Int
    var proven = Lane()
    var unproven = Lane()
    var active = 0
    /// The active requests of each account.
    var activeOf: [String: Int] = [:]
    /// Two of the senders of requests since the site was idle: accounts, or nil for requests without one.
    var senders: Set<String?> = []
    /// The earliest start of the next scheduled request.
    var nextScheduledStart: Int64 = .min
    /// The urgent requests that have started while a scheduled one waited, since a scheduled one started.
    var overtaking = 0
    /// The slots of the site that `others` has granted to this process; at most `active`.
    var slots: [Int] = []
    /// The time of the next check for a free slot. Set while other processes hold all slots or may go first.
    /// `blockedSince` is the time since which no slot was free.
    var nextCheck: Int64 = .min
    var blockedSince: Int64?
    /// True if this process has announced to the others that it waits for a slot.
    var isAwaited = false
    /// The time of the site's current timer; nil if none.
    var timer: Int64?

    var isEmpty: Bool { proven.isEmpty && unproven.isEmpty }
    var hasScheduled: Bool { !proven.scheduled.isEmpty || !unproven.scheduled.isEmpty }
    /// True if enough urgent requests have overtaken the scheduled ones, so that one of these is next.
    var isTurnOfScheduled: Bool { overtaking >= SiteGate.mostOvertaking }
    var isIdle: Bool { active == 0 && isEmpty }
    /// The accounts that have their part of the site.
    var full: [String] {
      guard senders.count > 1, perSite > 1 else { return [] }
      return activeOf.filter { $0.value >= perSite - 1 }.map(\.key)
    }
    var isReady: Bool { proven.isReady || unproven.isReady }

    /// Passes the proven or the unproven requests. Each request passes here several times; a key path would be slow.
    mutating func change<Result>(isProven: Bool, _ body: (inout Lane) -> Result) -> Result {
      isProven ? body(&proven) : body(&unproven)
    }

    /// When an idle site can be removed.
    var end: Int64 { max(nextScheduledStart, nextCheck) }

    /// The earliest start of a request waiting in the lane; nil if none waits, or only those of accounts that have their part.
    func nextStart(_ lane: Lane) -> Int64? {
      let full = full
      let hasScheduled = lane.scheduled.hasElement(besides: full)
      if lane.urgent.hasElement(besides: full) || (isTurnOfScheduled && hasScheduled) { return nextCheck }
      return hasScheduled ? max(nextScheduledStart, nextCheck) : nil
    }

    /// The earliest start of a request of either lane that is not ready yet.
    var nextStart: Int64? {
      let first = proven.isReady ? nil : nextStart(proven)
      let second = unproven.isReady ? nil : nextStart(unproven)
      guard let first, let second else { return first ?? second }
      return min(first, second)
    }
  }

  private let perSite: Int
  private let spacing: Int64
  /// The other processes on the same store; nil if there are none.
  private let others: (any SiteSharing)?
  /// Maximum number of urgent requests that start while a scheduled request waits.
  private static var mostOvertaking: Int { 4 }
  /// Interval between two checks for a slot released by another process, in milliseconds.
  private static var checkInterval: Int64 { 50 }
  /// Milliseconds for which this process leaves a released slot to waiting processes. Longer than `checkInterval`, so
  /// that they notice the slot.
  private static var yieldTime: Int64 { 75 }
  /// Milliseconds without the start of a request to the site, after which the processes that hold its slots are
  /// considered stopped.
  private static var stopTimeout: Int64 { 150_000 }
  private var sites: [String: Site] = [:]
  /// A waiting request's site, its account, and the feed that it polls. The limits of `others` apply if `isShared` is true.
  private struct Entry {
    var site: String
    var account: String?
    var feed: Feed.ID?
    var isShared: Bool
  }
  /// Waiting requests. A cancelled request is removed here and skipped when its queue reaches it.
  private var waiting: [ID: Entry] = [:]
  /// Requests that must not be sent.
  private var refused: [ID] = []
  /// The sites whose lane is ready.
  private var readyProven = Queue<String>()
  private var readyUnproven = Queue<String>()
  private var isUnprovenNext = false
  private var timers = Heap<Timer>()

  private struct Timer: Comparable {
    let time: Int64
    let site: String
    static func < (a: Timer, b: Timer) -> Bool { a.time < b.time }
  }

  /// `spacing` is the number of milliseconds between the starts of two scheduled requests to a site. `others`
  /// shares the limits with other processes on the same store.
  init(perSite: Int, spacing: Int64, others: (any SiteSharing)? = nil) {
    self.perSite = max(perSite, 1)
    self.spacing = max(spacing, 0)
    self.others = others
  }

  /// The number of waiting requests.
  var waitingCount: Int { waiting.count }
  /// The number of sites in memory.
  var siteCount: Int { sites.count }

  /// Adds a request to its site's queue. The next hop of a running fetch (`continues`) goes to the front of its account's
  /// requests, as does a request to which the limits of `others` do not apply: it must not wait for a request to which they
  /// do.
  mutating func enqueue(
    _ id: ID,
    site name: String,
    isUrgent: Bool,
    lastPollSucceeded: Bool = false,
    continues: Bool = false,
    account: String? = nil,
    feed: Feed.ID? = nil,
    isShared: Bool = true,
    now: Int64
  ) {
    waiting[id] = Entry(site: name, account: account, feed: feed, isShared: isShared)
    let continues = continues || !isShared
    var site = sites.removeValue(forKey: name) ?? Site(perSite: perSite)
    if site.senders.count < 2 { site.senders.insert(account) }
    site.change(isProven: lastPollSucceeded) { lane in
      if isUrgent {
        lane.urgent.append(id, of: account, inFront: continues)
      } else {
        lane.scheduled.append(id, of: account, inFront: continues)
      }
    }
    sites[name] = site
    update(name, now: now)
  }

  /// Returns the requests that must not be sent, because their feed belongs to another process. They no longer wait.
  mutating func takeRefused() -> [ID] {
    defer { refused = [] }
    return refused
  }

  /// Removes a waiting request. Returns false if it is not waiting.
  mutating func withdraw(_ id: ID) -> Bool {
    waiting.removeValue(forKey: id) != nil
  }

  /// Returns the next request that may start now; with `provenOnly`, the next proven one. The request counts as active
  /// on its site until `finished` is called.
  mutating func next(provenOnly: Bool = false, now: Int64) -> (id: ID, site: String)? {
    while let timer = timers.first, timer.time <= now {
      timers.removeFirst()
      guard sites[timer.site]?.timer == timer.time else { continue }
      sites[timer.site]?.timer = nil
      update(timer.site, now: now)
    }
    while let (name, lastPollSucceeded) = nextReady(provenOnly: provenOnly) {
      sites[name]?.change(isProven: lastPollSucceeded) { $0.isReady = false }
      let id = take(from: name, isProven: lastPollSucceeded, now: now)
      update(name, now: now)
      if let id {
        isUnprovenNext = lastPollSucceeded
        return (id, name)
      }
    }
    return nil
  }

  private mutating func nextReady(provenOnly: Bool) -> (name: String, lastPollSucceeded: Bool)? {
    if !provenOnly, isUnprovenNext, let name = readyUnproven.popFirst() { return (name, false) }
    if let name = readyProven.popFirst() { return (name, true) }
    return provenOnly ? nil : readyUnproven.popFirst().map { ($0, false) }
  }

  /// Ends an active request of this site and account.
  mutating func finished(site name: String, account: String? = nil, now: Int64) {
    guard var site = sites[name] else { return }
    sites[name] = nil
    site.active = max(site.active - 1, 0)
    if let account, let count = site.activeOf[account] {
      site.activeOf[account] = count > 1 ? count - 1 : nil
    }
    if let others, site.slots.count > site.active, others.release(name, slot: site.slots.removeLast()) {
      site.nextCheck = now + Self.yieldTime
    }
    sites[name] = site
    update(name, now: now)
  }

  /// The earliest time at which `next` may return a request if nothing else happens; nil for never.
  var nextTime: Int64? { readyUnproven.isEmpty ? nextTimeOfProven : .min }

  /// The earliest time at which `next` may return a proven request if nothing else happens; nil for never.
  var nextTimeOfProven: Int64? { readyProven.isEmpty ? timers.first?.time : .min }

  private mutating func take(from name: String, isProven: Bool, now: Int64) -> ID? {
    guard var site = sites[name], site.active < perSite else { return nil }
    // Remove the site while it is modified, so that its queues are not copied.
    sites[name] = nil
    defer { sites[name] = site }
    guard site.nextCheck <= now else { return nil }
    // This scheduled request takes the place of an urgent one, so it is not spaced either.
    if site.isTurnOfScheduled,
      let id = takeFirst(of: &site, name, isProven: isProven, isScheduled: true, isSpaced: false, now: now)
    {
      site.overtaking = 0
      return id
    }
    if let id = takeFirst(of: &site, name, isProven: isProven, isScheduled: false, isSpaced: false, now: now)
    {
      site.overtaking = site.hasScheduled ? site.overtaking + 1 : 0
      return id
    }
    guard site.nextScheduledStart <= now,
      let id = takeFirst(of: &site, name, isProven: isProven, isScheduled: true, isSpaced: true, now: now)
    else { return nil }
    site.overtaking = 0
    return id
  }

  private mutating func takeFirst(
    of site: inout Site,
    _ name: String,
    isProven: Bool,
    isScheduled: Bool,
    isSpaced: Bool,
    now: Int64
  ) -> ID? {
    let full = site.full
    while site.nextCheck <= now,
      let id = site.change(
        isProven: isProven,
        { isScheduled ? $0.scheduled.popFirst(besides: full) : $0.urgent.popFirst(besides: full) }
      )
    {
      guard let entry = waiting.removeValue(forKey: id) else { continue }
      switch acquire(&site, name, entry, isSpaced: isSpaced, now: now) {
      case .started: return id
      case .refused: refused.append(id)
      case .waits:
        waiting[id] = entry
        site.change(isProven: isProven) { lane in
          if isScheduled {
            lane.scheduled.append(id, of: entry.account, inFront: true)
          } else {
            lane.urgent.append(id, of: entry.account, inFront: true)
          }
        }
        return nil
      }
    }
    return nil
  }

  private enum Start { case started, waits, refused }

  /// Starts a request of the site, unless `others` refuses or delays it.
  private func acquire(
    _ site: inout Site,
    _ name: String,
    _ entry: Entry,
    isSpaced: Bool,
    now: Int64
  ) -> Start {
    let request = SiteRequest(
      limit: perSite,
      spacing: spacing,
      isSpaced: isSpaced,
      now: now,
      feed: entry.feed
    )
    let others = entry.isShared ? others : nil
    switch others?.acquire(name, besides: site.slots, request) ?? .acquired(slot: nil) {
    case .acquired(let place):
      if let place { site.slots.append(place) }
      site.blockedSince = nil
    case .later(let until):
      site.nextScheduledStart = until
      withdrawWaiting(&site, name)
      return .waits
    case .undecided(let until):
      site.nextCheck = until
      return .waits
    case .refused: return .refused
    case .busy(let lastStart):
      // Ignore impossible values: other processes write this time to a file, which may be damaged.
      let shared = lastStart.flatMap { $0 <= now && $0 >= 0 ? $0 : nil }
      let since = shared ?? site.blockedSince ?? now
      site.blockedSince = since
      if now - since < Self.stopTimeout {
        site.nextCheck = now + Self.checkInterval
        if !site.isAwaited { others?.announceWaiting(for: name) }
        site.isAwaited = true
        return .waits
      }
    }
    withdrawWaiting(&site, name)
    site.active += 1
    if let account = entry.account { site.activeOf[account, default: 0] += 1 }
    site.nextScheduledStart = now + spacing
    return .started
  }

  private func withdrawWaiting(_ site: inout Site, _ name: String) {
    guard site.isAwaited else { return }
    site.isAwaited = false
    others?.withdrawWaiting(for: name)
  }

  private func isReady(_ lane: Lane, of site: Site, now: Int64) -> Bool {
    !lane.isReady && site.nextStart(lane).map { $0 <= now } ?? false
  }

  /// Updates the site after a change: marks it as ready, sets its timer, or removes it.
  private mutating func update(_ name: String, now: Int64) {
    guard var site = sites[name] else { return }
    if site.isAwaited, site.isEmpty {
      // No request waits any more: all of them were withdrawn.
      sites[name]?.isAwaited = false
      others?.withdrawWaiting(for: name)
    }
    if site.isIdle, !site.isReady, site.end <= now {
      sites[name] = nil
      return
    }
    if site.active < perSite {
      if isReady(site.proven, of: site, now: now) {
        site.proven.isReady = true
        sites[name]?.proven.isReady = true
        readyProven.append(name)
      }
      if isReady(site.unproven, of: site, now: now) {
        site.unproven.isReady = true
        sites[name]?.unproven.isReady = true
        readyUnproven.append(name)
      }
    }
    // Set a timer for the next start, or for the removal of the site.
    let time = site.isIdle ? site.end : site.active < perSite ? site.nextStart : nil
    if let time, time > now, site.timer != time {
      sites[name]?.timer = time
      timers.insert(Timer(time: time, site: name))
    }
  }
}
