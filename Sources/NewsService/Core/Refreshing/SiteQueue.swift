/// Queues work per site: round-robin between sites, with a limit on concurrent work per site.
struct SiteQueue<Work> {
  private struct Site {
    var waiting: [Work] = []
    /// Index of the first element of `waiting` that was not taken yet.
    var head = 0
    var inFlight = 0
    var isReady = false
  }

  private var sites: [Site] = []
  private var indexes: [String: Int] = [:]
  /// Sites with waiting work and a free slot, in round-robin order.
  private var ready: [Int] = []
  private var readyHead = 0
  private let limit: Int
  /// Number of waiting pieces of work.
  private(set) var count = 0

  /// At most `limit` jobs run per site at once.
  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Returns the number of a site, assigned at the first call.
  mutating func index(of site: String) -> Int {
    if let index = indexes[site] { return index }
    sites.append(Site())
    indexes[site] = sites.count - 1
    return sites.count - 1
  }

  mutating func append(_ work: Work, site: Int) {
    sites[site].waiting.append(work)
    count += 1
    makeReady(site)
  }

  /// Returns the next piece of work that may start, and its site; nil when no site has both waiting work and a free
  /// slot.
  mutating func next() -> (work: Work, site: Int)? {
    guard readyHead < ready.count else { return nil }
    let site = ready[readyHead]
    readyHead += 1
    if readyHead > 1024, readyHead * 2 > ready.count {
      ready.removeFirst(readyHead)
      readyHead = 0
    }
    sites[site].isReady = false
    let work = sites[site].waiting[sites[site].head]
    sites[site].head += 1
    if sites[site].head == sites[site].waiting.count {
      sites[site].waiting = []
      sites[site].head = 0
    }
    sites[site].inFlight += 1
    count -= 1
    makeReady(site)
    return (work, site)
  }

  /// Frees the slot of a finished piece of work.
  mutating func ended(site: Int) {
    sites[site].inFlight -= 1
    makeReady(site)
  }

  /// Removes and returns all waiting work.
  mutating func removeAll() -> [Work] {
    var rest: [Work] = []
    for index in sites.indices {
      rest += sites[index].waiting[sites[index].head...]
      sites[index].waiting = []
      sites[index].head = 0
      sites[index].isReady = false
    }
    ready = []
    readyHead = 0
    count = 0
    return rest
  }

  private mutating func makeReady(_ site: Int) {
    guard !sites[site].isReady, sites[site].inFlight < limit, sites[site].head < sites[site].waiting.count
    else {
      return
    }
    sites[site].isReady = true
    ready.append(site)
  }
}
