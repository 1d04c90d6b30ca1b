public import NewsCore
import Synchronization

/// Counters of a running daemon, in Prometheus' text format (version 0.0.4). They begin at 0 when newsd starts.
public final class ServiceMetrics: Sendable {
  /// A distribution of durations.
  fileprivate struct Histogram {
    let bounds: [Double]
    var counts: [Int]
    var sum = 0.0

    init(_ bounds: [Double]) {
      self.bounds = bounds
      counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    mutating func add(_ seconds: Double) {
      counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
      sum += seconds
    }
  }

  fileprivate struct State {
    var polls: [String: Int] = ["updated": 0, "unchanged": 0, "failed": 0, "skipped": 0]
    var failures: [String: Int] = [:]
    var lateness = Histogram([1, 5, 15, 60, 300, 900, 3600])
    var itemsStored = 0
    var commits = Histogram([0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30])
    var transfers = 0
    var requests: [Request: Int] = [:]
    var durations: [String: Histogram] = [:]
    var loginFailures = 0
  }

  fileprivate struct Request: Hashable {
    var api: String
    var status: Int
  }

  private static let requestBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

  private let state = Mutex(State())

  public init() {
    state.withLock { state in
      for kind in HealthReport.FailureKind.allCases { state.failures[kind.rawValue] = 0 }
      state.failures["store"] = 0
    }
  }

  // MARK: - Counting

  /// Counts an event of the scheduler that happened now.
  public func count(_ event: RefreshEvent, at now: Timestamp) {
    state.withLock { state in
      switch event {
      case .started: state.transfers += 1
      case .finished(let outcome): state.count(outcome, at: now)
      case .committed(let seconds): state.commits.add(seconds)
      case .began, .networkDown, .storeFailed, .storeRecovered, .clockSet: break
      }
    }
  }

  public func countLoginFailure() { state.withLock { $0.loginFailures += 1 } }
}

extension ServiceMetrics: HTTPObserving {
  public func answered(api: String, status: Int, nanoseconds: Int64) {
    state.withLock { state in
      state.requests[Request(api: api, status: status), default: 0] += 1
      state.durations[api, default: Histogram(Self.requestBounds)].add(Double(nanoseconds) / 1e9)
    }
  }
}

extension ServiceMetrics.State {
  fileprivate mutating func count(_ outcome: RefreshOutcome, at now: Timestamp) {
    transfers = max(0, transfers - 1)
    switch outcome.result {
    case .unchanged: polls["unchanged", default: 0] += 1
    case .updated(let new, _):
      polls["updated", default: 0] += 1
      itemsStored += new.count
    case .failed(let failure):
      polls["failed", default: 0] += 1
      failures[Self.kind(failure.code), default: 0] += 1
    case .skipped:
      polls["skipped", default: 0] += 1
      return
    }
    // A feed that was never fetched is not late.
    guard let due = outcome.feed?.fetchState.nextDue else { return }
    lateness.add(max(0, Double(now - due) - Double(outcome.duration) / 1000))
  }

  private static func kind(_ code: RefreshFailure.Code) -> String {
    switch code {
    case .status(let status):
      status < 500
        ? HealthReport.FailureKind.clientError.rawValue : HealthReport.FailureKind.serverError.rawValue
    case .fetch: HealthReport.FailureKind.network.rawValue
    case .notAFeed: HealthReport.FailureKind.notAFeed.rawValue
    case .store, .refusedByStore: "store"
    }
  }
}

// MARK: - Text

extension ServiceMetrics {
  /// Returns all counters as text. `connections` are those of the web server; `droppedLines` were not logged
  /// because the log was full.
  public func text(connections: Int, droppedLines: Int) -> String {
    let state = state.withLock { $0 }
    var text = Text()
    text.counters("polls_total", "Polls since newsd started.", "result", state.polls)
    text.counters("poll_failures_total", "Failed polls, by kind.", "kind", state.failures)
    text.head("poll_lateness_seconds", "How late polls began.", "histogram")
    text.histogram("poll_lateness_seconds", "", state.lateness)
    text.value("items_stored_total", "Items stored by polls.", "counter", state.itemsStored)
    text.head("commit_seconds", "Time that storing a batch of polls took.", "histogram")
    text.histogram("commit_seconds", "", state.commits)
    text.value("transfers_in_flight", "Polls in progress.", "gauge", state.transfers)
    text.head("http_requests_total", "Answers of the web server.", "counter")
    for (request, count) in state.requests.sorted(by: {
      ($0.key.api, $0.key.status) < ($1.key.api, $1.key.status)
    }) {
      text.sample("http_requests_total", "api=\"\(request.api)\",status=\"\(request.status)\"", "\(count)")
    }
    text.head(
      "http_request_seconds",
      "Time from a request's first line to the end of its answer.",
      "histogram"
    )
    for (api, histogram) in state.durations.sorted(by: { $0.key < $1.key }) {
      text.histogram("http_request_seconds", "api=\"\(api)\"", histogram)
    }
    text.value("http_connections", "Open connections of the web server.", "gauge", connections)
    text.value("login_failures_total", "Wrong passwords.", "counter", state.loginFailures)
    text.value("log_lines_dropped_total", "Log lines without room in the queue.", "counter", droppedLines)
    return text.string
  }

  private struct Text {
    var string = ""

    mutating func head(_ name: String, _ help: String, _ type: String) {
      string += "# HELP newsd_\(name) \(help)\n# TYPE newsd_\(name) \(type)\n"
    }

    mutating func sample(_ name: String, _ labels: String, _ value: String) {
      string += "newsd_\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
    }

    mutating func value(_ name: String, _ help: String, _ type: String, _ value: Int) {
      head(name, help, type)
      sample(name, "", "\(value)")
    }

    mutating func counters(_ name: String, _ help: String, _ label: String, _ values: [String: Int]) {
      head(name, help, "counter")
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        sample(name, "\(label)=\"\(key)\"", "\(value)")
      }
    }

    mutating func histogram(_ name: String, _ labels: String, _ histogram: Histogram) {
      let prefix = labels.isEmpty ? "" : labels + ","
      var total = 0
      for (bound, count) in zip(histogram.bounds.map { "\($0)" } + ["+Inf"], histogram.counts) {
        total += count
        sample("\(name)_bucket", "\(prefix)le=\"\(bound)\"", "\(total)")
      }
      sample("\(name)_sum", labels, "\(histogram.sum)")
      sample("\(name)_count", labels, "\(total)")
    }
  }
}
