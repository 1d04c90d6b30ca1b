/// Decides when a feed is polled next, and computes its state after each exchange.
///
/// Deterministic: time and random numbers are arguments. docs/operations.md explains the rules to publishers.
public struct PollPolicy: Hashable, Sendable {
  /// Parameters of the policy; times in seconds.
  public struct Configuration: Hashable, Sendable {
    /// Lower limit of the interval, whatever the feed's hints say.
    public var minimumInterval: Int64 = 900
    /// Upper limit of the interval of a feed that does not fail. `skipHours`, `skipDays` and
    /// `secondsPerSiteRequest` may exceed it.
    public var maximumInterval: Int64 = 86_400
    /// Interval of a feed whose rhythm is unknown.
    public var defaultInterval: Int64 = 3600
    /// Longest backoff after consecutive failures.
    public var maximumBackoff: Int64 = 7 * 86_400
    /// First wait after the network was found to be down.
    public var networkRecheck: Int64 = 60
    /// Number of polls with the same target after which a permanent redirect becomes the subscription's URL; number of
    /// answers 410 after which a feed is gone.
    public var adoptionPolls = 3
    /// Minimum age in seconds of a permanent redirect that becomes the subscription's URL, and of the first 410.
    public var adoptionAge: Int64 = 86_400
    /// Minimum average time between two polls of one site; the more feeds a site has, the less often each is
    /// polled.
    public var secondsPerSiteRequest: Int64 = 2

    public init() {}

    /// The limits of the interval for feeds without their own.
    public var intervals: ClosedRange<Int64> { minimumInterval...max(minimumInterval, maximumInterval) }
  }

  /// The inputs of a decision besides the exchange and the state.
  public struct Context: Sendable {
    public var now: Timestamp
    /// The subscription's URL.
    public var url: String
    /// The URL that was requested: `url`, or the target of its permanent redirect.
    public var requested: String
    public var settings: FeedSettings
    /// Publication times of the feed's newest items, in any order.
    public var recentTimes: [Timestamp]
    /// Feeds polled on the same site, this one included.
    public var siteFeeds: Int
    /// Random number in 0..<1.
    public var random: Double
    /// The time until which a hub pushes the feed; nil: no hub does.
    public var pushedUntil: Timestamp?

    public init(
      now: Timestamp,
      url: String,
      requested: String? = nil,
      settings: FeedSettings = FeedSettings(),
      recentTimes: [Timestamp] = [],
      siteFeeds: Int = 1,
      random: Double = 0,
      pushedUntil: Timestamp? = nil
    ) {
      self.now = now
      self.url = url
      self.requested = requested ?? url
      self.settings = settings
      self.recentTimes = recentTimes
      self.siteFeeds = siteFeeds
      self.random = random
      self.pushedUntil = pushedUntil
    }
  }

  /// The result of one exchange.
  public enum Exchange: Sendable {
    /// Status 304.
    case notModified(FetchResponse)
    /// A success status other than 206, with the same body as last time.
    case sameBody(FetchResponse)
    case parsed(FetchResponse, PollHints, bodyHash: UInt64)
    /// A success status other than 206, without a feed; the message says what the document is.
    case unusable(FetchResponse, message: String)
    /// Any other status.
    case refused(FetchResponse, message: String)
    /// The fetch failed without a response.
    case failed(FetchError)

    /// The response of a successful exchange.
    var usableResponse: FetchResponse? {
      switch self {
      case .notModified(let response), .sameBody(let response), .parsed(let response, _, _): response
      case .unusable, .refused, .failed: nil
      }
    }
  }

