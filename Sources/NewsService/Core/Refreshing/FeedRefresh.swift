/// Refreshes one feed up to the point of storing: fetches, compares, parses, schedules the next poll.
struct FeedRefresh: Sendable {
  let fetcher: any Fetching
  let parser: any FeedParsing
  let store: any ArrivalStoring
  /// Changes a subscription's URL when a move is adopted.
  let editor: (any FeedKeeping)?
  let clock: any WallClock
  let policy: PollPolicy
  var options: RefreshOptions
  /// Subscribes to hubs; nil: hubs are not used.
  var webSub: (any WebSubSubscribing)?
  /// The cooldowns of hosts, which include the cooldowns of the fetcher.
  let cooldowns: HostCooldowns

  /// One feed to refresh.
  struct Job: Sendable {
    var id: Feed.ID
    /// The feed's address, for the outcome; nil: it is not known.
    var url: String?
    var mode: RefreshMode
    /// The user waits for this feed, so requests to its site are not spaced.
    var isUrgent = false
    /// Number of feeds on the same site, including this one.
    var siteFeeds = 1
    /// True when the feed's last poll succeeded.
    var lastPollSucceeded = false
  }

  /// The result of a refresh, ready to be stored.
  struct Prepared: Sendable {
    var outcome: RefreshOutcome
    /// The record to store; nil if there is nothing to store.
    var record: RefreshRecord?
    /// True when a server answered, even with an error, which shows that the network works. False for files
    /// and programs.
    var wasAnswered = false
    /// Set if no connection could be made: the host, and the state to store instead of the record's if the
    /// network turns out to be down.
    var unreachableHost: (host: String, stateIfDown: FetchState)?
    var storeError: StoreError?
    /// The state of the feed if the store refuses the document's data.
    var stateIfRefused: FetchState?
    /// The hub's event whose document the record contains. It is handled again if the store refuses the record.
    var pushed: HubEvent?
  }

  /// Refreshes the feed of `job`. `transferEnded` is called with the body's size after each fetch; parsing starts when it
  /// returns. `parsed` is called at the end of parsing with the memory of the feed, nil if there is none; what follows may
  /// wait for the store or for another fetch.
  func prepare(
    _ job: Job,
    transferEnded: @Sendable (Int) async -> Void,
    parsed: @Sendable (Int?) -> Void
  ) async -> Prepared {
    // Lock the feed before reading its state, so that the state includes another process's last refresh.
    let secondsSinceRequest: Int64?
    switch await options.claims?.claim(job.id) ?? .claimed(secondsSinceRequest: nil) {
    case .claimed(let seconds): secondsSinceRequest = seconds
    case .busy: return unclaimed(job, .busy)
    case .unreadable: return unclaimed(job, .unreadable)
    }
    let feed: Feed
    do {
      feed = try await store.feed(job.id)
    } catch {
      return broken(job.id, nil, error)
    }
    let state = feed.fetchState
    if let reason = reasonToSkip(feed, job) ?? recentRequest(feed, job.mode, secondsSinceRequest) {
      return skipped(feed, reason)
    }
    var exchange = Exchange(requested: state.movedTo?.url ?? feed.url)
    await fetch(&exchange, feed, job, transferEnded, parsed)
    if let held = exchange.held { return skipped(feed, held) }
    var before = state
    if exchange.requested != feed.url, exchange.isMoveRejected {
      exchange.notes.append(
        "moved to \(WebAddress.redacted(exchange.requested)), which failed: \(exchange.failure?.message ?? "")"
          + "; newsd requests \(WebAddress.redacted(feed.url)) again"
      )
      before.movedTo = nil
      exchange.requested = feed.url
      await fetch(&exchange, feed, job, transferEnded, parsed)
      if let held = exchange.held { return skipped(feed, held) }
    }
    if exchange.isCancelled {
      // What was handed over may have been taken meanwhile.
      guard job.mode == .handedOver, let due = state.nextDue else { return skipped(feed, .cancelled) }
      return skipped(feed, .notDue(until: due))
    }
    return await applyingResult(exchange, feed, before, job)
  }

  /// The store may be what keeps the feed from a claim, so it is not asked for the feed.
  private func unclaimed(_ job: Job, _ reason: SkipReason) -> Prepared {
    Prepared(outcome: RefreshOutcome(feedID: job.id, url: job.url, result: .skipped(reason)))
  }

