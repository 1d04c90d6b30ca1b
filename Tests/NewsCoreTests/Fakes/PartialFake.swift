import NewsCore

/// A fake of a port that a test calls in part: what it does not call fails.
protocol PartialFake {}

private let uncalled = StoreError(code: .other, message: "the test does not fake this")

extension FeedKeeping where Self: PartialFake {
  func moveFolder(_ folder: String, to name: String?) async throws(StoreError) { throw uncalled }
  func madeFolders() async throws(StoreError) -> [MadeFolder] { throw uncalled }
  func makeFolder(_ folder: MadeFolder) async throws(StoreError) { throw uncalled }
  func folderSettings(_ folder: String) async throws(StoreError) -> FeedSettings { throw uncalled }
  func keep(_ settings: FeedSettings, forFolder folder: String) async throws(StoreError) { throw uncalled }
  func identity(of id: Feed.ID) async throws(StoreError) -> FeedIdentity { throw uncalled }
  func setIdentity(of id: Feed.ID, to policy: String?) async throws(StoreError) { throw uncalled }
}

extension ArrivalStoring where Self: PartialFake {
  func prepared(_ record: RefreshRecord) -> RefreshRecord { record }
  func rescheduleAll(within bounds: ClosedRange<Int64>) async throws(StoreError) { throw uncalled }
  func importFeeds(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport {
    throw uncalled
  }
}

extension DefinitionKeeping where Self: PartialFake {
  func savedSearches() async throws(StoreError) -> [SavedSearch] { throw uncalled }
  func savedSearch(named name: String) async throws(StoreError) -> SavedSearch? { throw uncalled }
  func save(_ search: SavedSearch, at time: Timestamp) async throws(StoreError) { throw uncalled }
  func removeSavedSearch(named name: String) async throws(StoreError) -> Bool { throw uncalled }
  func recentSearches(limit: Int) async throws(StoreError) -> [String] { throw uncalled }
  func remember(search query: String, at time: Timestamp) async {}
}
