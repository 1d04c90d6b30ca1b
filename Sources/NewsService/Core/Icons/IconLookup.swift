import NewsToolbox

/// Looks up the icons of feeds: the picture in the feed's document, then the pictures in the page of its site, then
/// `/favicon.ico`. The first usable picture is stored.
public struct IconLookup: Sendable {
  /// The ports of the store that this use case needs.
  public typealias Store = CredentialKeeping & FeedKeeping & IconNaming

  /// Number of icons looked up in a run.
  public struct Summary: Hashable, Sendable {
    public var found = 0
    public var unchanged = 0
    public var missing = 0

    public init() {}

    mutating func count(_ outcome: IconRecord.Outcome) {
      switch outcome {
      case .found: found += 1
      case .unchanged: unchanged += 1
      case .missing: missing += 1
      }
    }
  }

  /// Seconds between two look-ups of an icon. The first tenth more is spread by the feed, so that not all are due at once.
  static let interval: Int64 = 30 * 86_400
  /// Seconds until the next look-up if a server could not be reached.
  static let retry: Int64 = 86_400
  /// Maximum bytes of a picture, and its maximum width and height.
  static let pictureBytes = 256 << 10
  static let pictureSide = 1024
  /// Maximum bytes of a page. Its head has the icons, but the transfer cannot end after it.
  private static let pageBytes = 3 << 20
  /// Maximum duration of a request in milliseconds.
  private static let timeout = 30_000
  /// Maximum number of pictures of a page that are tried.
  private static let pageIcons = 3
  /// Number of feeds looked up at the same time. Few, because polls are more important.
  private static let concurrency = 2
  /// Number of feeds read from the store at a time.
  private static let portion = 200
  /// Number of icons looked up before they are stored.
  private static let batch = 10

  private let fetcher: any Fetching
  private let finder: any IconFinding
  private let store: any Store
  private let media: any MediaKeeping
  private let clock: any WallClock
  private let reach: FetchRequest.Reach
  private let reachesTyped: Bool
  private let limits: FetchLimits
  private let mediaBytes: Int64
  private let shared: SharedIcons?

  /// Icons may be fetched from the addresses in `reach`; if the user typed the feed's URL, and `reachesTyped` is true, also from its
  /// own origin. `mediaBytes` limits the bytes of all pictures. `shared` is for several accounts.
  public init(
    fetcher: any Fetching,
    finder: any IconFinding,
    store: any Store,
    media: any MediaKeeping,
    clock: any WallClock,
    reach: FetchRequest.Reach,
    reachesTyped: Bool = true,
    limits: FetchLimits,
    mediaBytes: Int64,
    shared: SharedIcons? = nil
  ) {
    self.fetcher = fetcher
    self.finder = finder
    self.store = store
    self.media = media
    self.clock = clock
    self.reach = reach
    self.reachesTyped = reachesTyped
    self.limits = limits
    self.mediaBytes = mediaBytes
    self.shared = shared
  }

  /// Looks up the icons that are due, in the order of the feeds, until all are stored or the task is cancelled.
  public func run() async throws(StoreError) -> Summary {
    var summary = Summary()
    let secret = try await store.serverSecret()
    var start = 0
    while !Task.isCancelled {
      let feeds = try await store.feeds(FeedWindow(.all, start..<start + Self.portion)).feeds
      guard !feeds.isEmpty else {
        try await media.removeIcons(dueBefore: clock.now() - 2 * Self.interval)
        break
      }
      start += feeds.count
      let (due, states, named) = try await due(feeds)
      for first in stride(from: 0, to: due.count, by: Self.batch) {
        let batch = Array(due[first..<min(first + Self.batch, due.count)])
        try await media.requireRoom()
        for record in await lookUp(batch, states, named, secret) {
          try await media.keep(record, limit: mediaBytes)
          summary.count(record.outcome)
        }
      }
    }
    return summary
  }

