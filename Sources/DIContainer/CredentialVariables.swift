import NewsCore

/// Names of the environment variables that hold credentials of feeds (`credential: env:NAME`). Read again when the list of
/// feeds or their settings have changed.
actor CredentialVariables {
  private let store: @Sendable () -> (any FeedReading & RefreshStoring)?
  private var known: (version: Int64, names: Set<String>)?

  /// - Parameter store: The store, if it is open; a program runs for a feed of the store, or for items of it.
  init(store: @escaping @Sendable () -> (any FeedReading & RefreshStoring)?) {
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
