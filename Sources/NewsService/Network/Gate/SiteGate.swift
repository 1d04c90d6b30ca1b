import NewsCore

/// Decides which request may start when: a limited number at a time per site, and scheduled requests with a pause between
/// two of them. Sites take turns, so that a site with a long queue does not hold up another.
///
/// Times are milliseconds of any steady clock, passed in. Operations are O(1), except that setting and reaching a pause is
/// O(log n) in the number of pausing sites.
struct SiteGate<ID: Hashable> {
  private struct Site {
    var urgent = Queue<ID>()
    var scheduled = Queue<ID>()
    var active = 0
    /// When the next scheduled request may start.
    var free: Int64 = .min
    /// The shared places of the site that this process has taken; at most `active`.
    var places: [Int] = []
    /// Other processes have all places, or it is their turn: when to look again, and since when that is so.
    var blocked: Int64 = .min
    var blockedSince: Int64?
    /// Other processes have been told that this one waits for a place.
    var isAwaited = false
    var isReady = false
    /// The time of the site's timer.
    var timer: Int64?

    var isIdle: Bool { active == 0 && urgent.isEmpty && scheduled.isEmpty }

    /// When an idle site can be forgotten.
    var end: Int64 { max(free, blocked) }

    /// When the pauses allow the next request; nil: none waits.
    var nextStart: Int64? {
      if !urgent.isEmpty { return blocked }
      return scheduled.isEmpty ? nil : max(free, blocked)
    }
  }

  private let perSite: Int
  private let spacing: Int64
  /// Nil: there are no other processes.
  private let others: (any SiteSharing)?
  /// Milliseconds between two looks whether other processes have left a place.
  private static var look: Int64 { 50 }
  /// Milliseconds for which a place is left to waiting processes: longer than `look`, so that they notice.
  private static var turn: Int64 { 75 }
  /// After so many milliseconds without a request on the site, the processes that have its places count as stopped.
  private static var patience: Int64 { 150_000 }
  private var sites: [String: Site] = [:]
  /// Waiting requests. A cancelled one is removed here and skipped in its queue.
  private var waiting: [ID: String] = [:]
  private var ready = Queue<String>()
  private var timers = Heap<Timer>()

  private struct Timer: Comparable {
    let time: Int64
    let site: String
    static func < (a: Timer, b: Timer) -> Bool { a.time < b.time }
  }

  /// - Parameters:
  ///   - perSite: Requests at a time.
  ///   - spacing: Milliseconds between the starts of two scheduled requests.
  ///   - others: The other processes on the store.
  init(perSite: Int, spacing: Int64, others: (any SiteSharing)? = nil) {
    self.perSite = max(perSite, 1)
    self.spacing = max(spacing, 0)
    self.others = others
  }

  /// How many requests wait.
  var waitingCount: Int { waiting.count }
  /// How many sites are remembered.
  var siteCount: Int { sites.count }

  /// Appends a request to its site's queue; a further hop of a running fetch (`continues`) goes to the front.
  mutating func enqueue(_ id: ID, site name: String, isUrgent: Bool, continues: Bool = false, now: Int64) {
    waiting[id] = name
    if isUrgent {
      sites[name, default: Site()].urgent.append(id, inFront: continues)
    } else {
      sites[name, default: Site()].scheduled.append(id, inFront: continues)
    }
    update(name, now: now)
  }

  /// Removes a waiting request. False: it is not waiting.
  mutating func withdraw(_ id: ID) -> Bool {
    waiting.removeValue(forKey: id) != nil
  }

  /// The next request that may start now; it counts as active on its site until `finished`.
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

  /// A request of this site has ended.
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

  /// When `next` may return another request if nothing else happens; nil: never.
  var nextTime: Int64? {
    ready.isEmpty ? timers.first?.time : .min
  }

  private mutating func take(from name: String, now: Int64) -> ID? {
    guard var site = sites[name], site.active < perSite else { return nil }
    // Taken out, so that its queues are not copied, and written back.
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

  /// Counts one more request of the site, unless other processes have all places.
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
      // The time comes from a file that other processes write, and may be any number.
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

  /// Moves the site to where its state belongs: ready, waiting for a timer, or forgotten.
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
    // A timer for the next start, or for forgetting the site.
    let time = site.isIdle ? site.end : site.active < perSite ? site.nextStart : nil
    if let time, time > now, site.timer != time {
      sites[name]?.timer = time
      timers.insert(Timer(time: time, site: name))
    }
  }
}
