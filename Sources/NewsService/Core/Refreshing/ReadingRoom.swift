/// Room for what bodies turn into, from the start of their reading until it is stored. Items with their HTML and text take
/// about twice the room of their document, and reading is faster than storing: bodies are read only as fast as there is
/// room.
struct ReadingRoom {
  private let limit: Int
  private let places: Int
  private var taken = 0
  private var shares: [Feed.ID: Int] = [:]
  private var readers = Set<Feed.ID>()
  private var waiting: [(id: Feed.ID, body: Int)] = []
  private(set) var isOpen = false

  /// - Parameters:
  ///   - limit: Bytes.
  ///   - places: Bodies read at a time.
  init(limit: Int, places: Int) {
    self.limit = limit
    self.places = max(1, places)
  }

  /// Bytes of bodies that wait.
  private(set) var backlog = 0

  /// Somebody waits for what only storing can give back.
  var isFull: Bool {
    guard let first = waiting.first else { return false }
    return !isOpen && !fits(first.body)
  }

  /// True: the body may be read at once; false: when `admitted` names its feed. A body larger than all room is let in
  /// alone; a feed that is in is not kept waiting again.
  mutating func enter(_ id: Feed.ID, body: Int) -> Bool {
    guard isOpen || shares[id] != nil || (waiting.isEmpty && readers.count < places && fits(body)) else {
      waiting.append((id, body))
      backlog += body
      return false
    }
    admit(id, body)
    return true
  }

  /// The feed's reading is over; `keeps`: what came of it waits to be stored.
  mutating func read(_ id: Feed.ID, keeps: Bool) {
    readers.remove(id)
    guard !keeps, let share = shares[id] else { return }
    taken -= share
    shares[id] = 0
  }

  /// What the feed brought is stored, or given up.
  mutating func leave(_ id: Feed.ID) {
    readers.remove(id)
    taken -= shares.removeValue(forKey: id) ?? 0
  }

  /// Keeps nobody waiting from now on.
  mutating func open() { isOpen = true }

  /// The next of those that wait, when it may be read now.
  mutating func admitted() -> Feed.ID? {
    guard let first = waiting.first, isOpen || (readers.count < places && fits(first.body)) else {
      return nil
    }
    waiting.removeFirst()
    backlog -= first.body
    admit(first.id, first.body)
    return first.id
  }

  private func fits(_ body: Int) -> Bool { taken == 0 || taken + 2 * body <= limit }

  private mutating func admit(_ id: Feed.ID, _ body: Int) {
    readers.insert(id)
    taken += 2 * body
    shares[id, default: 0] += 2 * body
  }
}
