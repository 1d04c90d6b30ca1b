/// Every polled feed with its due time, in a heap. Has no side effects: the scheduler and a simulation of a day use the
/// same type.
struct PollQueue {
  private struct Entry {
    var due: Int64
    /// The due time in the store. `due` may differ: overdue feeds take turns at `overdueRate`, and `wait`, `putBack`
    /// and `bringForward` choose times of their own.
    var stored: Int64
    var site: Int32
    /// Taken from the heap and not put back yet.
    var isTaken = false
    var lastPollSucceeded = false
  }

  private var entries: [Feed.ID: Entry] = [:]
  private var heap = DueHeap()
  private var sites: SiteNumbers
  private var feedsPerSite: [Int32] = []
  /// Limit on overdue feeds started per second, so that a starting daemon does not flood the network.
  private let overdueRate: Int

  init(overdueRate: Int = 20, site: @escaping @Sendable (String) -> String) {
    self.overdueRate = max(1, overdueRate)
    sites = SiteNumbers(site)
  }

  var count: Int { entries.count }

  /// When the next feed is due; nil when the queue is empty.
  var nextDue: Timestamp? {
    heap.first.map { Timestamp(seconds: $0.due) }
  }

  /// Returns the number of feeds on the site of `id`, including itself.
  func siteFeeds(_ id: Feed.ID) -> Int {
    entries[id].map { Int(feedsPerSite[Int($0.site)]) } ?? 1
  }

  func lastPollSucceeded(_ id: Feed.ID) -> Bool { entries[id]?.lastPollSucceeded ?? false }

  mutating func note(_ id: Feed.ID, lastPollSucceeded: Bool) {
    entries[id]?.lastPollSucceeded = lastPollSucceeded
  }

  func siteNumber(_ id: Feed.ID) -> Int? {
    entries[id].map { Int($0.site) }
  }

  /// Synchronizes the queue with the store's list: adds new feeds, removes missing ones, and adopts due times
  /// that another process has changed. Overdue feeds start in random order, at `overdueRate`. `wait` returns
  /// when to poll a feed that is new or has a changed due time; nil: poll it now. `random` returns a number
  /// in 0..<1.
  mutating func update(
    _ feeds: [DueFeed],
    now: Timestamp,
    random: () -> Double,
    wait: (DueFeed) -> Timestamp? = { $0.nextDue }
  ) {
    // Before the first list there are no entries to remove, so do not collect the ids of a list that may be long.
    let isFirst = entries.isEmpty
    entries.reserveCapacity(feeds.count)
    if isFirst { heap.reserve(feeds.count) }
    var known = Set<Feed.ID>(minimumCapacity: isFirst ? 0 : feeds.count)
    var overdue: [Feed.ID] = []
    for feed in feeds {
      if !isFirst { known.insert(feed.id) }
      let number = siteNumber(of: feed.url)
      let stored = Self.stored(feed.nextDue)
      if let entry = entries[feed.id] {
        if entry.site != number {
          feedsPerSite[Int(entry.site)] -= 1
          feedsPerSite[Int(number)] += 1
          entries[feed.id]?.site = number
        }
        guard stored != entry.stored else { continue }
        entries[feed.id]?.stored = stored
        let due = wait(feed)?.seconds ?? now.seconds
        guard due != entry.due, !entry.isTaken else { continue }
        if due > now.seconds {
          put(feed.id, at: due)
        } else if entry.due > now.seconds {
          overdue.append(feed.id)
        }
      } else {
        feedsPerSite[Int(number)] += 1
        let due = wait(feed)?.seconds ?? now.seconds
        entries[feed.id] = Entry(
          due: due,
          stored: stored,
          site: number,
          lastPollSucceeded: feed.lastPollSucceeded
        )
        if due <= now.seconds { overdue.append(feed.id) } else { put(feed.id, at: due) }
      }
    }
    for (id, entry) in entries where !isFirst && !known.contains(id) {
      feedsPerSite[Int(entry.site)] -= 1
      entries[id] = nil
    }
    spread(overdue, from: now, random: random)
  }

  private static func stored(_ due: Timestamp?) -> Int64 { due?.seconds ?? .min }

