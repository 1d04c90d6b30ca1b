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
}

// The SQL of these ports is in Core/Storing/Tables.
extension NewsStore: CredentialKeeping, FeedChangeReading, FeedIdentityKeeping, FeedReading,
  FolderSettingsKeeping,
  PollPlanKeeping, RuleKeeping, SavedSearchKeeping, StoreCopying
{}
