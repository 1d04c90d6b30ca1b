import NewsSearch
import NewsStoresShared
import NewsCore

/// Compares the full-text index of a large or read-only store with the texts of the items.
///
/// FTS5's own check holds the write lock and one snapshot while it reads, which takes minutes for a million items. Here
/// the index is read in portions, each in its own snapshot. The postings of each item are added to a sum, and the words
/// of its texts must have the same sum. Items that changed in between are skipped.
struct IndexInspection {
  private let store: NewsStore
  private let limits: CheckLimits
  private let sums: PostingSums
  /// The number of the last change before the index was read.
  private let start: Int64

  static let problem = StoreProblem(
    kind: .index,
    message: "the full-text index does not agree with the items",
    isRepairable: true
  )

  /// Compares the index with the texts and returns the problems. Calls `step` after each portion with the estimated
  /// progress.
  static func problems(
    _ store: NewsStore,
    step: (_ done: Int, _ total: Int) -> Void
  ) async throws(StoreError) -> [StoreProblem] {
    do {
      return try await IndexInspection(store).agrees(step) ? [] : [problem]
    } catch  where error.code == .corrupt {
      // Tables and pages were checked before, so only the index can be damaged.
      return [problem]
    }
  }

  private init(_ store: NewsStore) async throws(StoreError) {
    self.store = store
    limits = store.options.checkLimits
    let (keys, start) = try await store.read { (connection) throws(StoreError) -> ([Int64], Int64) in
      let keys = try connection.rows("SELECT key FROM items ORDER BY key") { $0.int64(0) }
      return (keys, try connection.value(of: .sequence))
    }
    sums = PostingSums(keys)
    self.start = start
  }

  /// Postings per portion, as a multiple of items per portion. Portions are large, because each begins by skipping the
  /// postings of its first word that earlier portions have read.
  private static let postingsPerItem = 50

  private func agrees(_ step: (_ done: Int, _ total: Int) -> Void) async throws(StoreError) -> Bool {
    var place: PostingWalk.Place? = PostingWalk.Place()
    while let after = place {
      let (end, strays) = try await store.read {
        (connection) throws(StoreError) -> (PostingWalk.Place?, Int) in
        var walk = PostingWalk(sums, connection)
        let postings = limits.portion * Self.postingsPerItem
        let end = try walk.read(from: after, rows: postings, milliseconds: limits.portionMilliseconds)
        return (end, walk.strays)
      }
      guard strays == 0 else { return false }
      place = end
      step(Self.estimate(end), 100)
    }
    var last: Int64? = .min
    var done = 0
    while let after = last {
      let portion = try await store.read { (connection) throws(StoreError) in
        try texts(after: after, connection)
      }
      guard portion.agrees else { return false }
      last = portion.last
      done += portion.count
      step(50 + 50 * min(done, sums.count) / max(sums.count, 1), 100)
    }
    return try await store.read { (connection) throws(StoreError) in
      let rows = try connection.number("SELECT count(*) FROM search_docsize") ?? 0
      return try connection.value(of: .items) == rows
    }
  }

  /// Estimates the progress of the whole check at a position in the index, in percent: at most 50, because
  /// the comparison with the texts is the second half. Uses the first letter of a word, which in most texts
  /// is a digit or an ASCII letter.
  private static func estimate(_ place: PostingWalk.Place?) -> Int {
    guard let place else { return 50 }
    let (first, last) = (UInt8(ascii: "0"), UInt8(ascii: "z"))
    let letter = min(max(place.word.first ?? first, first), last)
    return 50 * Int(letter - first) / Int(last - first)
  }

  private struct Portion {
    var agrees = true
    var count = 0
    /// The last key of the portion; nil at the end of the items.
    var last: Int64?
  }

  /// Compares the texts of one portion of items with their sums.
  private func texts(after: Int64, _ connection: Connection) throws(StoreError) -> Portion {
    let deadline = ContinuousClock.now + .milliseconds(limits.portionMilliseconds)
    let row = try connection.prepare(
      """
      SELECT i.key, i.sequence, d.id IS NULL, c.text, i.title, c.author FROM items AS i
      LEFT JOIN contents AS c ON c.id = i.id LEFT JOIN search_docsize AS d ON d.id = i.key
      WHERE i.key > $1 ORDER BY i.key
      """
    )
    try row.bind([.integer(after)])
    var portion = Portion()
    while try row.step() {
      let key = row.int64(0)
      guard !row.bool(2) else {
        portion.agrees = false
        return portion
      }
      portion.count += 1
      portion.last = key
      // Compare only items that have not changed since the index was read; a change gives an item a higher
      // number.
      if row.int64(1) <= start {
        var sum: UInt64 = 0
        for column in 0..<3 { sum &+= Self.sum(row, column) }
        guard sum == sums[key] else {
          portion.agrees = false
          return portion
        }
      }
      if portion.count == limits.portion || ContinuousClock.now > deadline { return portion }
    }
    portion.last = nil
    return portion
  }

