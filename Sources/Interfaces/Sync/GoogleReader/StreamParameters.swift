import NewsHTTP
import NewsCore

/// The parameters of a request for a stream.
struct StreamParameters {
  var request: StreamRequest
  /// Maximum number of items.
  var limit: Int

  /// Maximum number of items for requests without `n`.
  static let usualLimit = 20
  /// Upper bound of `n`; no store has that many items.
  private static let largestLimit = 100_000_000

  /// The catalog, if the request names a feed, folder, label or search; else an empty one.
  static func catalog(
    _ parameters: HTTPParameters,
    streams names: [String],
    _ streams: SyncStreams
  ) async throws(StoreError) -> SyncCatalog {
    let named = names + parameters.all("it") + parameters.all("xt")
    return try await streams.catalog(if: named.contains { StreamName($0)?.isListed == true })
  }

  /// An item of any of the streams `names` is selected.
  init(
    _ parameters: HTTPParameters,
    streams names: [String],
    _ streams: SyncStreams,
    _ catalog: SyncCatalog
  ) async throws {
    func found(_ names: [String]) async throws -> [ItemStream] {
      var found: [ItemStream] = []
      for name in names where !name.isEmpty {
        found.append(try await StreamName(name)?.stream(streams, catalog) ?? .nothing)
      }
      return found
    }
    request = StreamRequest(
      try await found(names),
      including: try await found(parameters.all("it")),
      excluding: try await found(parameters.all("xt")).filter { $0 != .nothing }
    )
    if let number = try parameters.number("n") {
      guard number > 0 else { throw BadRequest("n must be 1 or more") }
      limit = Int(min(number, Int64(Self.largestLimit)))
    } else {
      limit = Self.usualLimit
    }
    request.isOldestFirst = parameters.first("r") == "o"
    if let number = try parameters.number("c") { request.after = NewsItem.ID(rawValue: number) }
    if let time = try parameters.number("ot") {
      request.updatedSince = Timestamp(seconds: Self.bounded(time))
    }
    if let time = try parameters.number("nt") {
      request.arrivedUntil = (Self.bounded(time) + 1) * 1_000_000 - 1
    }
  }

  /// Converts the `ts` of mark-all-as-read to microseconds, the end of a second or millisecond. Its number of
  /// digits tells whether it is in seconds, milliseconds or microseconds.
  static func arrival(_ time: Int64) -> Int64 {
    switch time {
    case ..<100_000_000_000: (time + 1) * 1_000_000 - 1
    case ..<100_000_000_000_000: (time + 1) * 1000 - 1
    default: time
    }
  }

  private static func bounded(_ seconds: Int64) -> Int64 { min(seconds, 1 << 40) }
}
