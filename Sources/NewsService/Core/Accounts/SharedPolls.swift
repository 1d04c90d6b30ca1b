import NewsToolbox
import Synchronization

/// Has an address asked once for all accounts that poll it with the same request.
///
/// The account whose poll is due first sends the request, as one of all accounts: it must not wait until that account has
/// room for it. The others get the response, and their waiting time begins anew: the shortest interval counts. The first poll of a
/// subscription is a request of its own, and so is a refresh that a person starts, because an instant answer would tell what
/// others read.
public final class SharedPolls: Sendable {
  /// How a request ended.
  private struct Answer: Sendable {
    let result: Result<FetchResponse, FetchError>
    /// The validators that were sent.
    let validators: Validators?

    /// True if it answers the request, too: "not modified" does so only for the same document.
    func suits(_ request: FetchRequest) -> Bool {
      guard case .success(let response) = result, response.status == 304 else { return true }
      return request.validators == validators
    }

    var size: Int { (try? result.get())?.body.count ?? 0 }
  }

  /// An answer that accounts have not taken yet.
  private struct Document {
    var answer: Answer
    var takers: Set<String>
    let end: ContinuousClock.Instant
  }

  private typealias Waiter = CheckedContinuation<Answer?, Never>
  private typealias Reading = (seat: Seat, feed: Feed?)

  /// A request that is on its way.
  private struct Flight {
    var waiters: [Int: Waiter] = [:]
    /// The accounts that wait for it, or have waited.
    var accounts: Set<String> = []
    /// True if no other account had the feed when the request was sent.
    var isAlone = false
  }

  private struct State {
    var seats: [String: Seat] = [:]
    var flights: [FetchRequest: Flight] = [:]
    var documents: [FetchRequest: Document] = [:]
    var lastWaiter = 0
  }

  private enum Step {
    case take(Answer)
    case wait
    case send
    case sendAlone
    case nothing
  }

  private let state = Mutex(State())
  /// Holds back the polls at the start.
  public let start = PollStart()
  /// How long an answer waits to be taken, and how many bytes of answers may wait.
  private static let patience = Duration.seconds(60)
  private static let mostBytes = 32 << 20
  /// Returns when the stores of accounts have had enough time for one of them to say that it has the address.
  private let enough: @Sendable () async -> Void

  public convenience init() {
    self.init { try? await Task.sleep(for: .seconds(1)) }
  }

  init(enough: @escaping @Sendable () async -> Void) { self.enough = enough }

  /// The part of an account, the same at each call.
  public func seat(of account: String) -> Seat {
    state.withLock { state in
      if let seat = state.seats[account] { return seat }
      let seat = Seat(account, start)
      state.seats[account] = seat
      return seat
    }
  }

  /// Returns a fetcher for an account, whose polls are shared.
  public func fetcher(of account: String, _ other: any Fetching) -> any Fetching {
    SharedFetcher(polls: self, account: account, other: other)
  }

  /// Returns the client for the other requests of an account, which are its own.
  public func poster(of account: String, _ other: any BodyPosting) -> any BodyPosting {
    AccountPoster(account: account, other: other)
  }

  /// Fetches for the polls of one account.
  fileprivate func fetch(
    _ request: FetchRequest,
    for account: String,
    _ other: any Fetching
  ) async throws(FetchError) -> FetchResponse {
    let key = request.common
    while true {
      switch step(key, request, account) {
      case .take(let answer):
        if answer.suits(request) { return try answer.result.get() }
      case .wait:
        if let answer = await wait(for: key, account), answer.suits(request) {
          return try answer.result.get()
        }
        if Task.isCancelled { throw FetchError(code: .cancelled, message: "cancelled") }
      case .nothing: throw FetchError(code: .cancelled, message: "nothing was handed over")
      case .send: return try await send(request, key, account, other)
      case .sendAlone: return try await other.fetch(request)
      }
    }
  }

