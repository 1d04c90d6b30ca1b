import NewsCore
import Synchronization
import TestSupport

/// A web in memory: the answers of each URL, and the requests received. Follows redirects like the real fetcher.
final class FakeWeb: Fetching {
  enum Answer: Sendable {
    case response(Int, [String: String], String)
    case redirect(Int, String)
    case truncated(String)
    case failure(FetchError.Code)
    /// No connection: fails after this many milliseconds.
    case silence(Int)
    /// No answer until the request is cancelled.
    case stall
  }

  private struct State {
    var answers: [String: [Answer]] = [:]
    var requests: [FetchRequest] = []
    var visited: [String] = []
    var running = 0
    var mostRunning = 0
    var localURLs = Set<String>()
  }
  private let state = Mutex(State())
  private let clock: any WallClock

  init(clock: any WallClock) {
    self.clock = clock
  }

  /// Sets the answers of `url`, given one after the other; the last one repeats.
  func set(_ url: String, _ answers: Answer...) { state.withLock { $0.answers[url] = answers } }

  /// Sets whether the host of `url` has a local address.
  func set(_ url: String, isLocal: Bool) {
    state.withLock { state in
      if isLocal { state.localURLs.insert(url) } else { state.localURLs.remove(url) }
    }
  }

  /// The requests, without the hops of redirects.
  var requests: [FetchRequest] { state.withLock { $0.requests } }
  /// All requested URLs, including the hops of redirects.
  var visited: [String] { state.withLock { $0.visited } }
  /// Number of running fetches.
  var running: Int { state.withLock { $0.running } }
  var mostRunning: Int { state.withLock { $0.mostRunning } }

  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    state.withLock { state in
      state.requests.append(request)
      state.running += 1
      state.mostRunning = max(state.mostRunning, state.running)
    }
    defer { state.withLock { $0.running -= 1 } }
    await Task.yield()
    var url = request.url
    var hops: [RedirectHop] = []
    while true {
      switch next(url) {
      case .redirect(let status, let location):
        hops.append(RedirectHop(status: status, location: location))
        url = location
      case .response(let status, let headers, let body):
        return FetchResponse(
          status: status,
          headers: headers.map { (name: $0.key, value: $0.value) },
          body: Array(body.utf8),
          url: url,
          hops: hops,
          reachedLocalAddress: state.withLock { $0.localURLs.contains(request.url) },
          received: clock.now()
        )
      case .truncated(let body):
        return FetchResponse(
          status: 200,
          body: Array(body.utf8),
          url: url,
          hops: hops,
          isTruncated: true,
          received: clock.now()
        )
      case .failure(let code):
        var error = FetchError(code: code, message: "\(url): \(code).", hops: hops)
        error.usedExemption = state.withLock { $0.localURLs.contains(request.url) }
        throw error
      case .silence(let milliseconds):
        try? await Task.sleep(for: .milliseconds(milliseconds))
        throw FetchError(code: .timedOut, message: "\(url): no connection.", hops: hops, neverConnected: true)
      case .stall:
        try? await untilCancelled()
        throw FetchError(code: .cancelled, message: "\(url): cancelled.", hops: hops)
      }
    }
  }

  private func next(_ url: String) -> Answer {
    state.withLock { state in
      state.visited.append(url)
      guard var answers = state.answers[url], let first = answers.first else {
        return .response(404, [:], "")
      }
      if answers.count > 1 {
        answers.removeFirst()
        state.answers[url] = answers
      }
      return first
    }
  }
}
