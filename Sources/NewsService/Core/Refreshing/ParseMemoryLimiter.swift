/// Limits the memory of the parsed feeds of one loop, from the start of parsing until they are stored, and takes it from the
/// memory of the process. Parsing is faster than storing, so a body is parsed only when memory for it is free.
struct ParseMemoryLimiter {
  /// A feed that has memory.
  private struct Share {
    let claim: MemoryBudget.Claim
    var bytes: Int
  }

  private let limit: Int
  private let parsers: Int
  private let memory: MemoryBudget.Asker
  private var taken = 0
  private var shares: [Feed.ID: Share] = [:]
  private var parsing = Set<Feed.ID>()
  private var waiting: [(id: Feed.ID, body: Int)] = []
  private(set) var isOpen = false
  /// True while records are being stored. One processor is then left to the store, because it takes longer than parsing.
  var isStoring = false

  /// `limit` is in bytes of parsed feeds, `parsers` the number of bodies parsed concurrently. `wake` is called from any thread
  /// when others have freed memory for which a body waits: call `admitted` then.
  init(
    limit: Int,
    parsers: Int,
    of memory: MemoryBudget,
    account: String,
    wake: @escaping @Sendable () -> Void
  ) {
    self.limit = limit
    self.parsers = max(1, parsers)
    self.memory = memory.asker(of: account, wake: wake)
  }

  /// Bytes of bodies that wait to be parsed.
  private(set) var backlog = 0

  /// True: a body waits for memory that only storing can free.
  var isFull: Bool {
    guard let first = waiting.first, !isOpen else { return false }
    return taken > limit || !memory.mayTake(MemoryBudget.estimate(ofBody: first.body))
  }

  /// Requests memory to parse a body; the last one may exceed the limit. Returns true to parse it now, false to wait until
  /// `admitted` returns this feed.
  mutating func enter(_ id: Feed.ID, body: Int) -> Bool {
    guard isOpen || waiting.isEmpty, admit(id, body) else {
      waiting.append((id, body))
      backlog += body
      return false
    }
    return true
  }

  /// Ends the parsing of the feed's body. `bytes` is the memory of the parsed feed, which waits to be stored; nil: there is none.
  mutating func finishParsing(_ id: Feed.ID, bytes: Int?) {
    guard let bytes else { return release(id) }
    parsing.remove(id)
    guard let former = shares[id]?.bytes else { return }
    taken += bytes - former
    shares[id]?.bytes = bytes
    shares[id]?.claim.made(bytes)
  }

  /// Frees the feed's memory after its items were stored or dropped.
  mutating func release(_ id: Feed.ID) {
    parsing.remove(id)
    taken -= shares.removeValue(forKey: id)?.bytes ?? 0
  }

  /// Admits every body from now on.
  mutating func open() {
    isOpen = true
    memory.withdraw()
  }

  /// Lets others parse large bodies although the memory of this loop is not free, because the store
  /// cannot be written.
  func giveUpTurn() {
    for share in shares.values { share.claim.giveUpTurn() }
  }

  /// Returns the next waiting feed whose body may be parsed now.
  mutating func admitted() -> Feed.ID? {
    guard let first = waiting.first else {
      memory.withdraw()
      return nil
    }
    guard admit(first.id, first.body) else { return nil }
    waiting.removeFirst()
    backlog -= first.body
    return first.id
  }

  private var hasFreeParser: Bool { parsing.count < (isStoring ? max(1, parsers - 1) : parsers) }

  /// Takes memory for the body. Returns false if it must wait.
  private mutating func admit(_ id: Feed.ID, _ body: Int) -> Bool {
    let bytes = MemoryBudget.estimate(ofBody: body)
    if isOpen {
      add(Share(claim: memory.takeAnyway(bytes), bytes: bytes), to: id)
    } else {
      guard hasFreeParser, taken <= limit else {
        // Others need not wait behind this loop.
        memory.withdraw()
        return false
      }
      guard let claim = memory.take(bytes) else { return false }
      add(Share(claim: claim, bytes: bytes), to: id)
    }
    parsing.insert(id)
    return true
  }

  private mutating func add(_ share: Share, to id: Feed.ID) {
    taken += share.bytes
    shares[id] = share
  }
}

/// Memory for parsed feeds, from the start of parsing until they are stored or dropped. Ordinary documents take about twice their
/// bytes once they are parsed, but one whose items have a single short field takes 66 times as much. So a document counts as a
/// dense one while it is parsed.
extension MemoryBudget {
  /// `documents` is the memory for documents in bytes. Parsed feeds may take one and a half times as much: those of one transaction,
  /// and those of the next, which are parsed meanwhile.
  public convenience init(
    documents: Int,
    patience: Duration = .seconds(10),
    whileOverdue: Duration = .seconds(1)
  ) {
    self.init(limit: documents / 2 * 3, patience: patience, whileOverdue: whileOverdue)
  }

  /// The bytes with which a document counts while it is parsed.
  static func estimate(ofBody bytes: Int) -> Int { 64 * bytes }

  /// Waits for the memory of a document with so many bytes. Returns nil if the task is cancelled while it waits.
  func claim(forBody bytes: Int, of account: String) async -> Claim? {
    await claim(Self.estimate(ofBody: bytes), of: account)
  }
}