  private func reasonToSkip(_ feed: Feed, _ job: Job) -> SkipReason? {
    guard job.mode != .named else { return nil }
    let state = feed.fetchState
    let now = clock.now()
    if feed.settings.isPaused == true { return .paused }
    if state.isGone { return .gone }
    let host = WebAddress.hostKey(of: state.movedTo?.url ?? feed.url)
    if let until = cooldowns.end(for: host, now: now) { return .inCooldown(host: host, until: until) }
    if policy.isFromWrongClock(lastFetched: state.lastFetched, now: now) { return nil }
    if let cooldown = state.cooldown, cooldown.isRunning(now) {
      return .inCooldown(host: cooldown.host, until: cooldown.until)
    }
    if job.mode == .due, let due = policy.wait(state.nextDue, now: now) { return .notDue(until: due) }
    if job.mode == .all, job.isUrgent, let end = state.lastFetched.map({ $0 + options.pause }), end > now {
      return .notDue(until: end)
    }
    return nil
  }

  /// Returns the reason to skip a feed whose server got a request within the feed's minimum interval, even if the
  /// process that sent the request ended before it stored the result.
  private func recentRequest(_ feed: Feed, _ mode: RefreshMode, _ secondsSinceRequest: Int64?) -> SkipReason?
  {
    // A request in the future was sent while the clock that the processes share was ahead.
    guard mode == .due, let seconds = secondsSinceRequest, seconds >= -PollPolicy.clockTolerance else {
      return nil
    }
    let rest = policy.bounds(feed.settings).lowerBound - seconds
    return rest > 0 ? .notDue(until: clock.now() + rest) : nil
  }

  /// Returns the result for a skipped feed. The feed keeps its state, except that a feed whose host is in a cooldown
  /// becomes due after the cooldown.
  private func skipped(_ feed: Feed, _ reason: SkipReason) -> Prepared {
    var state = feed.fetchState
    var record: RefreshRecord?
    if case .inCooldown(_, let until) = reason, (state.nextDue ?? until - 1) < until {
      // Jitter: the host's feeds must not all be polled in the same second.
      state.nextDue = until + Int64(30 * options.random())
      state.nextDueReason = .retryAfter
      record = RefreshRecord(feedID: feed.id, state: state, parsed: nil, time: clock.now())
    }
    let outcome = RefreshOutcome(feedID: feed.id, feed: feed, result: .skipped(reason), state: state)
    return Prepared(outcome: outcome, record: record)
  }

  func broken(_ id: Feed.ID, _ feed: Feed?, _ error: StoreError) -> Prepared {
    let failure = RefreshFailure(code: .store(error.code), message: error.message)
    // Ignore feeds deleted during the refresh.
    return Prepared(
      outcome: RefreshOutcome(feedID: id, feed: feed, result: .failed(failure)),
      storeError: error.code == .noSuchFeed ? nil : error
    )
  }
}

// MARK: - Fetching

extension FeedRefresh {
  /// The requests and the result of one poll.
  private struct Exchange {
    var requested: String
    var result: PollPolicy.Exchange?
    var failure: RefreshFailure?
    var parsed: ParsedFeed?
    var status: Int?
    var bytes = 0
    var error: FetchError?
    var wasAnswered = false
    var notes: [String] = []

    var isCancelled: Bool { error?.code == .cancelled }

    /// The reason if the host, or the host of a redirect, entered a cooldown while this request waited.
    var held: SkipReason? {
      guard case .inCooldown(let host, let until)? = error?.code else { return nil }
      return .inCooldown(host: host, until: until)
    }

    /// True if the request failed in any way but cancellation, 429 or 503. If it went to the remembered
    /// target of a move, the move is then dropped.
    var isMoveRejected: Bool {
      failure != nil && !isCancelled && status != 429 && status != 503
    }
  }

  private func fetch(
    _ exchange: inout Exchange,
    _ feed: Feed,
    _ job: Job,
    _ transferEnded: @Sendable (Int) async -> Void,
    _ parsed: @Sendable (Int?) -> Void
  ) async {
    let learnsAgain = feed.fetchState.learnsAgain(as: feed.id, at: clock.now())
    let validators = learnsAgain ? nil : feed.fetchState.validators
    exchange.failure = nil
    exchange.error = nil
    exchange.status = nil
    var request = FetchRequest(
      url: exchange.requested,
      validators: validators,
      settings: feed.settings,
      limits: options.limits.overridden(by: feed.settings),
      reach: options.reach.including(feed),
      isUrgent: job.isUrgent,
      subscriptionURL: feed.settings.secretsFor ?? (exchange.requested == feed.url ? nil : feed.url),
      respectsCooldowns: job.mode != .named,
      lastPollSucceeded: job.lastPollSucceeded,
      feedID: feed.id
    )
    if job.mode == .handedOver {
      request.sharing = .takes
    } else if !job.isUrgent, feed.fetchState.lastFetched != nil {
      request.sharing = .asks
    }
    let response: FetchResponse
    do {
      response = try await fetcher.fetch(request)
    } catch {
      await transferEnded(0)
      exchange.error = error
      exchange.wasAnswered = exchange.wasAnswered || error.showsNetwork
      exchange.failure = RefreshFailure(code: .fetch(error.code), message: error.message)
      exchange.result = .failed(error)
      return
    }
    await transferEnded(response.body.count)
    // Files and programs do not need the network.
    exchange.wasAnswered = !response.url.hasPrefix("file:") && !response.url.hasPrefix("exec:")
    exchange.status = response.status
    exchange.bytes = response.body.count
    read(response, wasConditional: validators != nil, learnsAgain: learnsAgain, feed, &exchange)
    parsed(exchange.parsed?.heldBytes)
  }

