/// Adds a subscription: one request for a feed, two for a page that links to its feed. The first response is stored, so
/// that the next poll is conditional.
public struct FeedAdder: Sendable {
  let fetcher: any Fetching
  let parser: any FeedParsing
  let discoverer: any FeedDiscovering
  let subscriptions: any FeedKeeping
  private let store: any ArrivalStoring
  private let clock: any WallClock
  private let policy: PollPolicy
  let options: RefreshOptions
  /// Maximum number of well-known URLs tried for a page without links to feeds.
  let maximumGuesses = 6

  public init(
    fetcher: any Fetching,
    parser: any FeedParsing,
    discoverer: any FeedDiscovering,
    subscriptions: any FeedKeeping,
    store: any ArrivalStoring,
    clock: any WallClock,
    policy: PollPolicy = PollPolicy(),
    options: RefreshOptions = RefreshOptions()
  ) {
    self.fetcher = fetcher
    self.parser = parser
    self.discoverer = discoverer
    self.subscriptions = subscriptions
    self.store = store
    self.clock = clock
    self.policy = policy
    self.options = options
  }

  /// Adds the feed at `typed`, or the feed that the page there links to.
  public func add(
    _ typed: String,
    _ choices: FeedAdditionOptions = FeedAdditionOptions()
  ) async throws(FeedAdditionError) -> FeedAddition {
    let url: String
    do {
      url = try TypedAddress.url(typed, directory: choices.directory)
    } catch {
      throw FeedAdditionError(code: .badURL, message: error.message)
    }
    try await refuseDuplicate(url)
    do {
      try await store.probeWriting()
    } catch {
      throw FeedAdditionError(code: .store(error.code), message: error.message)
    }
    let response: FetchResponse
    var source = Source(
      typed: url,
      isPublicOnly: choices.isPublicOnly || choices.isListedOnly,
      isListedOnly: choices.isListedOnly
    )
    do {
      response = try await fetch(url, source, choices)
    } catch {
      if case .unreachable = error.code, choices.isForced {
        return try await addUnreached(url, source, error, choices)
      }
      throw error.additionError
    }
    do {
      let parsed = try await parse(response, encoding: choices.settings.encoding)
      return try await store(url, source, response, parsed, choices)
    } catch let error as FeedParseError {
      source.reachedLocalAddress = response.reachedLocalAddress
      return try await addFeed(ofPage: response, source, error, choices)
    } catch let error as FeedAdditionError {
      throw error
    } catch {
      throw FeedAdditionError(code: .notAFeed, message: "\(error)")
    }
  }
}

// MARK: - Fetching

extension FeedAdder {
  /// The starting point of an addition.
  struct Source {
    /// The URL that the user typed.
    var typed: String
    var isPublicOnly: Bool
    /// The same, even if `network.allow_private` is set.
    var isListedOnly: Bool
    /// Whether the page at `typed` was at a non-public address; nil: no page was fetched.
    var reachedLocalAddress: Bool?

    /// If the page was at a public address, its origin must not lead to a local one: the owner of the name
    /// could have changed its address meanwhile.
    var mayBeLocal: Bool { !isPublicOnly && reachedLocalAddress != false }
    var reach: FetchRequest.Reach { mayBeLocal ? .localOrigin(of: typed) : .publicOnly }
  }

  /// A fetch without a usable response, and its exchange for the poll policy.
  struct Obstacle: Error {
    enum Code { case unreachable, refused, cancelled }
    var code: Code
    var failure: RefreshFailure
    var exchange: PollPolicy.Exchange
    /// The guard will refuse polls: a feed that could not be reached gets no exemption.
    var usedExemption = false

    /// The address guard rejected the address.
    var isForbidden: Bool { failure.code == .fetch(.forbiddenAddress) }

    var additionError: FeedAdditionError {
      let message = failure.message
      return switch code {
      case .unreachable: FeedAdditionError(code: .unreachable, message: message)
      case .refused: FeedAdditionError(code: .badURL, message: message)
      case .cancelled: FeedAdditionError(code: .cancelled, message: message)
      }
    }
  }

  /// Where requests may lead.
  func reach(_ source: Source) -> FetchRequest.Reach {
    source.isListedOnly ? .listedOnly : options.reach == .anywhere ? .anywhere : source.reach
  }