  public var configuration: Configuration

  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  /// Returns the state after `exchange`.
  public func state(after exchange: Exchange, of state: FetchState, in context: Context) -> FetchState {
    switch exchange {
    case .notModified(let response):
      var next = succeeded(state, response, context)
      next.validators = Self.refreshed(state.validators, by: response)
      return scheduled(next, ResponseFreshness(response, storedMaxAge: state.maxAge), context)
    case .sameBody(let response):
      var next = succeeded(state, response, context)
      next.validators = Self.validators(of: response)
      return scheduled(next, ResponseFreshness(response), context)
    case .parsed(let response, let hints, let bodyHash):
      var next = succeeded(state, response, context)
      next.hints = hints
      // A truncated document must be fetched again in full.
      next.validators = response.isTruncated ? nil : Self.validators(of: response)
      next.bodyHash = response.isTruncated ? nil : bodyHash
      if response.isTruncated {
        next.lastError = "the response was truncated; newsd read the part that arrived"
      }
      return scheduled(next, ResponseFreshness(response), context)
    case .unusable(let response, let message):
      var next = failed(state, message: message, status: response.status, context)
      next.gone = nil
      next.validators = nil
      next.bodyHash = nil
      next.maxAge = nil
      return backedOff(next, context)
    case .refused(let response, let message):
      var next = failed(state, message: message, status: response.status, context)
      // The next poll sends no validators if they may have caused the error: always after 412, after 431 (fields too
      // large) and 400 only if they are long.
      let size = state.validators?.size ?? 0
      let isToBlame = [400: size > 2000, 412: true, 431: size > 200][response.status] ?? false
      if isToBlame { next.validators = nil }
      return refused(next, response, lastFetched: state.lastFetched, context)
    case .failed(let error):
      return backedOff(failed(state, message: error.message, status: nil, context), context)
    }
  }

  /// Computes the state after a poll while the network was down. The poll does not count as a failure, and the
  /// validators are kept.
  public func stateWhenNetworkIsDown(_ state: FetchState, message: String, in context: Context) -> FetchState
  {
    var next = state
    next.lastFetched = context.now
    next.lastStatus = nil
    next.lastError = message
    // The wait doubles from `networkRecheck` up to the minimum interval: newsd infers the outage from hosts that do
    // not answer, and perhaps only those are down.
    var wait = configuration.networkRecheck
    if state.nextDueReason == .networkDown, let due = state.nextDue, let last = state.lastFetched {
      wait = min(max(wait, 2 * (due - last)), max(wait, configuration.minimumInterval))
    }
    next.nextDue = context.now + Int64(Double(wait) * (1 + 0.2 * context.random))
    next.nextDueReason = .networkDown
    return next
  }

  /// Seconds by which the clock may be set back before stored times count as wrong.
  package static let clockTolerance: Int64 = 60

  /// True when the last poll is in the future. The clock was wrong then, so due times computed from that poll are wrong
  /// too.
  public func isFromWrongClock(lastFetched: Timestamp?, now: Timestamp) -> Bool {
    lastFetched.map { $0 > now + Self.clockTolerance } ?? false
  }

  /// Returns the due time if it is in the future; nil: poll now. Ignores a due time from a wrong clock: further ahead
  /// than any wait of this policy, or computed from a poll in the future.
  public func wait(_ due: Timestamp?, lastFetched: Timestamp? = nil, now: Timestamp) -> Timestamp? {
    guard !isFromWrongClock(lastFetched: lastFetched, now: now) else { return nil }
    // A feed's own limits may exceed `maximumInterval`, up to `FeedSettings.intervals.upperBound`, so a wait of that
    // length is not a clock error.
    let usual = 2 * max(configuration.maximumBackoff, configuration.maximumInterval)
    let longest = max(usual, FeedSettings.intervals.upperBound) + 8 * 86_400
    guard let due, due > now, due - now <= longest else { return nil }
    return due
  }

  /// Returns the limits of the interval for a feed.
  public func bounds(_ settings: FeedSettings) -> ClosedRange<Int64> {
    settings.intervals(configuration.intervals)
  }

  /// True when enough polls over a long enough time have confirmed a permanent redirect, so that it becomes the
  /// subscription's URL.
  public func adoptsMove(_ state: FetchState, now: Timestamp) -> Bool {
    guard let moved = state.movedTo, moved.url != state.rejectedMove else { return false }
    return moved.polls >= configuration.adoptionPolls && now - moved.firstSeen >= configuration.adoptionAge
  }
}

// MARK: - Outcomes

