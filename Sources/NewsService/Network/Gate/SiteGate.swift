import NewsCore

/// Decides when each request may start. Limits the concurrent requests per site, and spaces scheduled requests to the
/// same site. Sites take turns, so that a long queue for one site does not delay the others.
///
/// Times are milliseconds of any monotonic clock, passed in as arguments. Operations take O(1) time; setting a timer
/// and reaching it takes O(log n) in the number of timers.
struct SiteGate<ID: Hashable> {
  private struct Site {
    var urgent = Queue<ID>()
    var scheduled = Queue<ID>()
    var active = 0
    /// The earliest start of the next scheduled request.
    var free: Int64 = .min
    /// The site's slots held by this process, shared with other processes; at most `active`.
    var places: [Int] = []
    /// When to look again for a free slot, and since when there was none. Other processes hold all slots, or have the
    /// next turn.
    var blocked: Int64 = .min
    var blockedSince: Int64?
    /// True if this process has announced to the others that it waits for a slot.
    var isAwaited = false
    var isReady = false
    /// The time of the site's current timer; nil if none.
    var timer: Int64?

    var isIdle: Bool { active == 0 && urgent.isEmpty && scheduled.isEmpty }

    /// When an idle site can be removed.
    var end: Int64 { max(free, blocked) }

    /// The earliest start of a waiting request; nil if none waits.
    var nextStart: Int64? {
      if !urgent.isEmpty { return blocked }
      return scheduled.isEmpty ? nil : max(free, blocked)
    }
  }

  private let perSite: Int
  private let spacing: Int64
  /// Coordinates with other processes; nil if there are none.
  private let others: (any SiteSharing)?
  /// Interval between two checks for a slot released by another process, in milliseconds.
  private static var look: Int64 { 50 }
  /// How long a released slot is left to waiting processes, in milliseconds. Longer than `look`, so that they notice
  /// it.
  private static var turn: Int64 { 75 }
  /// If no request to the site starts for this long, the processes that hold its slots are considered stopped. In
  /// milliseconds.
  private static var patience: Int64 { 150_000 }
  private var sites: [String: Site] = [:]
  /// Waiting requests and their sites. A cancelled request is removed here and skipped when its queue reaches it.
  private var waiting: [ID: String] = [:]
  private var ready = Queue<String>()
  private var timers = Heap<Timer>()

  private struct Timer: Comparable {
    let time: Int64
    let site: String
    static func < (a: Timer, b: Timer) -> Bool { a.time < b.time }
  }

  /// - Parameters:
  ///   - perSite: The maximum number of concurrent requests per site.
  ///   - spacing: Milliseconds between the starts of two scheduled requests to a site.
  ///   - others: Shares the limits with other processes on the same store.
  init(perSite: Int, spacing: Int64, others: (any SiteSharing)? = nil) {
    self.perSite = max(perSite, 1)
    self.spacing = max(spacing, 0)
    self.others = others
  }

  /// The number of waiting requests.
  var waitingCount: Int { waiting.count }
  /// The number of sites in memory.
  var siteCount: Int { sites.count }

  /// Adds a request to its site's queue. The next hop of a running fetch (`continues`) goes to the front.
  mutating func enqueue(_ id: ID, site name: String, isUrgent: Bool, continues: Bool = false, now: Int64) {
    waiting[id] = name
    if isUrgent {
      sites[name, default: Site()].urgent.append(id, inFront: continues)
    } else {
      sites[name, default: Site()].scheduled.append(id, inFront: continues)
    }
    update(name, now: now)
  }

  /// Removes a waiting request. Returns false if it is not waiting.
  mutating func withdraw(_ id: ID) -> Bool {
    waiting.removeValue(forKey: id) != nil
  }

  /// Returns the next request that may start now. It counts as active on its site until `finished` is called.
  mutating func next(now: Int64) -> (id: ID, site: String)? {
    while let timer = timers.first, timer.time <= now {
      timers.removeFirst()
      guard sites[timer.site]?.timer == timer.time else { continue }
      sites[timer.site]?.timer = nil
      update(timer.site, now: now)
    }
    while let name = ready.popFirst() {
      sites[name]?.isReady = false
      let id = take(from: name, now: now)
      update(name, now: now)
      if let id { return (id, name) }
    }
    return nil
  }