  private func read(
    _ response: FetchResponse,
    wasConditional: Bool,
    learnsAgain: Bool,
    _ feed: Feed,
    _ exchange: inout Exchange
  ) {
    if response.status == 304, wasConditional {
      exchange.result = .notModified(response)
      return
    }
    guard (200..<300).contains(response.status), response.status != 206 else {
      let message = StatusText.message(response.status, url: response.url)
      exchange.failure = RefreshFailure(code: .status(response.status), message: message)
      exchange.result = .refused(response, message: message)
      return
    }
    let hash = ParsedBody.mark(of: response.body)
    if !response.isTruncated, !learnsAgain, ParsedBody.isHash(feed.fetchState.bodyHash, of: hash) {
      exchange.result = .sameBody(response)
      return
    }
    do {
      let (parsed, isTruncated) = try parser.parse(response, encoding: feed.settings.encoding)
      // The transfer completed but the document is truncated: parse it, keep no validators, refetch.
      var read = response
      read.isTruncated = read.isTruncated || isTruncated
      exchange.result = .parsed(read, parsed.hints, bodyHash: hash)
      exchange.parsed = parsed
      exchange.notes += parsed.limitNotes
    } catch {
      exchange.failure = RefreshFailure(code: .notAFeed(error.code), message: error.message)
      exchange.result = .unusable(response, message: error.message)
    }
  }
}

// MARK: - Evaluating the result

extension FeedRefresh {
  private func applyingResult(
    _ exchange: Exchange,
    _ feed: Feed,
    _ before: FetchState,
    _ job: Job
  ) async -> Prepared {
    guard let result = exchange.result else { return skipped(feed, .cancelled) }
    let now = clock.now()
    let context = PollPolicy.Context(
      now: now,
      url: feed.url,
      requested: exchange.requested,
      settings: feed.settings,
      recentTimes: exchange.failure == nil ? await recentTimes(feed, exchange.parsed, now) : [],
      siteFeeds: job.siteFeeds,
      random: options.random(),
      pushedUntil: webSub?.leaseEnd(of: feed.id, at: now)
    )
    var state = policy.state(after: result, of: before, in: context)
    if let response = result.usableResponse { recordHub(of: response, exchange.parsed, feed, &state) }
    if state.isGone { webSub?.forget(feed.id) }
    var notes = exchange.notes
    var notices: [String] = []
    if feed.settings.verifiesTLS == false, exchange.requested.hasPrefix("https:") {
      notices.append("its certificates are not verified (verify-tls=false)")
    }
    let settings = await settings(of: feed, after: result, from: exchange.requested, &notes)
    if exchange.failure == nil {
      if let released = feed.fetchState.cooldown, let response = result.usableResponse,
        released.host == WebAddress.hostKey(of: response.url)
      {
        cooldowns.finish(released)
      }
      let adopted = await followMove(&state, feed, now, &notes)
      notices += [adopted].compactMap(\.self)
    } else if let cooldown = state.cooldown, cooldown.until > now {
      cooldowns.begin(cooldown)
    }
    if state.lastError != nil, exchange.failure == nil { notes += [state.lastError].compactMap(\.self) }
    let outcome = RefreshOutcome(
      feedID: feed.id,
      feed: feed,
      result: exchange.failure.map { .failed($0) }
        ?? (exchange.parsed == nil ? .unchanged : .updated(new: [], changed: [])),
      state: state,
      status: exchange.status,
      bytes: exchange.bytes,
      notes: notes,
      notices: notices
    )
    var record = RefreshRecord(
      feedID: feed.id,
      state: state,
      parsed: exchange.parsed,
      time: now,
      settings: settings
    )
    record.intervals = policy.configuration.intervals
    // Other processes must also respect the cooldown.
    record.notifiesOtherProcesses = state.cooldown != nil && state.cooldown != feed.fetchState.cooldown
    var prepared = Prepared(
      outcome: outcome,
      // If the feed has no stored items, all items are new: prepare them off the writer's thread.
      record: feed.itemCount == 0 ? store.prepared(record) : record,
      wasAnswered: exchange.wasAnswered
    )
    if case .parsed(let response, _, _) = result {
      prepared.stateIfRefused = policy.state(after: .unusable(response, message: ""), of: before, in: context)
    }
    if let error = exchange.error, error.isLackOfConnection, !exchange.wasAnswered {
      prepared.unreachableHost = (
        WebAddress.hostKey(of: exchange.requested),
        policy.stateWhenNetworkIsDown(feed.fetchState, message: error.message, in: context)
      )
    }
    return prepared
  }