extension PollPolicy {
  private func succeeded(_ state: FetchState, _ response: FetchResponse, _ context: Context) -> FetchState {
    var next = state
    next.lastFetched = context.now
    next.lastStatus = response.status
    next.lastSuccess = context.now
    next.failures = 0
    next.failingSince = nil
    next.lastError = nil
    next.gone = nil
    next.isGone = false
    next.cooldown = nil
    next.movedTo = PermanentMove.remembered(
      state.movedTo,
      url: context.url,
      requested: context.requested,
      hops: response.hops,
      now: context.now
    )
    return next
  }

  private func failed(_ state: FetchState, message: String, status: Int?, _ context: Context) -> FetchState {
    var next = state
    next.lastFetched = context.now
    next.lastStatus = status
    next.lastError = Self.shortened(message)
    next.failures += 1
    next.failingSince = state.failingSince ?? context.now
    if let cooldown = state.cooldown, !cooldown.isRunning(context.now) { next.cooldown = nil }
    return next
  }

  /// Limits the stored text: the Location field of a redirect may be 100 kB long.
  static func shortened(_ message: String) -> String {
    message.utf8.count > 400 ? GivenName.cut(message, to: 300) + "…" : message
  }

  /// Returns the state after an error status: push-back (429 and 503), gone (410), or an ordinary failure.
  private func refused(
    _ state: FetchState,
    _ response: FetchResponse,
    lastFetched: Timestamp?,
    _ context: Context
  ) -> FetchState {
    var next = state
    let isPushBack = response.status == 429 || response.status == 503
    if !isPushBack { next.movedTo = nil }
    // A temporary redirect to something gone says nothing about the feed itself.
    if response.status == 410, response.hops.allSatisfy(\.isPermanent) {
      // A first answer in the future was stored with a wrong clock. One in the past may have been, too: the others must
      // have a distance of their own.
      var gone = state.gone ?? GoneAnswers(firstSeen: context.now, polls: 0)
      gone.firstSeen = min(gone.firstSeen, context.now)
      let distance = min(configuration.adoptionAge / 4, configuration.maximumBackoff / 2)
      let isDistant = lastFetched.map { context.now - $0 >= distance } ?? false
      if gone.polls == 0 || isDistant { gone.polls += 1 }
      next.gone = gone
      let isOld = context.now - gone.firstSeen >= configuration.adoptionAge
      if state.isGone || gone.polls >= configuration.adoptionPolls && isOld {
        next.isGone = true
        next.nextDue = nil
        next.nextDueReason = .gone
        return next
      }
    } else if !isPushBack {
      next.gone = nil
    }
    guard let asked = response.retryAfter, asked > context.now else {
      return backedOff(next, context, keepingMove: isPushBack)
    }
    let until = min(asked, context.now + configuration.maximumBackoff)
    if isPushBack, until > context.now {
      next.cooldown = HostCooldown(host: WebAddress.hostKey(of: response.url), until: until)
    }
    // After the first 429 or 503, only Retry-After determines the delay; after further ones, the backoff does too.
    let rest = isPushBack ? next.failures - 1 : next.failures
    let backoff = rest > 0 ? context.now + backoffDelay(rest, state.interval, context) : context.now
    let earliest = earliest(next, context)
    if earliest > max(until, backoff) {
      next.nextDue = PollTimes.skipping(next.hints, from: earliest)
      next.nextDueReason = .retryAfter
      return next
    }
    next.nextDue = PollTimes.skipping(next.hints, from: max(until, backoff))
    next.nextDueReason = until >= backoff ? .retryAfter : .backoff(next.failures)
    return next
  }

  private func backedOff(_ state: FetchState, _ context: Context, keepingMove: Bool = false) -> FetchState {
    var next = state
    if !keepingMove { next.movedTo = nil }
    let due = max(context.now + backoffDelay(next.failures, next.interval, context), earliest(next, context))
    next.nextDue = PollTimes.skipping(next.hints, from: due)
    next.nextDueReason = .backoff(next.failures)
    return next
  }

  /// Returns the earliest time of the next poll after a failure: not before the shortest interval has passed, and not
  /// before the end of the wait that the last success asked for.
  private func earliest(_ state: FetchState, _ context: Context) -> Timestamp {
    let range = bounds(context.settings)
    let soonest = context.now + range.lowerBound
    // A success in the future was recorded with a wrong clock.
    guard let last = state.lastSuccess.map({ min($0, context.now) }) else { return soonest }
    return max(soonest, last + min(state.askedWait, range.upperBound))
  }