  private func step(_ key: FetchRequest, _ request: FetchRequest, _ account: String) -> Step {
    state.withLock { state in
      if let document = state.documents[key], document.takers.contains(account), document.end > .now {
        state.documents[key]?.takers.remove(account)
        if document.takers.count == 1 { state.documents[key] = nil }
        return .take(document.answer)
      }
      let flight = state.flights[key]
      if let flight, !flight.isAlone { return .wait }
      guard request.sharing == .asks else { return .nothing }
      // The limits of the account that asks may hold its request back for long.
      if flight != nil { return .sendAlone }
      state.flights[key] = Flight()
      return .send
    }
  }

  /// Waits for the end of the request on its way. Returns nil if it was cancelled, if this task is, or if there is none.
  private func wait(for key: FetchRequest, _ account: String) async -> Answer? {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        let isWaiting = state.withLock { state in
          guard state.flights[key]?.isAlone == false, !Task.isCancelled else { return false }
          state.flights[key]?.waiters[number] = waiter
          state.flights[key]?.accounts.insert(account)
          return true
        }
        if !isWaiting { waiter.resume(returning: nil) }
      }
    } onCancel: {
      state.withLock { $0.flights[key]?.waiters.removeValue(forKey: number) }?.resume(returning: nil)
    }
  }

  private func send(
    _ request: FetchRequest,
    _ key: FetchRequest,
    _ account: String,
    _ other: any Fetching
  ) async throws(FetchError) -> FetchResponse {
    let (sharers, late, agree) = await sharers(of: request, with: account)
    var sent = request
    if !agree { sent.validators = nil }
    // Others wait for the answer: it must not wait until this account has room for it.
    if sharers.isEmpty && late.isEmpty { goAlone(key) } else { sent.account = FetchRequest.allAccounts }
    let result: Result<FetchResponse, FetchError>
    do {
      result = .success(try await other.fetch(sent))
    } catch {
      result = .failure(error)
    }
    finish(key, Answer(result: result, validators: sent.validators), sharers, late)
    return try result.get()
  }

  /// Has the accounts that wait for the request send their own, because it is that of one account.
  private func goAlone(_ key: FetchRequest) {
    let waiters = state.withLock { state in
      state.flights[key]?.isAlone = true
      defer { state.flights[key]?.waiters = [:] }
      return state.flights[key]?.waiters ?? [:]
    }
    for waiter in waiters.values { waiter.resume(returning: nil) }
  }

  /// The other accounts that poll the address with the same request, the names of those whose stores do not say it soon, and whether
  /// all have the same document. For late ones the request is shared, too: on a slow server, they must not all send their own.
  private func sharers(
    of request: FetchRequest,
    with account: String
  ) async -> (found: [(seat: Seat, feed: Feed.ID)], late: [String], agree: Bool) {
    let url = request.subscriptionURL ?? request.url
    var found: [(seat: Seat, feed: Feed.ID)] = []
    let others = state.withLock { $0.seats.values.filter { $0.account != account } }
    let (feeds, late) = await feeds(at: url, of: others)
    var agree = late.isEmpty
    for (seat, feed) in feeds {
      guard feed.settings.sendsCommonRequests(to: url),
        feed.settings.isPaused != true, !feed.fetchState.isGone, feed.fetchState.lastFetched != nil,
        feed.fetchState.movedTo?.url ?? feed.url == request.url
      else { continue }
      found.append((seat, feed.id))
      if feed.fetchState.validators != request.validators { agree = false }
    }
    return (found, late, agree)
  }

  /// Asks the accounts for their feeds at the address, side by side. A store may take long to answer, because its tables are locked
  /// or it reads much: others do not wait for it. Many readings may wait for few connections, for other polls, too: as long as
  /// stores that are waited for answer any of them, their turn comes. Returns the names of late accounts, too.
  private func feeds(
    at url: String,
    of seats: [Seat]
  ) async -> (found: [(seat: Seat, feed: Feed)], late: [String]) {
    let asked = seats.filter { $0.follows(url) }
    guard !asked.isEmpty else { return ([], []) }
    var missing = Set(asked.map(\.account))
    func heard() -> Int { asked.reduce(0) { missing.contains($1.account) ? $0 + $1.answers : $0 } }
    var lastHeard = heard()
    // Late readings end by themselves: stores do not notice that a task is cancelled. Nil stands for the end of a second.
    let (answers, answer) = AsyncStream.makeStream(of: Reading?.self)
    for seat in asked {
      Task {
        let feed = await seat.feed(at: url)
        answer.yield((seat: seat, feed: feed))
      }
    }
    let timer = Task { [enough] in
      while !Task.isCancelled {
        await enough()
        answer.yield(nil)
      }
    }
    defer { timer.cancel() }
    var found: [(seat: Seat, feed: Feed)] = []
    var hasAnswer = false
    for await next in answers {
      if let (seat, feed) = next {
        if let feed { found.append((seat, feed)) }
        missing.remove(seat.account)
        if missing.isEmpty { break }
        hasAnswer = true
      } else {
        let present = heard()
        guard hasAnswer || present != lastHeard else { break }
        (lastHeard, hasAnswer) = (present, false)
      }
    }
    for seat in asked where missing.contains(seat.account) { seat.noteDelay() }
    return (found, Array(missing))
  }

  /// Passes the answer to the accounts that wait for it, and keeps it for the others. Late ones find it if they poll soon.
  private func finish(
    _ key: FetchRequest,
    _ answer: Answer,
    _ sharers: [(seat: Seat, feed: Feed.ID)],
    _ late: [String]
  ) {
    let isOwn =
      if case .failure(let error) = answer.result { error.concernsOneRequest } else { false }
    let now = ContinuousClock.now
    let (flight, rest) = state.withLock { state in
      let flight = state.flights.removeValue(forKey: key)
      state.documents = state.documents.filter { $0.key != key && $0.value.end > now }
      let rest = isOwn ? [] : sharers.filter { flight?.accounts.contains($0.seat.account) != true }
      let held = state.documents.values.reduce(0) { $0 + $1.answer.size }
      let others = isOwn ? [] : late.filter { flight?.accounts.contains($0) != true }
      let takers = Set(rest.map(\.seat.account) + others)
      guard !takers.isEmpty, held + answer.size <= Self.mostBytes else {
        return (flight, [(seat: Seat, feed: Feed.ID)]())
      }
      state.documents[key] = Document(answer: answer, takers: takers, end: now + Self.patience)
      return (flight, rest)
    }
    for waiter in flight?.waiters.values ?? [:].values { waiter.resume(returning: isOwn ? nil : answer) }
    for (seat, feed) in rest { seat.handOver(feed) }
  }
}

