/// Limits the memory of parsed feeds, from the start of parsing until they are stored. Parsed items take about twice
/// the memory of their document, and parsing is faster than storing, so a body is parsed only when memory for it is
/// free.
struct ParseMemoryLimiter {
  private let limit: Int
  private let parsers: Int
  private var taken = 0
  private var shares: [Feed.ID: Int] = [:]
  private var parsing = Set<Feed.ID>()
  private var waiting: [(id: Feed.ID, body: Int)] = []
  private(set) var isOpen = false
  /// True while records are being stored. One processor is then left to the store, because it takes longer than parsing.
  var isStoring = false

  /// `limit` is in bytes of parsed feeds, `parsers` the number of bodies parsed concurrently.
  init(limit: Int, parsers: Int) {
    self.limit = limit
    self.parsers = max(1, parsers)
  }

  /// Bytes of bodies that wait to be parsed.
  private(set) var backlog = 0

  /// True: a body waits for memory that only storing can free.
  var isFull: Bool {
    guard let first = waiting.first else { return false }
    return !isOpen && !fits(first.body)
  }

  /// Requests memory to parse a body. A body larger than the limit is admitted alone. A feed that was
  /// admitted before need not wait again. Returns true to parse it now, false to wait until `admitted`
  /// returns this feed.
  mutating func enter(_ id: Feed.ID, body: Int) -> Bool {
    guard isOpen || shares[id] != nil || (waiting.isEmpty && hasFreeParser && fits(body)) else {
      waiting.append((id, body))
      backlog += body
      return false
    }
    admit(id, body)
    return true
  }

  /// Ends the parsing of the feed's body. `keepsFeed`: the parsed feed waits to be stored, so its memory stays counted.
  mutating func finishParsing(_ id: Feed.ID, keepsFeed: Bool) {
    parsing.remove(id)
    guard !keepsFeed, let share = shares[id] else { return }
    taken -= share
    shares[id] = 0
  }

  /// Frees the feed's memory after its items were stored or dropped.
  mutating func release(_ id: Feed.ID) {
    parsing.remove(id)
    taken -= shares.removeValue(forKey: id) ?? 0
  }

  /// Admits every body from now on.
  mutating func open() { isOpen = true }

  /// Returns the next waiting feed whose body may be parsed now.
  mutating func admitted() -> Feed.ID? {
    guard let first = waiting.first, isOpen || (hasFreeParser && fits(first.body)) else {
      return nil
    }
    waiting.removeFirst()
    backlog -= first.body
    admit(first.id, first.body)
    return first.id
  }

  private var hasFreeParser: Bool { parsing.count < (isStoring ? max(1, parsers - 1) : parsers) }

  private func fits(_ body: Int) -> Bool { taken == 0 || taken + 2 * body <= limit }

  private mutating func admit(_ id: Feed.ID, _ body: Int) {
    parsing.insert(id)
    taken += 2 * body
    shares[id, default: 0] += 2 * body
  }
}
