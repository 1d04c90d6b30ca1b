package import NewsCore

/// Counts the candidates with which the items of each feed have been compared in one transaction.
package struct StoryBudget {
  /// Number of candidates after which further items of the feed are stored without looking for their stories; later items can still
  /// find them. Bounds the work for one document in which all items are alike: 50,000 with one link and short titles, each compared
  /// with 64 others, took twelve seconds. A document with a thousand such items is compared as a whole.
  private static let maximum = 1024 * StoryPeriod.maximumCandidates

  private var compared: [Feed.ID: Int] = [:]

  package init() {}

  package func isSpent(_ feed: Feed.ID) -> Bool { compared[feed, default: 0] >= Self.maximum }

  package mutating func spend(_ candidates: Int, of feed: Feed.ID) {
    compared[feed, default: 0] += candidates
  }
}