  /// Computes an exponential backoff: the interval doubles with every failure, plus up to 20 % jitter, up to
  /// `maximumBackoff`.
  private func backoffDelay(_ failures: Int, _ interval: Int64?, _ context: Context) -> Int64 {
    let range = bounds(context.settings)
    let base = min(max(interval ?? configuration.defaultInterval, range.lowerBound), range.upperBound)
    let longest = Double(configuration.maximumBackoff)
    var delay = Double(base)
    for _ in 1..<max(1, min(failures, 40)) where delay < longest { delay *= 2 }
    delay *= 1 + 0.2 * context.random
    // At the limit, jitter shortens the delay; otherwise feeds that failed together would always be polled together.
    if delay >= longest { delay = longest * (1 - 0.1 * context.random) }
    return Int64(delay)
  }
}

// MARK: - Validators

extension PollPolicy {
  /// Returns ETag and Last-Modified of a 200 response, as a pair.
  static func validators(of response: FetchResponse) -> Validators? {
    let etag = response.header("ETag")
    let lastModified = response.header("Last-Modified")
    guard etag != nil || lastModified != nil else { return nil }
    // Servers refuse requests with header fields of 8 KiB and more.
    guard (etag?.utf8.count ?? 0) + (lastModified?.utf8.count ?? 0) <= 7168 else { return nil }
    return Validators(etag: etag, lastModified: lastModified, url: response.url)
  }

  /// Returns the validators after a 304: its fields replace the stored ones (RFC 9111 section 4.3.4).
  static func refreshed(_ stored: Validators?, by response: FetchResponse) -> Validators? {
    guard var stored else { return nil }
    if let etag = response.header("ETag") { stored.etag = etag }
    if let lastModified = response.header("Last-Modified") { stored.lastModified = lastModified }
    return stored
  }
}

// MARK: - Scheduling after a success

extension PollPolicy {
  private func scheduled(_ state: FetchState, _ fresh: ResponseFreshness, _ context: Context) -> FetchState {
    let range = bounds(context.settings)
    var next = state
    next.maxAge = fresh.isFromExpires ? nil : fresh.maxAge
    let rhythm = PublishingRhythm(times: context.recentTimes, now: context.now)
    let wait = rhythm.wait(unknown: configuration.defaultInterval)
    let interval = min(max(wait, range.lowerBound), range.upperBound)
    next.interval = interval
    // Jitter of ±10 %, within the limits.
    let shortest = max(range.lowerBound, interval - interval / 10)
    let longest = min(range.upperBound, interval + interval / 10)
    var delay = shortest + Int64(Double(longest - shortest) * context.random)
    var reason = DueReason.adaptive
    var wanted = wait
    for (seconds, why) in PollTimes.earliest(next.hints, fresh, now: context.now) {
      wanted = max(wanted, seconds)
      let earliest = min(max(seconds, range.lowerBound), range.upperBound)
      guard earliest > delay || (earliest == delay && seconds >= earliest) else { continue }
      // Never earlier than requested; up to 5 % later, so that a site's feeds do not all become due in the same second.
      delay = min(earliest + Int64(Double(min(earliest, 6000)) * 0.05 * context.random), range.upperBound)
      reason = why
    }
    // If a limit of the feed's own settings determines the delay, the reason is the user.
    if let least = context.settings.minimumInterval, wanted < least { reason = .user }
    if let most = context.settings.maximumInterval, wanted > most { reason = .user }
    let budget = Int64(context.siteFeeds) * configuration.secondsPerSiteRequest
    if budget > delay {
      delay = budget + Int64(Double(budget) * 0.1 * context.random)
      reason = .hostBudget
    }
    if let rest = waitWhilePushed(context), rest > delay {
      delay = rest
      reason = .webSub
    }
    let due = context.now + delay
    let allowed = PollTimes.skipping(next.hints, from: due)
    if allowed > due { reason = PollTimes.isSkippedDay(next.hints, due) ? .skipDays : .skipHours }
    next.nextDue = allowed
    next.nextDueReason = reason
    return next
  }
}