  /// Returns the feed's settings. A typed origin that answers from a public address loses its exemption from the
  /// address guard, so that its DNS name cannot point to a local address later.
  private func settings(
    of feed: Feed,
    after exchange: PollPolicy.Exchange,
    from requested: String,
    _ notes: inout [String]
  ) async -> FeedSettings {
    guard feed.settings.allowsLocalOrigin == true, requested == feed.url, let editor,
      // After a redirect, the response came from another address than the typed one.
      let response = exchange.usableResponse, response.hops.isEmpty, response.reachedLocalAddress == false
    else { return feed.settings }
    var settings = feed.settings
    settings.allowsLocalOrigin = nil
    // If the store cannot be written, the exemption lasts until the next refresh.
    guard (try? await editor.update(feed.id, settings: settings)) != nil else { return feed.settings }
    notes.append("its host has a public address: newsd removed its exemption for local addresses")
    return settings
  }

  /// Records the hub that the response offers, and subscribes to it. A response without a document keeps the hub that
  /// an earlier document named.
  private func recordHub(
    of response: FetchResponse,
    _ document: ParsedFeed?,
    _ feed: Feed,
    _ state: inout FetchState
  ) {
    let offer = options.hub(for: feed, response, document)
    if document != nil || offer != nil { state.hub = offer }
    webSub?.update(state.hub, for: feed.id, reach: options.reach.including(feed))
  }

  /// Returns publication times for estimating the rhythm: the times in the document and, if there are few, stored
  /// times. Ignores read errors, because the fetched document matters more.
  func recentTimes(
    _ feed: Feed,
    _ parsed: ParsedFeed?,
    _ now: Timestamp
  ) async -> [Timestamp] {
    let said = parsed?.items.compactMap(\.published).filter { $0 <= now } ?? []
    guard said.count < PublishingRhythm.usefulTimes / 2, feed.fetchState.lastSuccess != nil else {
      return said
    }
    return said + ((try? await store.recentTimes(of: feed.id, limit: PublishingRhythm.usefulTimes)) ?? [])
  }

  /// Adopts a permanent redirect as the subscription's URL once enough polls have confirmed it. Returns a notice for
  /// the user; lesser messages go to `notes`.
  private func followMove(
    _ state: inout FetchState,
    _ feed: Feed,
    _ now: Timestamp,
    _ notes: inout [String]
  ) async -> String? {
    guard let moved = state.movedTo else { return nil }
    let target = WebAddress.redacted(moved.url)
    guard policy.adoptsMove(state, now: now), let editor else {
      if feed.fetchState.movedTo?.url != moved.url {
        notes.append("moved permanently to \(target): newsd requests it there from now on")
      }
      return nil
    }
    do {
      try await editor.adopt(moved.url, for: feed)
    } catch  where error.code == .duplicateFeed {
      return "moved permanently to \(target), which is subscribed already: remove one of the two"
    } catch {
      // The next poll tries again; this poll's items are stored.
      notes.append("moved permanently to \(target), which could not be stored: \(error.message)")
      return nil
    }
    state.movedTo = nil
    state.movedFrom = FormerURL(url: feed.url, changed: now)
    let isAbroad = !WebAddress.canReceiveCredentials(moved.url, from: feed.url)
    return "moved permanently: its URL is now \(target), it was \(WebAddress.redacted(feed.url))"
      + (isAbroad && feed.hasCredentials
        ? "; its user name, password, credential and headers are not sent there: set them again if they should be"
        : "")
  }
}

extension FetchError {
  /// True when a server answered, so the network works.
  fileprivate var showsNetwork: Bool {
    if !hops.isEmpty { return true }
    return switch code {
    case .bodyTooLarge, .headersTooLarge, .tooManyRedirects, .redirectLoop, .downgradeRefused, .badResponse:
      true
    case .timedOut, .tls, .transport: !neverConnected
    default: false
    }
  }

  /// True when no connection was made. If that holds for all hosts, the network is down.
  var isLackOfConnection: Bool {
    code == .hostNotFound || code == .refused || neverConnected
  }
}
