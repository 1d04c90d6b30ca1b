/// Decides which permanent redirect of a feed to remember.
enum PermanentMove {
  /// Returns the target of the permanent redirects at the start of a chain; nil when the first redirect is temporary or
  /// there is none. Permanent redirects after a temporary one do not concern the feed's own URL. Targets other than
  /// http and https are ignored: no server can redirect to them, but a forged recording could name a program to run or
  /// a file to read. So are targets that are too long for the address of a feed.
  static func target(of hops: [RedirectHop]) -> String? {
    hops.prefix {
      $0.isPermanent && $0.location.utf8.count <= TypedAddress.longest && isOfTheWeb($0.location)
    }.last
      .map { String($0.location.prefix { $0 != "#" }) }
  }

  private static func isOfTheWeb(_ url: String) -> Bool {
    WebAddress(url)?.isWeb == true
  }

  /// Returns the location to remember after a successful poll. `known` is the location remembered so far,
  /// `requested` the URL requested first, from which `hops` were followed.
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