  private func due(_ feeds: [Feed]) async throws(StoreError) -> (
    feeds: [Feed], states: [Feed.ID: IconState], named: [Feed.ID: String]
  ) {
    let states = try await media.iconStates(of: feeds.map(\.id))
    let named = try await store.namedIcons(of: feeds.map(\.id))
    let now = clock.now()
    let due = feeds.filter { feed in
      guard let state = states[feed.id] else { return true }
      return state.due <= now || state.named != named[feed.id] || state.feedHash != Self.hash(of: feed)
    }
    return (due, states, named)
  }

  private func lookUp(
    _ feeds: [Feed],
    _ states: [Feed.ID: IconState],
    _ named: [Feed.ID: String],
    _ secret: [UInt8]
  ) async -> [IconRecord] {
    await withTaskGroup(of: IconRecord?.self) { group in
      var waiting = feeds.makeIterator()
      func start() {
        guard let feed = waiting.next() else { return }
        // The state of another feed with the same number says nothing.
        let state = states[feed.id].flatMap { $0.feedHash == Self.hash(of: feed) ? $0 : nil }
        group.addTask { await record(of: feed, state, named[feed.id], secret) }
      }
      for _ in 0..<Self.concurrency { start() }
      var records: [IconRecord] = []
      while let record = await group.next() {
        if let record { records.append(record) }
        start()
      }
      return records
    }
  }

  private static func hash(of feed: Feed) -> Int64 {
    Int64(bitPattern: FNV1a<UInt64>(feed.url.utf8).value)
  }

  /// Looks up one icon. Returns nil if the task was cancelled.
  private func record(
    of feed: Feed,
    _ state: IconState?,
    _ named: String?,
    _ secret: [UInt8]
  ) async -> IconRecord? {
    let search = IconSearch(feed: feed, known: state?.validators, lookup: self)
    let finding = await finding(search, named)
    guard !Task.isCancelled else { return nil }
    let hash = Self.hash(of: feed)
    var delay = Self.interval + Int64(UInt64(bitPattern: hash) % UInt64(Self.interval / 10))
    let outcome: IconRecord.Outcome
    switch finding {
    case .found(let bytes, let type, let validators):
      outcome = .found(Picture(FeedIcons.reference(bytes, type, secret), bytes: bytes), validators)
    case .unchanged: outcome = .unchanged
    case .unreachable:
      outcome = .unchanged
      delay = Self.retry
    case .missing: outcome = .missing
    }
    return IconRecord(
      feedID: feed.id,
      feedHash: hash,
      named: named,
      due: clock.now() + delay,
      outcome: outcome
    )
  }

  private func finding(_ search: IconSearch, _ named: String?) async -> IconResult {
    guard let shared, search.feed.sharedAddress != nil else { return await search.run(named).finding }
    return await shared.finding(search.question(named)) { await search.run(named) }
  }

  /// The search for the icon of one feed.
  private struct IconSearch {
    let feed: Feed
    /// The validators of the stored picture.
    let known: Validators?
    let lookup: IconLookup

    /// What the requests depend on, for a feed whose settings they do not contain.
    func question(_ named: String?) -> SharedIcons.Question {
      SharedIcons.Question(
        named: named.map { Array($0.utf8) },
        site: site.map { Array($0.utf8) },
        known: known,
        limits: lookup.limits,
        reach: reach
      )
    }

