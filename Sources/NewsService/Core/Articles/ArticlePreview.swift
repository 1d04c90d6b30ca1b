/// Tries a feed's settings for articles on its newest items. Stores nothing.
public struct ArticlePreview: Sendable {
  /// An item with the feed's text, and the outcome of fetching its page: the article, or why it was refused.
  public struct Entry: Hashable, Sendable {
    public var job: ArticleJob
    public var outcome: ArticleRecord.Outcome
  }

  private let fetch: ArticleFetch
  private let store: any ArticleKeeping

  public init(fetch: ArticleFetch, store: any ArticleKeeping) {
    self.fetch = fetch
    self.store = store
  }

  /// Fetches the pages of the newest items, one after the other.
  public func entries(of feed: Feed.ID, limit: Int) async throws(StoreError) -> [Entry] {
    var entries: [Entry] = []
    for var job in try await store.newestArticles(of: feed, limit: limit) {
      job.validators = nil
      guard let record = await fetch.read(job, isUrgent: true) else { break }
      entries.append(Entry(job: job, outcome: record.outcome))
    }
    return entries
  }
}