  /// Ends an active request of this site.
  mutating func finished(site name: String, now: Int64) {
    guard var site = sites[name] else { return }
    sites[name] = nil
    site.active = max(site.active - 1, 0)
    if let others, site.places.count > site.active, others.leave(name, place: site.places.removeLast()) {
      site.blocked = now + Self.turn
    }
    sites[name] = site
    update(name, now: now)
  }

  /// The earliest time at which `next` may return a request if nothing else happens; nil for never.
  var nextTime: Int64? {
    ready.isEmpty ? timers.first?.time : .min
  }

  private mutating func take(from name: String, now: Int64) -> ID? {
    guard var site = sites[name], site.active < perSite else { return nil }
    // Remove the site while it is modified, so that its queues are not copied.
    sites[name] = nil
    defer { sites[name] = site }
    guard site.blocked <= now else { return nil }
    while let id = site.urgent.popFirst() {
      guard let place = waiting.removeValue(forKey: id) else { continue }
      guard enter(&site, name, isSpaced: false, now: now) else {
        waiting[id] = place
        site.urgent.append(id, inFront: true)
        return nil
      }
      return id
    }
    guard site.free <= now else { return nil }
    while let id = site.scheduled.popFirst() {
      guard let place = waiting.removeValue(forKey: id) else { continue }
      guard enter(&site, name, isSpaced: true, now: now) else {
        waiting[id] = place
        site.scheduled.append(id, inFront: true)
        return nil
      }
      return id
    }
    return nil
  }

  /// Starts a request of the site. Returns false if other processes hold all slots or require a later start.
  private func enter(_ site: inout Site, _ name: String, isSpaced: Bool, now: Int64) -> Bool {
    let request = SiteRequest(limit: perSite, spacing: spacing, isSpaced: isSpaced, now: now)
    switch others?.enter(name, besides: site.places, request) ?? .entered(place: nil) {
    case .entered(let place):
      if let place { site.places.append(place) }
      site.blockedSince = nil
    case .later(let until):
      site.free = until
      stopWaiting(&site, name)
      return false
    case .busy(let lastStart):
      // Other processes write this time to a file, so it may be any number.
      let shared = lastStart.flatMap { $0 <= now && $0 >= 0 ? $0 : nil }
      let since = shared ?? site.blockedSince ?? now
      site.blockedSince = since
      if now - since < Self.patience {
        site.blocked = now + Self.look
        if !site.isAwaited { others?.wait(for: name) }
        site.isAwaited = true
        return false
      }
    }
    stopWaiting(&site, name)
    site.active += 1
    site.free = now + spacing
    return true
  }

  private func stopWaiting(_ site: inout Site, _ name: String) {
    guard site.isAwaited else { return }
    site.isAwaited = false
    others?.stopWaiting(for: name)
  }

  /// Makes the site ready, sets its timer, or removes it, as its state requires.
  private mutating func update(_ name: String, now: Int64) {
    guard let site = sites[name], !site.isReady else { return }
    if site.isAwaited, site.urgent.isEmpty, site.scheduled.isEmpty {
      // All waiting requests were withdrawn.
      sites[name]?.isAwaited = false
      others?.stopWaiting(for: name)
    }
    if site.isIdle, site.end <= now {
      sites[name] = nil
      return
    }
    if site.active < perSite, let start = site.nextStart, start <= now {
      sites[name]?.isReady = true
      ready.append(name, inFront: false)
      return
    }
    // Set a timer for the next start, or for the removal of the site.
    let time = site.isIdle ? site.end : site.active < perSite ? site.nextStart : nil
    if let time, time > now, site.timer != time {
      sites[name]?.timer = time
      timers.insert(Timer(time: time, site: name))
    }
  }
}
