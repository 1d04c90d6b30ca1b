import NewsCore

/// Looks for the account that has the picture of an address. One search at a time, because it asks all accounts.
actor IconSearch {
  private var known: [String: String] = [:]
  private var last: Task<String?, Never>?
  private static let most = 10_000

  /// `candidates` returns the accounts that are open. A known account that is none of them is asked no more.
  func account(
    with token: String,
    among candidates: @escaping @Sendable () -> [(name: String, icons: FeedIcons)]
  ) async -> String? {
    if let name = known[token] {
      if candidates().contains(where: { $0.name == name }) { return name }
      known[token] = nil
    }
    let former = last
    let search = Task { () -> String? in
      _ = await former?.value
      for (name, icons) in candidates() {
        if (try? await icons.picture(token: token)) != nil { return name }
      }
      return nil
    }
    last = search
    let found = await search.value
    guard let found else { return nil }
    if known.count >= Self.most { known = [:] }
    known[token] = found
    return found
  }
}