  /// Returns the sum over the words of a text, in a column of the index.
  private static func sum(_ row: borrowing Statement, _ column: Int) -> UInt64 {
    row.withBytes(Int32(column + 3)) { bytes in
      var sum: UInt64 = 0
      var position = -1
      WordTokenizer.tokenize(bytes.assumingMemoryBound(to: UInt8.self), mode: .document) { token in
        // FTS5 gives a colocated token the position of the token before it.
        if !token.isColocated || position < 0 { position += 1 }
        sum &+= PostingSums.posting(PostingSums.word(UnsafeRawBufferPointer(token.bytes)), column, position)
        return true
      }
      return sum
    }
  }
}

/// A sum for each item over its postings: a word in a column at a position.
final class PostingSums {
  /// The keys of the items, in ascending order.
  private let keys: [Int64]
  private var sums: [UInt64]
  /// The index of the last item found. The postings of a word are in the order of items, so the next item is near.
  private var place = 0

  init(_ keys: [Int64]) {
    self.keys = keys
    sums = Array(repeating: 0, count: keys.count)
  }

  var count: Int { keys.count }

  /// The sum of an item; zero for an unknown item.
  subscript(key: Int64) -> UInt64 { index(of: key).map { sums[$0] } ?? 0 }

  /// Adds a posting to the sum of an item. Returns false if the item is unknown.
  func add(_ posting: UInt64, to key: Int64) -> Bool {
    guard let index = index(of: key) else { return false }
    sums[index] &+= posting
    return true
  }

  private func index(of key: Int64) -> Int? {
    var low = place
    if low >= keys.count || keys[low] > key { low = 0 }
    // Double the step until it passes the key, then halve the range.
    var high = low
    var step = 1
    while high < keys.count, keys[high] < key {
      low = high + 1
      high += step
      step *= 2
    }
    high = min(high, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    guard low < keys.count, keys[low] == key else { return nil }
    place = low
    return low
  }

  static func word(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = StableHash()
    hash.add(bytes)
    return UInt64(bitPattern: hash.value)
  }

  static func posting(_ word: UInt64, _ column: Int, _ position: Int) -> UInt64 {
    var hash = StableHash()
    hash.add(word)
    hash.add(UInt64(truncatingIfNeeded: column) << 56 ^ UInt64(truncatingIfNeeded: position))
    return UInt64(bitPattern: hash.value)
  }
}

/// Reads the postings of the index by word and item.
struct PostingWalk {
  /// The next postings to read.
  struct Place: Sendable {
    var word: [UInt8] = []
    var key: Int64 = .min
  }

  private let sums: PostingSums
  private let connection: Connection
  /// Items that were stored after the reading of the index began.
  private var newItems: Set<Int64> = []
  /// Number of postings of items that do not exist.
  private(set) var strays = 0

  init(_ sums: PostingSums, _ connection: Connection) {
    self.sums = sums
    self.connection = connection
  }

  /// Reads the postings of at least one item, and continues until `rows` or `milliseconds` are used up. Returns the
  /// position of the next postings; nil at the end.
  mutating func read(from start: Place, rows: Int, milliseconds: Int64) throws(StoreError) -> Place? {
    try connection.execute(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.postings USING fts5vocab(main, search, instance)"
    )
    let row = try connection.prepare("SELECT term, doc, col, offset FROM temp.postings WHERE term >= ?")
    try row.bind(1, text: start.word)
    var deadline: ContinuousClock.Instant?
    var place = start
    var word = start.word.withUnsafeBytes(PostingSums.word)
    var count = 0
    while try row.step() {
      let key = row.int64(1)
      let isSameWord = row.withBytes(0) { $0.elementsEqual(place.word) }
      // Skip postings that earlier portions have read.
      if isSameWord, deadline == nil, key < start.key { continue }
      let next = isSameWord ? nil : row.bytes(0)
      if let deadline, next != nil || key != place.key {
        let isFull = count >= rows || count & 0xFF == 0 && ContinuousClock.now > deadline
        if isFull { return Place(word: next ?? place.word, key: key) }
      } else if deadline == nil {
        deadline = ContinuousClock.now + .milliseconds(milliseconds)
      }
      if let next {
        guard place.word.lexicographicallyPrecedes(next) else { throw Self.disorder }
        place.word = next
        word = next.withUnsafeBytes(PostingSums.word)
      } else if key < place.key {
        throw Self.disorder
      }
      place.key = key
      count += 1
      // The lengths of the names text, title and author give the column numbers 0, 1 and 2.
      let column = row.withBytes(2) { $0.count } - 4
      guard !sums.add(PostingSums.posting(word, column, row.int(3)), to: key), !newItems.contains(key) else {
        continue
      }
      if try exists(key) { newItems.insert(key) } else { strays += 1 }
    }
    return nil
  }

  private func exists(_ key: Int64) throws(StoreError) -> Bool {
    try connection.number("SELECT 1 FROM items WHERE key = $1", key) != nil
  }

  private static let disorder = StoreError(
    code: .corrupt,
    message: "the words of the full-text index are not in order"
  )
}
