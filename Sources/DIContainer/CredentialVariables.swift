import NewsCore

/// Names of the environment variables that hold feeds' credentials (`credential: env:NAME`). Reads them again after
/// a change to the feeds or their settings.
actor CredentialVariables {
  private let store: @Sendable () -> (any FeedKeeping & ArrivalStoring)?
  private var known: (version: Int64, names: Set<String>)?

  /// `store` returns the store if it is open. It is open whenever a program runs, because programs run for
  /// feeds or items of the store.
  init(store: @escaping @Sendable () -> (any FeedKeeping & ArrivalStoring)?) {
    self.store = store
  }

  func names() async -> Set<String> {
    guard let store = store() else { return [] }
    let version = (try? await store.feedListVersion()) ?? nil
    if let known, known.version == version { return known.names }
    guard let feeds = try? await store.feeds() else { return known?.names ?? [] }
    let names = Set(feeds.compactMap(\.settings.credentialVariable))
    known = version.map { ($0, names) }
    return names
  }
}