  func fetch(
    _ url: String,
    _ source: Source,
    _ choices: FeedAdditionOptions
  ) async throws(Obstacle) -> FetchResponse {
    var settings = choices.settings
    if url == source.typed, !source.isPublicOnly { settings.allowsLocalOrigin = true }
    let request = FetchRequest(
      url: url,
      settings: settings,
      limits: options.limits.overridden(by: settings),
      reach: reach(source),
      isUrgent: true,
      // A page may link to a feed on another host; secrets are only for the typed origin.
      subscriptionURL: url == source.typed ? nil : source.typed
    )
    let response: FetchResponse
    do {
      response = try await fetcher.fetch(request)
    } catch {
      let failure = RefreshFailure(code: .fetch(error.code), message: error.message)
      let code: Obstacle.Code =
        switch error.code {
        case .cancelled: .cancelled
        case .badURL, .unsupportedScheme: .refused
        default: .unreachable
        }
      throw Obstacle(
        code: code,
        failure: failure,
        exchange: .failed(error),
        usedExemption: error.usedExemption
      )
    }
    guard (200..<300).contains(response.status), response.status != 206 else {
      let message = StatusText.message(response.status, url: response.url)
      throw Obstacle(
        code: .unreachable,
        failure: RefreshFailure(code: .status(response.status), message: message),
        exchange: .refused(response, message: message),
        usedExemption: response.usedExemption
      )
    }
    return response
  }

  /// A parsed document, and the memory that it takes.
  struct Parsed {
    var feed: ParsedFeed
    var isTruncated: Bool
    let memory: MemoryBudget.Claim
  }

  /// Parses the feed in a response, once there is memory for it.
  func parse(_ response: FetchResponse, encoding: String?) async throws(FeedParseError) -> Parsed {
    guard let memory = await options.memory.claim(forBody: response.body.count, of: options.account) else {
      // The cancelled caller shows no message.
      throw FeedParseError(code: .notAFeed, message: "the wait for memory was cancelled")
    }
    let (feed, isTruncated) = try parser.parse(response, encoding: encoding)
    memory.made(feed.heldBytes)
    return Parsed(feed: feed, isTruncated: isTruncated, memory: memory)
  }

  func document(_ response: FetchResponse, _ choices: FeedAdditionOptions) -> FeedDocument {
    FeedDocument(
      bytes: response.body,
      contentType: response.header("Content-Type"),
      baseURL: response.url,
      encoding: choices.settings.encoding
    )
  }
}

// MARK: - Pages

extension FeedAdder {
  private func addFeed(
    ofPage page: FetchResponse,
    _ source: Source,
    _ error: FeedParseError,
    _ choices: FeedAdditionOptions
  ) async throws(FeedAdditionError) -> FeedAddition {
    let address = WebAddress.redacted(page.url)
    guard error.code == .htmlPage else {
      throw FeedAdditionError(code: .notAFeed, message: "\(address) is not a feed: \(error.message)")
    }
    var seen = Set<String>()
    let found = discoverer.feeds(inPage: document(page, choices)).filter { seen.insert($0.url).inserted }
    guard !found.isEmpty else { return try await addGuessed(page, source, choices) }
    if let pick = choices.pick, !found.indices.contains(pick - 1) {
      throw FeedAdditionError(
        code: .noSuchChoice(found),
        message:
          "\(address) has \(found.count == 1 ? "one feed" : "\(found.count) feeds"); there is no number \(pick)"
      )
    }
    guard found.count == 1 || choices.pick != nil else { return .choices(page: page.url, found) }
    return try await addDiscovered(found[(choices.pick ?? 1) - 1].url, source, choices)
  }

  private func addDiscovered(
    _ url: String,
    _ source: Source,
    _ choices: FeedAdditionOptions
  ) async throws(FeedAdditionError) -> FeedAddition {
    // The user typed the page's URL, not this one: it must not be a file.
    guard WebAddress(url)?.isWeb == true else {
      throw FeedAdditionError(
        code: .notAFeed,
        message: "the page names \(WebAddress.redacted(url)) as its feed, which is neither http nor https"
      )
    }
    try await refuseDuplicate(url)
    let response: FetchResponse
    do {
      response = try await fetch(url, source, choices)
    } catch {
      // `isForced` does not add an address that the guard rejected and the user did not type.
      if case .unreachable = error.code, choices.isForced, !error.isForbidden || url == source.typed {
        return try await addUnreached(url, source, error, choices)
      }
      throw error.additionError
    }
    do {
      let parsed = try await parse(response, encoding: choices.settings.encoding)
      return try await store(url, source, response, parsed, choices)
    } catch let error as FeedParseError {
      throw FeedAdditionError(
        code: .notAFeed,
        message: "\(WebAddress.redacted(url)), which the page names as its feed, is not one: \(error.message)"
      )
    } catch let error as FeedAdditionError {
      throw error
    } catch {
      throw FeedAdditionError(code: .notAFeed, message: "\(error)")
    }
  }

  /// Tries well-known URLs and adds the first that is a feed.
  private func addGuessed(
    _ page: FetchResponse,
    _ source: Source,
    _ choices: FeedAdditionOptions
  ) async throws(FeedAdditionError) -> FeedAddition {
    for guess in discoverer.guesses(forPage: page.url).prefix(maximumGuesses) where guess.url != page.url {
      guard let response = try? await fetch(guess.url, source, choices),
        let parsed = try? await parse(response, encoding: choices.settings.encoding)
      else { continue }
      try await refuseDuplicate(guess.url)
      return try await store(guess.url, source, response, parsed, choices)
    }
    let address = WebAddress.redacted(page.url)
    throw FeedAdditionError(
      code: .notAFeed,
      message: "\(address) is an HTML page that names no feed, and none was found at the usual addresses. "
        + "Look for a feed link on the page and add that."
    )
  }
}

