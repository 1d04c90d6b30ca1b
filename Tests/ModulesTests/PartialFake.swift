import NewsCore

/// A fake of a port that a test calls in part: what it does not call fails.
protocol PartialFake {}

private let uncalled = StoreError(code: .other, message: "the test does not fake this")

extension FeedKeeping where Self: PartialFake {
  func feeds() async throws(StoreError) -> [Feed] { throw uncalled }
  func feeds(_ window: FeedWindow) async throws(StoreError) -> (feeds: [Feed], totals: FeedWindow.Totals) {
    throw uncalled
  }
  func folders() async throws(StoreError) -> [String] { throw uncalled }
  func hiddenFeeds() async throws(StoreError) -> [Feed.ID] { [] }
  func feed(named name: String) async throws(StoreError) -> Feed { throw uncalled }
  func add(_ feed: NewFeed, at time: Timestamp) async throws(StoreError) -> Feed { throw uncalled }
  func add(
    _ feeds: [NewFeed],
    at time: Timestamp
  ) async throws(StoreError) -> (added: [Feed], duplicates: [NewFeed]) { throw uncalled }
  func remove(_ id: Feed.ID) async throws(StoreError) { throw uncalled }
  func rename(_ id: Feed.ID, to title: String) async throws(StoreError) { throw uncalled }
  func move(_ id: Feed.ID, to position: Int) async throws(StoreError) { throw uncalled }
  func arrange(_ ids: [Feed.ID]) async throws(StoreError) { throw uncalled }
  func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError) { throw uncalled }
  func update(
    _ id: Feed.ID,
    settings: FeedSettings,
    general: ClosedRange<Int64>
  ) async throws(StoreError) { throw uncalled }
  func update(_ id: Feed.ID, url: String) async throws(StoreError) { throw uncalled }
  func moveFolder(_ folder: String, to name: String?) async throws(StoreError) { throw uncalled }
  func madeFolders() async throws(StoreError) -> [MadeFolder] { throw uncalled }
  func makeFolder(_ folder: MadeFolder) async throws(StoreError) { throw uncalled }
  func folderSettings(_ folder: String) async throws(StoreError) -> FeedSettings { throw uncalled }
  func keep(_ settings: FeedSettings, forFolder folder: String) async throws(StoreError) { throw uncalled }
  func identity(of id: Feed.ID) async throws(StoreError) -> FeedIdentity { throw uncalled }
  func setIdentity(of id: Feed.ID, to policy: String?) async throws(StoreError) { throw uncalled }
}

extension ItemReading where Self: PartialFake {
  func items(_ request: ItemRequest) async throws(StoreError) -> [ItemMatch] { throw uncalled }
  func count(_ request: ItemRequest) async throws(StoreError) -> Int { throw uncalled }
  func forEachBatch(
    _ request: ItemRequest,
    of size: Int,
    _ consume: @Sendable ([ItemMatch]) throws -> Bool
  ) async throws { throw uncalled }
  func item(_ id: NewsItem.ID) async throws(StoreError) -> NewsItem { throw uncalled }
  func textSizes(of ids: [NewsItem.ID], within bytes: Int) async throws(StoreError) -> [Int] {
    throw uncalled
  }
  func activity(_ query: Query) async throws(StoreError) -> [DayCount] { throw uncalled }
  func versions(of id: NewsItem.ID, newest count: Int) async throws(StoreError) -> [ItemVersion] {
    throw uncalled
  }
  func itemsOfStory(of id: NewsItem.ID, limit: Int) async throws(StoreError) -> [NewsItem] { throw uncalled }
  func entries(_ request: StreamRequest, offset: Int, limit: Int) async throws(StoreError) -> [StreamEntry] {
    throw uncalled
  }
  func page(_ request: StreamRequest, offset: Int, limit: Int) async throws(StoreError) -> (
    total: Int, entries: [StreamEntry]
  ) { throw uncalled }
  func streamItems(_ ids: [NewsItem.ID], within bytes: Int) async throws(StoreError) -> (
    items: [StreamItem], count: Int
  ) { throw uncalled }
  func streamNames() async throws(StoreError) -> StreamNames { throw uncalled }
  func streamFolders() async throws(StoreError) -> (ofFeeds: [String], made: [MadeFolder]) { throw uncalled }
  func itemLabels() async throws(StoreError) -> [ItemLabel] { throw uncalled }
  func labelNames() async throws(StoreError) -> [String] { throw uncalled }
  func newestEntries() async throws(StoreError) -> [Feed.ID: StreamEntry] { throw uncalled }
  func streamTotals() async throws(StoreError) -> StreamTotals { throw uncalled }
}

