import NewsCore

/// The connections of a process to a server. All stores that share the pool take turns, so that their number does not change the
/// number of connections. Connections are opened on first use.
package final class ConnectionPool: Sendable {
  /// How many connections a pool has. Three connections for leases and claims and a listening connection come on top, and
  /// replacements of connections that are held too long; see `LaneQueue`.
  package struct Size: Sendable {
    var writers: Int
    var readers: Int
    /// Those for short reads; 0: they use the others.
    var shortReaders: Int

    /// For one store.
    package static let single = Size(writers: 1, readers: 3, shortReaders: 0)
    /// For any number of accounts.
    package static let shared = Size(writers: 4, readers: 6, shortReaders: 2)
  }

  private let writers: LaneQueue
  private let readers: LaneQueue
  /// For what newsd reads from every account, such as secrets: slow reads of one must not delay all.
  private let shortReaders: LaneQueue
  /// For leases, claims and slots of sites, which must not wait for transactions: those of the schema of the address, and those of
  /// all others.
  private let leases: (schema: String, own: LaneQueue, others: LaneQueue)
  let listening: ListeningLane

  /// Most connections that reads of one store use at the same time, so that others need not wait for it.
  private static let readersOfStore = 3

  /// `uri` is the address of the server, with the schema in which most leases are.
  package init(_ uri: StoreURI, _ size: Size, waking: WakeTiming = WakeTiming()) {
    writers = LaneQueue(.writing, size: size.writers, ofStore: 1)
    readers = LaneQueue(.reading, size: size.readers, ofStore: Self.readersOfStore)
    shortReaders = size.shortReaders > 0 ? LaneQueue(.glancing, size: size.shortReaders, ofStore: 1) : readers
    leases = (
      uri.schema, LaneQueue(.writing, size: 1, ofStore: 1), LaneQueue(.claiming, size: 2, ofStore: 1)
    )
    listening = ListeningLane(uri, waking)
  }

  deinit { listening.stop() }

  /// Closes all connections. The next use opens them again, except the listening connection.
  package func close() async {
    listening.stop()
    for queue in [readers, shortReaders] { await queue.closeAnswered() }
    for queue in [writers, leases.own, leases.others] { await queue.close() }
  }

  /// The connections for the leases and claims of the store at `uri`.
  func leases(of uri: StoreURI) -> LaneQueue { uri.schema == leases.schema ? leases.own : leases.others }

  /// The connections whose statements are short in any store, besides those for most leases.
  var quick: [LaneQueue] { shortReaders === readers ? [leases.others] : [leases.others, shortReaders] }

  /// Calls `body` with a connection for reading the store at `uri`. A short read takes milliseconds in any store.
  func read<Result: Sendable>(
    _ uri: StoreURI,
    isShort: Bool = false,
    _ body: (Lane) async throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await (isShort ? shortReaders : readers).use(uri.schema, body)
  }

  /// Calls `body` with a connection for writing to the store at `uri`. The transactions of one store use one connection, one
  /// after the other, because they would wait for each other at the server.
  func write<Result: Sendable>(
    _ uri: StoreURI,
    _ body: (Lane) async throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await writers.use(uri.schema, body)
  }

  /// Since when the server does not answer a transaction that writes to the store; nil: none waits for it.
  func writeWaits(of uri: StoreURI) -> ContinuousClock.Instant? { writers.waitsSince(of: uri.schema) }

  /// Number of round trips of the connections for writing, for tests.
  func roundTrips() async -> Int {
    var sum = 0
    for lane in writers.lanes { sum += await lane.roundTrips }
    return sum
  }
}
