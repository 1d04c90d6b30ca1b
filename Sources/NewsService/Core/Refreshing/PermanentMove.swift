/// Permanent redirects of one feed: which to remember.
enum PermanentMove {
  /// Where the permanent redirects at the start of a chain lead; nil when the first is temporary or there is none.
  /// What comes after a temporary redirect is not the feed's own move; nor is what no server can redirect to, which
  /// only a recording that somebody wrote can hold: a program that would be run, a file that would be read.
  static func target(of hops: [RedirectHop]) -> String? {
    hops.prefix { $0.isPermanent && isOfTheWeb($0.location) }.last
      .map { String($0.location.prefix { $0 != "#" }) }
  }

  private static func isOfTheWeb(_ url: String) -> Bool {
    ["http", "https"].contains(WebAddress(url)?.scheme)
  }

  /// What is remembered after a poll that ended in a feed.
  ///
  /// - Parameters:
  ///   - known: What was remembered before.
  ///   - url: The subscription's URL.
  ///   - requested: What was asked first.
  ///   - hops: The redirects followed from there.
  ///   - now: The time of the poll.
  /// - Returns: What to remember; nil: nothing.
  static func remembered(
    _ known: MovedLocation?,
    url: String,
    requested: String,
    hops: [RedirectHop],
    now: Timestamp
  ) -> MovedLocation? {
    let target = target(of: hops) ?? (requested == url ? nil : requested)
    guard let target, target != url else { return nil }
    guard let known, known.url == target else { return MovedLocation(url: target, firstSeen: now, polls: 1) }
    return MovedLocation(url: target, firstSeen: known.firstSeen, polls: known.polls + 1)
  }
}