extension SharedPolls {
  /// One account's part.
  public final class Seat: Sendable {
    private struct Work {
      var store: any ArrivalStoring
      /// The ids of the feeds by the hashes of their addresses.
      var feeds: [Int: Feed.ID] = [:]
      /// True while the store cannot be written.
      var isHeld = false
      let handOver: @Sendable (Feed.ID) -> Void
    }

    fileprivate let account: String
    private let start: PollStart
    private let work = Mutex<Work?>(nil)
    /// Number of readings of the store in progress, number of successful ones, and whether one takes too long.
    private let pace = Mutex((readings: 0, answers: 0, isDelayed: false))

    fileprivate init(_ account: String, _ start: PollStart) {
      self.account = account
      self.start = start
    }

    /// Begins to share polls. `handOver` is called when another account has an answer for a feed.
    func open(_ store: any ArrivalStoring, handOver: @escaping @Sendable (Feed.ID) -> Void) {
      work.withLock { $0 = Work(store: store, handOver: handOver) }
    }

    func close() { work.withLock { $0 = nil } }

    /// Notes the addresses that the account polls.
    func follow(_ feeds: [DueFeed]) {
      let ids = Dictionary(feeds.map { ($0.url.hashValue, $0.id) }) { first, _ in first }
      work.withLock { $0?.feeds = ids }
    }

    /// Notes that the addresses are known. Returns the event after which the account may poll; nil: it may do so now.
    func arrive() -> OneTimeEvent? { start.arrive(account) }

