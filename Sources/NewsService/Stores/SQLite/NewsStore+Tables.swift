import NewsStoresShared
import Glibc
package import NewsCore

extension NewsStore: TableStore {
  package func snapshot<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await read(body)
  }

  package func transaction<Result: Sendable>(
    _ body: @Sendable (Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await write(body)
  }

  /// Pauses, because other processes retry the lock every few milliseconds. Without a pause, they would always find the
  /// lock held.
  package func letOthersWrite() { usleep(20_000) }
}

// The SQL of these ports is in Stores/Shared/Tables, that of `StoreCopying` in Stores/Shared/Copying.
extension NewsStore: ArticleKeeping, CredentialKeeping, FeedChangeReading, FeedIdentityKeeping, FeedReading,
  FolderSettingsKeeping, ItemImporting, ItemMarking, ItemVersionReading, PollPlanKeeping, RuleKeeping,
  SavedSearchKeeping,
  StoreCopying
{}