  /// Schedules overdue feeds from now on at `overdueRate`, in random order.
  private mutating func spread(_ ids: [Feed.ID], from now: Timestamp, random: () -> Double) {
    var ids = ids
    for index in ids.indices.dropFirst() {
      ids.swapAt(index, min(Int(random() * Double(index + 1)), index))
    }
    for (index, id) in ids.enumerated() { put(id, at: now.seconds + Int64(index / overdueRate)) }
  }

  /// Schedules all overdue feeds anew at `overdueRate`, after the network or the store was unavailable.
  mutating func spreadOverdue(now: Timestamp, random: () -> Double) {
    let ids = entries.filter { !$0.value.isTaken && $0.value.due <= now.seconds }.map(\.key).sorted()
    spread(ids, from: now, random: random)
  }

  /// Reschedules every feed from now on at `overdueRate`, because the due times are not trustworthy.
  mutating func rescheduleAll(now: Timestamp, random: () -> Double) {
    let ids = entries.filter { !$0.value.isTaken }.map(\.key).sorted()
    heap = DueHeap()
    spread(ids, from: now, random: random)
  }

  /// Takes the next due feed out of the queue, until `putBack`.
  mutating func takeDue(now: Timestamp) -> Feed.ID? {
    dropStale()
    guard let first = heap.first, first.due <= now.seconds, let slot = heap.removeFirst() else { return nil }
    entries[slot.id]?.isTaken = true
    dropStale()
    return slot.id
  }

  /// Takes a waiting feed out of the queue. Returns false if there is none.
  mutating func take(_ id: Feed.ID) -> Bool {
    guard let entry = entries[id], !entry.isTaken else { return false }
    entries[id]?.isTaken = true
    return true
  }

  /// Takes every feed out of the queue, due or not.
  mutating func takeAll() -> [Feed.ID] {
    let ids = entries.filter { !$0.value.isTaken }.map(\.key).sorted()
    for id in ids { entries[id]?.isTaken = true }
    heap = DueHeap()
    return ids
  }

  /// Puts the feed back with `due`, at the earliest one second from now. `isStored`: the store contains the same `due`.
  mutating func putBack(_ id: Feed.ID, due: Timestamp, isStored: Bool = false, now: Timestamp) {
    guard entries[id] != nil else { return }
    entries[id]?.isTaken = false
    if isStored { entries[id]?.stored = due.seconds }
    put(id, at: max(due.seconds, now.seconds + 1))
  }

  /// Makes a waiting feed due now.
  mutating func bringForward(_ id: Feed.ID, to now: Timestamp) {
    guard let entry = entries[id], !entry.isTaken, entry.due > now.seconds else { return }
    put(id, at: now.seconds)
  }

  /// Removes a feed that is not polled any more.
  mutating func remove(_ id: Feed.ID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    feedsPerSite[Int(entry.site)] -= 1
  }

  private mutating func put(_ id: Feed.ID, at due: Int64) {
    entries[id]?.due = due
    heap.insert(DueHeap.Slot(due: due, id: id))
  }

  /// Removes outdated slots from the top: their feed was removed, taken out or rescheduled.
  private mutating func dropStale() {
    while let first = heap.first {
      if let entry = entries[first.id], !entry.isTaken, entry.due == first.due { return }
      _ = heap.removeFirst()
    }
  }

  private mutating func siteNumber(of url: String) -> Int32 {
    let number = sites.number(of: url)
    while feedsPerSite.count < sites.count { feedsPerSite.append(0) }
    return number
  }
}

/// A binary heap of feeds by due time: insertion and removal of the first take O(log n).
struct DueHeap {
  struct Slot {
    /// Seconds since 1970.
    var due: Int64
    var id: Feed.ID
  }

  private(set) var slots: [Slot] = []

  var first: Slot? { slots.first }

  mutating func reserve(_ count: Int) { slots.reserveCapacity(count) }

  mutating func insert(_ slot: Slot) {
    slots.append(slot)
    var child = slots.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard slots[child].due < slots[parent].due else { return }
      slots.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Slot? {
    guard let first = slots.first, let last = slots.popLast() else { return nil }
    guard !slots.isEmpty else { return first }
    slots[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < slots.count && slots[child].due < slots[least].due {
        least = child
      }
      guard least != parent else { return first }
      slots.swapAt(least, parent)
      parent = least
    }
  }
}