    func run(_ named: String?) async -> SharedIcons.Answer {
      var isUnreachable = false
      var isOwn = false
      func note(_ error: FetchError) {
        isUnreachable = isUnreachable || error.mayBeTemporary
        isOwn = isOwn || error.concernsOneRequest
      }
      var tried: Set<String> = []
      func usable(_ address: String) async -> SharedIcons.Answer? {
        guard WebAddress.isWeb(address), tried.insert(address).inserted, !Task.isCancelled else { return nil }
        switch await fetch(address, .picture, bytes: IconLookup.pictureBytes, validators(of: address)) {
        case .failure(let error): note(error)
        case .success(let response):
          switch picture(response, at: address) {
          case .missing: break
          case .unreachable: isUnreachable = true
          case let finding: return SharedIcons.Answer(finding: finding, isOwn: isOwn)
          }
        }
        return nil
      }
      if let named, let result = await usable(named) { return result }
      if let site {
        var base = site
        switch await fetch(site, .page, bytes: IconLookup.pageBytes) {
        case .success(let response):
          base = response.url
          let document = FeedDocument(
            bytes: response.body,
            contentType: response.header("Content-Type"),
            baseURL: response.url
          )
          let icons = response.status == 200 ? lookup.finder.icons(inPage: document) : []
          for address in icons.prefix(IconLookup.pageIcons) {
            if let result = await usable(address) { return result }
          }
        case .failure(let error): note(error)
        }
        if let address = URLResolver.resolve("/favicon.ico", base: base, policy: .resource),
          let result = await usable(address)
        {
          return result
        }
      }
      return SharedIcons.Answer(finding: isUnreachable ? .unreachable : .missing, isOwn: isOwn)
    }

    /// The page that may name the icon: the feed's site, else the root of its server.
    private var site: String? {
      if let site = feed.siteURL, WebAddress.isWeb(site) { return site }
      guard WebAddress.isWeb(feed.url) else { return nil }
      return URLResolver.resolve("/", base: WebAddress.redacted(feed.url), policy: .resource)
    }

    /// The addresses that the requests may reach. An account without the right reaches no local address that it typed.
    private var reach: FetchRequest.Reach {
      lookup.reachesTyped ? lookup.reach.including(feed) : lookup.reach
    }

    private func validators(of address: String) -> Validators? { known?.url == address ? known : nil }

    private func picture(_ response: FetchResponse, at address: String) -> IconResult {
      if response.status == 304, validators(of: address) != nil { return .unchanged }
      guard response.status == 200, !response.isTruncated else {
        return response.status >= 500 || response.status == 429 ? .unreachable : .missing
      }
      guard let header = PictureHeader(response.body),
        max(header.width, header.height) <= IconLookup.pictureSide,
        // A banner cannot be recognized at the size of an icon.
        max(header.width, header.height) <= 2 * min(header.width, header.height)
      else { return .missing }
      let found = Validators(
        etag: response.header("ETag"),
        lastModified: response.header("Last-Modified"),
        url: address
      )
      return .found(response.body, header.type, found)
    }

    private func fetch(
      _ url: String,
      _ content: FetchRequest.Content,
      bytes: Int,
      _ validators: Validators? = nil
    ) async -> Result<FetchResponse, FetchError> {
      var limits = lookup.limits.overridden(by: feed.settings)
      limits.bodyBytes = min(limits.bodyBytes, bytes)
      limits.totalTimeout = min(limits.totalTimeout, IconLookup.timeout)
      let request = FetchRequest(
        url: url,
        validators: validators?.etag == nil && validators?.lastModified == nil ? nil : validators,
        settings: feed.settings,
        limits: limits,
        reach: reach,
        subscriptionURL: feed.settings.secretsFor ?? feed.url,
        respectsCooldowns: true,
        content: content
      )
      do throws(FetchError) {
        return .success(try await lookup.fetcher.fetch(request))
      } catch {
        return .failure(error)
      }
    }
  }
}

extension FetchError {
  /// True if a later request may succeed.
  fileprivate var mayBeTemporary: Bool {
    switch code {
    case .cancelled, .inCooldown, .hostNotFound, .refused, .timedOut, .tls, .badResponse, .transport: true
    case .badURL, .unsupportedScheme, .bodyTooLarge, .headersTooLarge, .tooManyRedirects, .redirectLoop,
      .downgradeRefused, .forbiddenAddress, .fileNotFound:
      false
    }
  }
}
