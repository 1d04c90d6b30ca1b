/// Refreshes one feed up to the point of storing: asks, compares, parses, decides when to ask again.
struct FeedRefresh: Sendable {
  let fetcher: any Fetching
  let parser: any FeedParsing
  let store: any RefreshStoring
  /// Changes a subscription's URL when a move is adopted.
  let editor: (any FeedEditing)?
  let clock: any WallClock
  let policy: PollPolicy
  var options: RefreshOptions
  /// Nil: no hub is asked for anything.
  var webSub: (any WebSubSubscribing)?
  var holds: HostHolds

  /// One feed to refresh.
  struct Job: Sendable {
    var id: Feed.ID
    var mode: RefreshMode
    /// The user waits for it: no pauses between requests to one site.
    var isUrgent = false
    /// Feeds on its site, itself included.
    var siteFeeds = 1
  }

  /// A refresh that waits to be stored.
  struct Prepared: Sendable {
    var outcome: RefreshOutcome
    /// Nil: nothing to store.
    var record: RefreshRecord?
    /// An answer of whatever status came: the network works.
    var wasAnswered = false
    /// No connection came about: perhaps the network is down, and then this state holds instead of the record's.
    var suspicion: (host: String, stateIfDown: FetchState)?
    var storeError: StoreError?
  }

  /// Refreshes the feed of `job`.
  ///
  /// - Parameters:
  ///   - job: Which feed, and how.
  ///   - transferEnded: Called with the body's size after each fetch; the body is read when it returns.
  /// - Returns: What to store and to report.
  func prepare(_ job: Job, transferEnded: @Sendable (Int) async -> Void) async -> Prepared {
    // Claimed first: what another process has done by then shows in the state.
    guard options.claims?.claim(job.id) ?? true else {
      let feed = try? await store.feed(job.id)
      return Prepared(outcome: RefreshOutcome(feedID: job.id, feed: feed, result: .skipped(.busy)))
    }
    let feed: Feed
    do {
      feed = try await store.feed(job.id)
    } catch {
      return broken(job.id, nil, error)
    }
    let state = feed.fetchState
    if let reason = reasonToSkip(feed, job.mode) { return skipped(feed, reason) }
    var exchange = Exchange(requested: state.movedTo?.url ?? feed.url)
    await ask(&exchange, feed, job, transferEnded)
    if let held = exchange.held { return skipped(feed, held) }
    var before = state
    if exchange.requested != feed.url, exchange.tellsAgainstMove {
      exchange.notes.append(
        "\(WebAddress.redacted(exchange.requested)), where the feed had moved, failed: \(exchange.failure?.message ?? "")"
          + " Asking \(WebAddress.redacted(feed.url)) again."
      )
      before.movedTo = nil
      exchange.requested = feed.url
      await ask(&exchange, feed, job, transferEnded)
      if let held = exchange.held { return skipped(feed, held) }
    }
    if exchange.isCancelled { return skipped(feed, .cancelled) }
    do {
      return try await judged(exchange, feed, before, job)
    } catch {
      return broken(job.id, feed, error)
    }
  }

  private func reasonToSkip(_ feed: Feed, _ mode: RefreshMode) -> SkipReason? {
    guard mode != .named else { return nil }
    let state = feed.fetchState
    let now = clock.now()
    if state.isGone { return .gone }
    let host = WebAddress.hostKey(of: state.movedTo?.url ?? feed.url)
    if let until = holds.end(for: host, now: now) { return .held(host: host, until: until) }
    if policy.isOfWrongClock(lastFetched: state.lastFetched, now: now) { return nil }
    if let hold = state.hold, hold.isRunning(now) { return .held(host: hold.host, until: hold.until) }
    if mode == .due, let due = policy.wait(state.nextDue, now: now) { return .notDue(until: due) }
    return nil
  }

  /// A skipped feed keeps its state; one whose host is held back learns when it will be its turn.
  private func skipped(_ feed: Feed, _ reason: SkipReason) -> Prepared {
    var state = feed.fetchState
    var record: RefreshRecord?
    if case .held(_, let until) = reason, (state.nextDue ?? until - 1) < until {
      // Those that waited for one host do not all come back in its first second.
      state.nextDue = until + Int64(30 * options.random())
      state.nextDueReason = .retryAfter
      record = RefreshRecord(feedID: feed.id, state: state, parsed: nil, time: clock.now())
    }
    let outcome = RefreshOutcome(feedID: feed.id, feed: feed, result: .skipped(reason), state: state)
    return Prepared(outcome: outcome, record: record)
  }

