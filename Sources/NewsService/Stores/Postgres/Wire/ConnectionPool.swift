import NewsCore
import Synchronization

/// The connections of a process to a server. All stores that share the pool take turns, so that their number does not change the
/// number of connections. Connections are opened on first use.
package final class ConnectionPool: Sendable {
  /// How many connections a pool has at most. Two connections for leases and a listening connection come on top.
  package struct Size: Sendable {
    var writers: Int
    var readers: Int

    /// For one store.
    package static let single = Size(writers: 1, readers: 3)
    /// For any number of accounts.
    package static let shared = Size(writers: 4, readers: 6)
  }

  private struct Place {
    let lane: Lane
    /// Number of uses in progress or waiting, by the schemas of the stores.
    var uses: [String: Int] = [:]
    /// The schema of the last use.
    var last: String?

    var load: Int { uses.values.reduce(0, +) }
  }

  private let writers: Mutex<[Place]>
  private let readers: Mutex<[Place]>
  /// For leases, claims and slots of sites, which must not wait for transactions: those of the schema of the address, and those of
  /// all others.
  private let leases: (schema: String, own: Lane, others: Lane)
  let listening: ListeningLane

  /// Most connections that reads of one store use at the same time, so that others need not wait for it.
  private static let readersOfStore = 3

  /// `uri` is the address of the server, with the schema in which most leases are.
  package init(_ uri: StoreURI, _ size: Size, waking: WakeTiming = WakeTiming()) {
    writers = Mutex((0..<size.writers).map { _ in Place(lane: Lane(.writing)) })
    readers = Mutex((0..<size.readers).map { _ in Place(lane: Lane(.reading)) })
    leases = (uri.schema, Lane(.writing), Lane(.writing))
    listening = ListeningLane(uri, waking)
  }

  deinit { listening.stop() }

  /// Closes all connections. The next use opens them again, except the listening connection.
  package func close() async {
    listening.stop()
    for place in readers.withLock({ $0 }) + writers.withLock({ $0 }) { await place.lane.close() }
    await leases.own.close()
    await leases.others.close()
  }

  /// The connection for the leases of the store at `uri`.
  func leases(of uri: StoreURI) -> Lane { uri.schema == leases.schema ? leases.own : leases.others }

  /// Calls `body` with a connection for reading the store at `uri`.
  func read<Result: Sendable>(
    _ uri: StoreURI,
    _ body: (Lane) async throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await use(readers, uri, most: Self.readersOfStore, body)
  }

  /// Calls `body` with a connection for writing to the store at `uri`. The transactions of one store use one connection, one
  /// after the other, because they would wait for each other at the server.
  func write<Result: Sendable>(
    _ uri: StoreURI,
    _ body: (Lane) async throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await use(writers, uri, most: 1, body)
  }

  /// Number of round trips of the connections for writing, for tests.
  func roundTrips() async -> Int {
    var sum = 0
    for place in writers.withLock({ $0 }) { sum += await place.lane.roundTrips }
    return sum
  }

  private func use<Result: Sendable>(
    _ places: borrowing Mutex<[Place]>,
    _ uri: StoreURI,
    most: Int,
    _ body: (Lane) async throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let schema = uri.schema
    let (number, lane) = places.withLock { places in
      let own = places.indices.filter { places[$0].uses[schema] != nil }
      // Prefer an idle connection, and a connection that has the schema already.
      let best = (own.count < most ? Array(places.indices) : own).min {
        (places[$0].load, places[$0].last == schema ? 0 : 1) < (
          places[$1].load, places[$1].last == schema ? 0 : 1
        )
      }
      let number = best ?? 0
      places[number].uses[schema, default: 0] += 1
      places[number].last = schema
      return (number, places[number].lane)
    }
    defer {
      places.withLock { places in
        let left = (places[number].uses[schema] ?? 1) - 1
        places[number].uses[schema] = left > 0 ? left : nil
      }
    }
    return try await body(lane)
  }
}