// MARK: - Storing

extension FeedAdder {
  private func refuseDuplicate(_ url: String) async throws(FeedAdditionError) {
    guard let feed = try? await subscriptions.feed(named: url), feed.url == url else { return }
    throw FeedAdditionError(
      code: .duplicate(feed),
      message: "\(WebAddress.redacted(url)) is subscribed already: '\(feed.title)'; "
        + "'newsd list --feed \(feed.id.rawValue)' shows its items"
    )
  }

  /// Returns the subscription to store. `response` is the first response of `url`; nil: the fetch failed.
  private func newFeed(
    _ url: String,
    _ source: Source,
    _ response: FetchResponse?,
    _ choices: FeedAdditionOptions
  ) -> NewFeed {
    var settings = choices.settings
    // A file or a program is exempt from the address guard only if the user typed it. A web origin is exempt only if
    // the user typed it and its address is local: otherwise the owner of a public name could later point it to a local
    // address.
    let isTyped = url == source.typed
    let isOwn = isTyped || WebAddress(url)?.origin == WebAddress(source.typed)?.origin
    let isExempt =
      WebAddress.isWeb(url) ? isOwn && source.mayBeLocal && response?.reachedLocalAddress == true : isTyped
    settings.allowsLocalOrigin = isExempt ? true : nil
    settings.bindSecrets(for: source.typed, from: url)
    return NewFeed(url: url, title: choices.title, folder: choices.folder, settings: settings)
  }

  private func store(
    _ url: String,
    _ source: Source,
    _ response: FetchResponse,
    _ read: Parsed,
    _ choices: FeedAdditionOptions
  ) async throws(FeedAdditionError) -> FeedAddition {
    defer { withExtendedLifetime(read.memory) {} }
    let parsed = read.feed
    var response = response
    response.isTruncated = response.isTruncated || read.isTruncated
    if let target = PermanentMove.target(of: response.hops) { try await refuseDuplicate(target) }
    let feed = try await subscribe(newFeed(url, source, response, choices))
    let now = clock.now()
    let context = PollPolicy.Context(
      now: now,
      url: url,
      settings: feed.settings,
      recentTimes: parsed.items.compactMap(\.published),
      random: options.random()
    )
    let exchange = PollPolicy.Exchange.parsed(
      response,
      parsed.hints,
      bodyHash: ParsedBody.mark(of: response.body)
    )
    var state = policy.state(after: exchange, of: feed.fetchState, in: context)
    state.hub = options.hub(for: feed, response, parsed)
    let changes = try await commit(RefreshRecord(feedID: feed.id, state: state, parsed: parsed, time: now))
    return .added(await current(feed), items: changes.first?.inserted.count ?? 0)
  }

  private func addUnreached(
    _ url: String,
    _ source: Source,
    _ obstacle: Obstacle,
    _ choices: FeedAdditionOptions
  ) async throws(FeedAdditionError) -> FeedAddition {
    let feed = try await subscribe(newFeed(url, source, nil, choices))
    let now = clock.now()
    let context = PollPolicy.Context(now: now, url: url, settings: feed.settings, random: options.random())
    let state = policy.state(after: obstacle.exchange, of: feed.fetchState, in: context)
    _ = try await commit(RefreshRecord(feedID: feed.id, state: state, parsed: nil, time: now))
    var failure = obstacle.failure
    if obstacle.usedExemption {
      let refusal = "Later polls will be refused, because its address is not public."
      let end = failure.message.utf8.last == UInt8(ascii: ".") ? "" : "."
      failure = RefreshFailure(
        code: failure.code,
        message: "\(failure.message)\(end) \(refusal) \(FetchError.refusalAdvice)"
      )
    }
    return .addedUnreached(await current(feed), failure)
  }

  private func subscribe(_ feed: NewFeed) async throws(FeedAdditionError) -> Feed {
    do {
      return try await subscriptions.add(feed, at: clock.now())
    } catch  where error.code == .duplicateFeed {
      // Another process has added the feed in the meantime.
      try await refuseDuplicate(feed.url)
      throw FeedAdditionError(code: .store(error.code), message: error.message)
    } catch {
      throw FeedAdditionError(code: .store(error.code), message: error.message)
    }
  }

  private func commit(_ record: RefreshRecord) async throws(FeedAdditionError) -> [RefreshChange] {
    do {
      return try await store.commit([record])
    } catch {
      throw FeedAdditionError(code: .store(error.code), message: error.message)
    }
  }

  /// Reads the feed again, which now has its title and counts.
  private func current(_ feed: Feed) async -> Feed {
    (try? await store.feed(feed.id)) ?? feed
  }
}
