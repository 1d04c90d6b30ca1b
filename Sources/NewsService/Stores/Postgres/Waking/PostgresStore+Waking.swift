package import NewsCore

extension PostgresStore {
  public func changeWaiter(for kinds: StoreChangeKinds, every interval: Duration) -> any ChangeAwaiting {
    ChangeWaiter(listener, for: kinds, wakeTiming)
  }
}