    /// Takes no answers, and no part in what others send, while the store cannot be written.
    func hold(_ isHeld: Bool) { work.withLock { $0?.isHeld = isHeld } }

    fileprivate func handOver(_ feed: Feed.ID) { work.withLock { $0?.handOver }?(feed) }

    /// Others need not wait for the store until the readings in progress go on.
    fileprivate func noteDelay() { pace.withLock { $0.isDelayed = true } }

    /// True if the account polls the address, as far as its list of feeds says, and its store can be asked now.
    fileprivate func follows(_ url: String) -> Bool {
      guard pace.withLock({ !$0.isDelayed || $0.readings == 0 }) else { return false }
      return work.withLock { work in
        guard let work, !work.isHeld else { return false }
        return work.feeds[url.hashValue] != nil
      }
    }

    /// How often the store has answered.
    var answers: Int { pace.withLock { $0.answers } }

    fileprivate func feed(at url: String) async -> Feed? {
      let found = work.withLock { work -> (store: any ArrivalStoring, id: Feed.ID)? in
        guard let store = work?.store, let id = work?.feeds[url.hashValue] else { return nil }
        return (store, id)
      }
      guard let found else { return nil }
      pace.withLock { $0.readings += 1 }
      let feed = try? await found.store.feed(found.id)
      pace.withLock { $0 = ($0.readings - 1, $0.answers + (feed == nil ? 0 : 1), false) }
      return feed?.url == url ? feed : nil
    }
  }
}

private struct SharedFetcher: Fetching {
  let polls: SharedPolls
  let account: String
  let other: any Fetching

  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    let request = request.of(account)
    // A program runs, and a file is read, for one account.
    guard request.sharing != .alone, request.settings.sendsCommonRequests(to: request.url) else {
      if request.sharing == .takes { throw FetchError(code: .cancelled, message: "nothing was handed over") }
      return try await other.fetch(request)
    }
    return try await polls.fetch(request, for: account, other)
  }
}

private struct AccountPoster: BodyPosting {
  let account: String
  let other: any BodyPosting

  func post(raw bytes: [UInt8], _ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    try await other.post(raw: bytes, request.of(account))
  }

  func get(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    try await other.get(request.of(account))
  }
}

extension FetchRequest {
  /// The request as one of the account's.
  fileprivate func of(_ account: String) -> FetchRequest {
    var request = self
    request.account = account
    return request
  }

  /// The part that is the same for all accounts whose requests are the same.
  fileprivate var common: FetchRequest {
    var request = self
    request.validators = nil
    request.settings = FeedSettings()
    request.subscriptionURL = nil
    request.lastPollSucceeded = false
    request.feedID = nil
    request.account = nil
    request.sharing = .asks
    return request
  }
}

extension FetchError {
  /// True if the request was not sent, or ended because of its account.
  var concernsOneRequest: Bool {
    switch code {
    case .cancelled, .inCooldown: true
    default: false
    }
  }
}

extension Feed {
  /// The address that is asked once for all accounts; nil: requests for the feed are the account's own.
  package var sharedAddress: String? { settings.sendsCommonRequests(to: url) ? url : nil }
}

extension FeedSettings {
  /// True if requests to the address are those of a feed without settings.
  fileprivate func sendsCommonRequests(to url: String) -> Bool {
    // Texts with other letters may be equal and yet be two addresses.
    guard FeedURLKind(url) == .web, url.utf8.allSatisfy({ $0 < 0x80 }), WebAddress.redacted(url) == url
    else { return false }
    var rest = self
    rest.minimumInterval = nil
    rest.maximumInterval = nil
    rest.encoding = nil
    rest.allowsLocalOrigin = nil
    rest.identity = nil
    rest.keepDays = nil
    rest.keepItems = nil
    rest.isPaused = nil
    rest.isHidden = nil
    rest.article = nil
    rest.articleContent = nil
    rest.articleRemove = nil
    rest.articleNext = nil
    return rest.isEmpty
  }
}