extension ItemMarking where Self: PartialFake {
  func mark(_ marks: [LateMark]) async throws(StoreError) -> [(mark: LateMark, refusal: LateMark.Refusal)] {
    throw uncalled
  }
  func edit(_ ids: [NewsItem.ID], _ edit: StreamEdit) async throws(StoreError) -> [NewsItem.ID] {
    throw uncalled
  }
  func hooks(with event: HookEvent) async throws(StoreError) -> [String] { throw uncalled }
  func save(_ ids: [NewsItem.ID]) async throws(StoreError) -> [NewsItem.ID] { throw uncalled }
  func markRead(_ request: StreamRequest) async throws(StoreError) -> Int { throw uncalled }
  func relabel(_ label: String, to name: String?) async throws(StoreError) { throw uncalled }
}

extension DefinitionKeeping where Self: PartialFake {
  func rules() async throws(StoreError) -> [Rule] { throw uncalled }
  func addRule(_ query: String, do actions: [RuleAction], until: Timestamp?, at time: Timestamp)
    async throws(StoreError) -> Rule
  {
    throw uncalled
  }
  func changeRule(_ number: Int, _ change: RuleChange, at time: Timestamp) async throws(StoreError) -> Rule? {
    throw uncalled
  }
  func removeRule(_ number: Int) async throws(StoreError) -> Bool { throw uncalled }
  func savedSearches() async throws(StoreError) -> [SavedSearch] { throw uncalled }
  func savedSearch(named name: String) async throws(StoreError) -> SavedSearch? { throw uncalled }
  func save(_ search: SavedSearch, at time: Timestamp) async throws(StoreError) { throw uncalled }
  func removeSavedSearch(named name: String) async throws(StoreError) -> Bool { throw uncalled }
  func recentSearches(limit: Int) async throws(StoreError) -> [String] { throw uncalled }
  func remember(search query: String, at time: Timestamp) async {}
}

extension ChangeReading where Self: PartialFake {
  func fileState() async -> StoreFileState { .intact }
  func reopen() async throws(StoreError) { throw uncalled }
  func revision() async throws(StoreError) -> Int64 { throw uncalled }
}

extension QuotaKeeping where Self: PartialFake {
  func quota() async throws(StoreError) -> StoreQuota { StoreQuota() }
  func change(_ changes: [QuotaChange]) async throws(StoreError) { throw uncalled }
  func pruneToQuota() async throws(StoreError) -> Int { 0 }
}

extension StoreMaintaining where Self: PartialFake {
  func check(progress: @escaping StoreProgressHandler) async throws(StoreError) -> [StoreProblem] {
    throw uncalled
  }
  func repair(progress: @escaping StoreProgressHandler) async throws(StoreError) -> StoreRepair {
    throw uncalled
  }
  func noteRestore() async throws(StoreError) -> String { throw uncalled }
  func noteTime(_ now: Timestamp) async throws(StoreError) -> Timestamp? { throw uncalled }
  func backup(to path: String, progress: @escaping StoreProgressHandler) async throws(StoreError) {
    throw uncalled
  }
  func restore(
    from path: String,
    into account: RestoredAccount?,
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> StoreRestore { throw uncalled }
  func compact(
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> (before: Int64, after: Int64) { throw uncalled }
  func prune(
    _ rules: RetentionRules,
    at now: Timestamp,
    dryRun: Bool,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws(StoreError) -> PruneReport { throw uncalled }
}

extension ArrivalStoring where Self: PartialFake {
  func prepared(_ record: RefreshRecord) -> RefreshRecord { record }
  func feedListVersion() async throws(StoreError) -> Int64? { throw uncalled }
  func dueFeeds() async throws(StoreError) -> [DueFeed] { throw uncalled }
  func feed(_ id: Feed.ID) async throws(StoreError) -> Feed { throw uncalled }
  func commit(_ records: [RefreshRecord]) async throws(StoreError) -> [RefreshChange] { throw uncalled }
  func probeWriting() async throws(StoreError) { throw uncalled }
  func recentTimes(of id: Feed.ID, limit: Int) async throws(StoreError) -> [Timestamp] { throw uncalled }
  func rescheduleAll(within bounds: ClosedRange<Int64>) async throws(StoreError) { throw uncalled }
  func importFeeds(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport {
    throw uncalled
  }
  func ingest(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport {
    throw uncalled
  }
}
