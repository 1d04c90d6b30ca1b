package import NewsCore

/// Divides time into numbered periods. The keys by which items of the same story are found are stored by
/// period.
package enum StoryPeriod {
  /// Maximum time between two items that count as one story because of their texts alone, in seconds.
  package static let span: Int64 = 3 * 86_400
  /// Maximum number of candidates that are compared with a new item. Bounds the work for a text that a thousand feeds
  /// repeat.
  package static let maximumCandidates = 64
  /// Number of bytes of these candidates' titles after which no further one is compared. Bounds the work for many long
  /// titles that are alike.
  package static let maximumTitleBytes = 8 << 10

  /// Seconds from 1900-01-01 to 1970-01-01. Earlier times count as 1900-01-01.
  private static let epoch: Int64 = 2_208_988_800

  /// The 24-day period of a time. Keys are partitioned by it, so that an item is compared only with items of about the
  /// same time, and storing it writes few pages. The three days before and after an item fall into at most two periods.
  package static func number(of time: Timestamp) -> Int64 {
    (min(max(time.seconds, -epoch), 1 << 50) + epoch) / (8 * span)
  }

  /// Returns the periods that contain the candidates for an item of this time.
  package static func numbers(around time: Timestamp) -> [Int64] {
    let (first, last) = (number(of: time - span), number(of: time + span))
    return first == last ? [first] : [first, last]
  }
}
