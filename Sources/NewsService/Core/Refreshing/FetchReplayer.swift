import Synchronization

/// Answers from recorded exchanges instead of the network: for each URL in the order of recording, repeating the last
/// one.
public final class FetchReplayer: Fetching, WallClock {
  private struct State {
    var exchanges: [String: [RecordedExchange]] = [:]
    var now: Timestamp
  }
  private let state: Mutex<State>
  /// All recorded URLs, in the order of their first recording.
  public let urls: [String]
  /// The largest number of recordings of one URL.
  public let rounds: Int
  /// Files that contain no valid recording.
  public let unreadable: [String]

  /// The clock supplies the time if the folder contains no response. Throws when the folder cannot be read or
  /// contains no exchange.
  public init(records: any RecordKeeping, clock: any WallClock) throws(FileError) {
    var state = State(now: clock.now())
    var urls: [String] = []
    var unreadable: [String] = []
    var earliest: Timestamp?
    for name in try records.names() where name.hasSuffix(".exchange") {
      guard let exchange = RecordedExchange(try records.read(named: name)) else {
        unreadable.append(name)
        continue
      }
      if state.exchanges[exchange.request] == nil { urls.append(exchange.request) }
      state.exchanges[exchange.request, default: []].append(exchange)
      if case .success(let response) = exchange.result {
        earliest = min(earliest ?? response.received, response.received)
      }
    }
    guard !urls.isEmpty else {
      throw FileError(
        code: .badData,
        message: "the folder has no recorded exchanges. 'newsd fetch --record DIR' makes them."
      )
    }
    if let earliest { state.now = earliest }
    self.urls = urls
    rounds = state.exchanges.values.map(\.count).max() ?? 0
    self.unreadable = unreadable
    self.state = Mutex(state)
  }

  /// Returns the receipt time of the latest response so far, so that dates are interpreted as they were at recording
  /// time.
  public func now() -> Timestamp { state.withLock { $0.now } }

  public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    let url = WebAddress.redacted(request.url)
    let exchange = state.withLock { state -> RecordedExchange? in
      guard var left = state.exchanges[url], let first = left.first else { return nil }
      if left.count > 1 {
        left.removeFirst()
        state.exchanges[url] = left
      }
      if case .success(let response) = first.result { state.now = max(state.now, response.received) }
      return first
    }
    guard let exchange else { throw FetchError(code: .fileNotFound, message: "\(url) was not recorded") }
    return try exchange.result.get()
  }
}