  func broken(_ id: Feed.ID, _ feed: Feed?, _ error: StoreError) -> Prepared {
    let failure = RefreshFailure(code: .store(error.code), message: error.message)
    // A feed that was removed meanwhile is no trouble of the store's.
    return Prepared(
      outcome: RefreshOutcome(feedID: id, feed: feed, result: .failed(failure)),
      storeError: error.code == .noSuchFeed ? nil : error
    )
  }
}

// MARK: - Asking

extension FeedRefresh {
  /// One poll's conversation with a server.
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

    /// The host, or one on the way, asked to be left alone while this request waited for its turn.
    var held: SkipReason? {
      guard case .held(let host, let until)? = error?.code else { return nil }
      return .held(host: host, until: until)
    }

    /// A failure that is no push back: the address remembered for a moved feed is not to be trusted further.
    var tellsAgainstMove: Bool {
      failure != nil && !isCancelled && status != 429 && status != 503
    }
  }

  private func ask(
    _ exchange: inout Exchange,
    _ feed: Feed,
    _ job: Job,
    _ transferEnded: @Sendable (Int) async -> Void
  ) async {
    let validators = feed.fetchState.validators
    exchange.failure = nil
    exchange.error = nil
    exchange.status = nil
    let request = FetchRequest(
      url: exchange.requested,
      validators: validators,
      settings: feed.settings,
      limits: options.limits.with(feed.settings),
      reach: reach(for: feed),
      isUrgent: job.isUrgent,
      subscriptionURL: feed.settings.secretsFor ?? (exchange.requested == feed.url ? nil : feed.url),
      holds: job.mode == .named ? nil : holds
    )
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
    // A file or a program says nothing about the network.
    exchange.wasAnswered = !response.url.hasPrefix("file:") && !response.url.hasPrefix("exec:")
    exchange.status = response.status
    exchange.bytes = response.body.count
    read(response, wasConditional: validators != nil, feed, &exchange)
  }

  private func read(_ response: FetchResponse, wasConditional: Bool, _ feed: Feed, _ exchange: inout Exchange)
  {
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
    let hash = BodyHash.of(response.body)
    if !response.isTruncated, hash == feed.fetchState.bodyHash {
      exchange.result = .sameBody(response)
      return
    }
    do {
      let (parsed, isCut) = try parser.parse(response, encoding: feed.settings.encoding)
      // Cut inside and yet delivered whole: what came is read, but must be asked for again.
      var read = response
      read.isTruncated = read.isTruncated || isCut
      exchange.result = .parsed(read, parsed.hints, bodyHash: hash)
      exchange.parsed = parsed
    } catch {
      exchange.failure = RefreshFailure(code: .notAFeed(error.code), message: error.message)
      exchange.result = .unusable(response, message: error.message)
    }
  }

  func reach(for feed: Feed) -> FetchRequest.Reach {
    if options.reach == .anywhere { return .anywhere }
    return feed.settings.allowsLocalOrigin == true ? .localOrigin(of: feed.url) : options.reach
  }
}

// MARK: - Deciding

