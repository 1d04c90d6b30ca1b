/// Marks the stored hash of a body with the version of what newsd keeps of a document.
///
/// When newsd learns to keep more, the version rises. A hash with another mark tells that the items of a feed lack what
/// this version keeps, so the feed is once fetched without validators and parsed again, even if it is unchanged.
enum ParsedBody {
  /// The lowest bits of a hash hold the mark. An older hash has this mark by chance once in 65,536 feeds; such a feed is
  /// parsed again when it changes.
  private static let bits: UInt64 = 0xFFFF
  /// Version 1 kept no media of items and marked no hash; version 2 kept neither frames nor MathML.
  private static let version: UInt64 = 3

  static func mark(of body: [UInt8]) -> UInt64 { BodyHash.of(body) & ~bits | version }

  static func isMarked(_ hash: UInt64) -> Bool { hash & bits == version }

  /// True if the stored hash, marked or not, is that of the same body.
  static func isHash(_ stored: UInt64?, of hash: UInt64) -> Bool {
    stored.map { $0 & ~bits == hash & ~bits } ?? false
  }
}

extension FetchState {
  private static let day: Int64 = 86_400

  /// True if this poll must fetch and parse the whole document, because the items of the last document were stored by
  /// an older newsd. Each feed has its own time of day for this, so that the polls of all feeds are spread over a day.
  func learnsAgain(as feed: Feed.ID, at now: Timestamp) -> Bool {
    guard let bodyHash, !ParsedBody.isMarked(bodyHash) else { return false }
    guard let lastFetched, lastFetched <= now, now - lastFetched < Self.day else { return true }
    // Multiplying by a prime spreads consecutive ids.
    let start = Int64(UInt64(bitPattern: feed.rawValue) &* 40_503 % UInt64(Self.day))
    func dayNumber(_ time: Timestamp) -> Int64 { (time.seconds + Self.day - start) / Self.day }
    return dayNumber(now) > dayNumber(lastFetched)
  }
}
