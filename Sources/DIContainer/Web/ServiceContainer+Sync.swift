import NewsCore

extension ServiceContainer {
  /// Makes the use case that sync clients share.
  ///
  /// - Returns: The use case.
  /// - Throws: When the store cannot be opened or created.
  func makeSyncStreams() throws(StoreError) -> SyncStreams {
    SyncStreams(
      store: try store(),
      transfer: try makeSubscriptionTransfer(),
      clock: clock,
      makeAdder: { [self] () throws(StoreError) -> FeedAdder in try makeFeedAdder() }
    )
  }
}
