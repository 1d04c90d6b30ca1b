import NewsCore

/// Tells for some periods that a key is certainly not in the table `story_keys`, so that most look-ups need no query:
/// most items share their story with no other.
///
/// Items with a key in common may tell the same story. Keys are stored by period of 24 days (`StoryPeriod`). A period
/// is covered if it had no keys when it was first asked for, and only this connection has added keys since. The keys
/// are in a Bloom filter of 512 KiB, so about one look-up in a hundred is made in vain.
struct StoryKeyFilter {
  /// Number of blocks of 512 bits. All bits of a key are in one block, which is one cache line.
  private static let blockCount = 8192
  private static let wordsInBlock = 8
  /// Number of keys above which the filter would let too many look-ups pass.
  static let capacity = 400_000

  private var words: [UInt64] = []
  private var count = 0
  private var coverage: [Int64: Bool] = [:]
  private var version: Int64?

  /// Starts a transaction. If `version`, SQLite's `data_version`, differs from that of the last transaction,
  /// another connection has changed the store, and nothing is certain any more.
  mutating func begin(version: Int64?) {
    guard version != self.version else { return }
    self.version = version
    count = 0
    coverage = [:]
    words = []
  }

  /// True if the keys of the period are known. `isEmpty` returns whether the period has no keys yet; it is called only
  /// when the period is asked for the first time.
  mutating func covers(_ period: Int64, _ isEmpty: () throws(StoreError) -> Bool) throws(StoreError) -> Bool {
    guard count <= Self.capacity else { return false }
    if let known = coverage[period] { return known }
    let isEmpty = try isEmpty()
    coverage[period] = isEmpty
    return isEmpty
  }

  /// False if the key of a covered period is certainly not stored.
  func mayContain(_ key: Int64, in period: Int64) -> Bool {
    guard !words.isEmpty else { return false }
    let place = Place(key, period)
    return (0..<Place.bitCount).allSatisfy { words[place.word($0)] & place.mask($0) != 0 }
  }

  /// Adds a key that the connection stores.
  mutating func insert(_ key: Int64, in period: Int64) {
    guard coverage[period] == true else { return }
    if words.isEmpty { words = Array(repeating: 0, count: Self.blockCount * Self.wordsInBlock) }
    let place = Place(key, period)
    for number in 0..<Place.bitCount { words[place.word(number)] |= place.mask(number) }
    count += 1
  }

  /// The positions of a key's bits in the filter.
  private struct Place {
    static let bitCount = 5
    private let hash: UInt64

    init(_ key: Int64, _ period: Int64) {
      // Most keys are small numbers, so spread them with the multipliers of MurmurHash3's finalizer.
      var hash = UInt64(bitPattern: key) ^ UInt64(bitPattern: period) << 48
      hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
      hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
      self.hash = hash ^ hash >> 33
    }

    /// The low 13 bits of the hash choose the block; each further group of 9 bits chooses one bit of the block.
    private func bit(_ number: Int) -> Int { Int(truncatingIfNeeded: hash >> UInt64(13 + 9 * number)) & 511 }

    func word(_ number: Int) -> Int {
      (Int(truncatingIfNeeded: hash) & (blockCount - 1)) * wordsInBlock + bit(number) >> 6
    }

    func mask(_ number: Int) -> UInt64 { 1 << UInt64(bit(number) & 63) }
  }
}