extension FeedRefresh {
  private func judged(
    _ exchange: Exchange,
    _ feed: Feed,
    _ before: FetchState,
    _ job: Job
  ) async throws(StoreError) -> Prepared {
    guard let result = exchange.result else { return skipped(feed, .cancelled) }
    let now = clock.now()
    let context = PollPolicy.Context(
      now: now,
      url: feed.url,
      requested: exchange.requested,
      settings: feed.settings,
      recentTimes: exchange.failure == nil ? try await recentTimes(feed, exchange.parsed, now) : [],
      siteFeeds: job.siteFeeds,
      random: options.random(),
      pushedUntil: webSub?.pushes(feed.id, at: now)
    )
    var state = policy.state(after: result, of: before, in: context)
    if let response = result.usableResponse { takeNote(of: response, exchange.parsed, feed, &state) }
    if state.isGone { webSub?.forget(feed.id) }
    var notes = exchange.notes
    var notices: [String] = []
    if feed.settings.verifiesTLS == false, exchange.requested.hasPrefix("https:") {
      notices.append("its certificates are not verified (verify-tls=false)")
    }
    if exchange.failure == nil {
      if let released = feed.fetchState.hold { holds.release(released.host) }
      let adopted = try await followMove(&state, feed, now, &notes)
      notices += [adopted].compactMap(\.self)
    } else if let hold = state.hold, hold.until > now {
      holds.hold(hold)
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
      settings: feed.settings
    )
    record.intervals = policy.configuration.intervals
    // Other processes leave the host alone, too.
    record.isForAll = state.hold != nil && state.hold != feed.fetchState.hold
    var prepared = Prepared(
      outcome: outcome,
      // Where nothing is stored yet, everything is new.
      record: feed.itemCount == 0 ? store.prepared(record) : record,
      wasAnswered: exchange.wasAnswered
    )
    if let error = exchange.error, error.isLackOfConnection, !exchange.wasAnswered {
      prepared.suspicion = (
        WebAddress.hostKey(of: exchange.requested),
        policy.stateWhenNetworkIsDown(feed.fetchState, message: error.message, in: context)
      )
    }
    return prepared
  }

  /// Remembers the hub that is offered, and has it asked. An answer without a document may leave out what the document
  /// said.
  private func takeNote(
    of response: FetchResponse,
    _ document: ParsedFeed?,
    _ feed: Feed,
    _ state: inout FetchState
  ) {
    // A hub is asked directly: whoever reads a feed through a proxy of its own may not want to be known to it.
    let offer = feed.settings.proxy == nil ? options.hub(response, document) : nil
    if document != nil || offer != nil { state.hub = offer }
    webSub?.noticed(state.hub, of: feed.id, reach: reach(for: feed))
  }

  /// Publication times for the rhythm: the document's own, and the stored ones where those are few.
  func recentTimes(
    _ feed: Feed,
    _ parsed: ParsedFeed?,
    _ now: Timestamp
  ) async throws(StoreError) -> [Timestamp] {
    let said = parsed?.items.compactMap(\.published).filter { $0 <= now } ?? []
    guard said.count < PublishingRhythm.usefulTimes / 2, feed.fetchState.lastSuccess != nil else {
      return said
    }
    return said + (try await store.recentTimes(of: feed.id, limit: PublishingRhythm.usefulTimes))
  }

  /// Remembers a permanent redirect, and adopts it as the subscription's URL when it has lasted. Returns what the user
  /// should hear of it; the rest goes to the notes.
  private func followMove(
    _ state: inout FetchState,
    _ feed: Feed,
    _ now: Timestamp,
    _ notes: inout [String]
  ) async throws(StoreError) -> String? {
    guard let moved = state.movedTo else { return nil }
    let target = WebAddress.redacted(moved.url)
    guard policy.adoptsMove(state, now: now), let editor else {
      if feed.fetchState.movedTo?.url != moved.url {
        notes.append("moved permanently to \(target): asked there from now on")
      }
      return nil
    }
    do {
      try await editor.adopt(moved.url, for: feed)
    } catch  where error.code == .duplicateFeed {
      return "moved permanently to \(target), which is subscribed already: one of the two can be removed"
    } catch {
      throw error
    }
    state.movedTo = nil
    state.movedFrom = FormerURL(url: feed.url, changed: now)
    let isAbroad = WebAddress(moved.url)?.origin != WebAddress(feed.url)?.origin
    return "moved permanently: its URL is now \(target), it was \(WebAddress.redacted(feed.url))"
      + (isAbroad && feed.settings.holdsSecrets
        ? "; its credential and headers are not sent there: set them again if they should be" : "")
  }
}

extension FetchError {
  /// A server was reached, whatever it did then.
  fileprivate var showsNetwork: Bool {
    if !hops.isEmpty { return true }
    return switch code {
    case .bodyTooLarge, .headersTooLarge, .tooManyRedirects, .redirectLoop, .downgradeRefused, .badResponse:
      true
    case .timedOut, .tls, .transport: !neverConnected
    default: false
    }
  }

  /// No connection came about; when no host can be reached, it is the network that is down.
  var isLackOfConnection: Bool {
    code == .hostNotFound || code == .refused || neverConnected
  }
}
