import Glibc
import NewsCore
import NewsToolbox
import Synchronization

/// Receives the server's announcements of changes, on a connection and a thread of its own. Announcements are hints: if
/// the server refuses LISTEN or a pooler discards notifications, readers poll the store.
final class ChangeListener: Sendable {
  let signal = ChangeSignal()
  private let lane: ListeningLane
  private let isStarted: Mutex<Bool>

  init(_ uri: StoreURI, _ timing: WakeTiming) {
    lane = ListeningLane(uri, signal, timing)
    // If LISTEN is turned off, `start` must do nothing.
    isStarted = Mutex(!uri.listens)
  }

  deinit { lane.stop() }

  /// Starts listening at the first call.
  func start() {
    let isFirst = isStarted.withLock { isStarted in
      defer { isStarted = true }
      return !isStarted
    }
    if isFirst { Task { [lane] in await lane.run() } }
  }

  /// Stops listening. `start` does not start a stopped listener again.
  func stop() {
    isStarted.withLock { $0 = true }
    lane.stop()
  }
}

/// The connection of a listener with the thread that waits for its input.
private actor ListeningLane {
  private let uri: StoreURI
  private let signal: ChangeSignal
  private let retry: Duration
  private let thread = ActorThread()
  /// A pipe; a byte in it ends the listener.
  private nonisolated let ending: (reading: Int32, writing: Int32)

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ uri: StoreURI, _ signal: ChangeSignal, _ timing: WakeTiming) {
    self.uri = uri
    self.signal = signal
    retry = timing.retry
    var ends: [Int32] = [-1, -1]
    // Ignore a failure: without descriptors, no connection can be opened either.
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }
    ending = (ends[0], ends[1])
  }

  deinit {
    close(ending.reading)
    close(ending.writing)
  }

  nonisolated func stop() { write(ending.writing, [1], 1) }

  /// Listens until `stop`, and reconnects after errors. Blocks this actor's thread, which has no other work.
  func run() {
    let pause = Int32(clamping: retry.components.seconds * 1000)
    repeat { listen() } while !mustEnd(within: pause)
  }

  /// Passes on notifications until the connection breaks or the listener is to end.
  private func listen() {
    guard let connection = try? Connection(uri, settings: [:]),
      (try? connection.execute(Announcement.listening(uri))) != nil
    else { return }
    // Readers must look once: changes committed before LISTEN are not announced.
    signal.raise(.all)
    while !mustEnd(within: -1, or: connection.socket), let payloads = connection.takeNotifications() {
      for payload in payloads { signal.raise(Announcement.kinds(payload)) }
    }
  }

  /// Waits until the listener must end, the socket is readable, or `milliseconds` have passed. A negative
  /// number means no limit. Returns true if the listener is to end.
  private func mustEnd(within milliseconds: Int32, or socket: Int32 = -1) -> Bool {
    var descriptors = [
      pollfd(fd: ending.reading, events: Int16(POLLIN), revents: 0),
      // A negative descriptor is ignored.
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&descriptors, 2, milliseconds) < 0, errno == EINTR {}
    return descriptors[0].revents != 0
  }
}

/// When waiting readers query a store on PostgreSQL.
public struct WakeTiming: Sendable {
  /// Longest time between two queries, in case an announcement is lost.
  public var net: Duration = .seconds(5)
  /// Shortest time between two queries. While many transactions commit, one query reads the changes of several.
  public var spacing: Duration = .milliseconds(100)
  /// Time between attempts to listen, after the connection failed or the server refused LISTEN.
  public var retry: Duration = .seconds(30)

  public init() {}
}

/// The notification with which a transaction tells waiting readers what it has changed. It is sent on the store's
/// channel. Its payload is the sum of the kinds of changes.
enum Announcement {
  /// The statement before the COMMIT of a writing transaction, which goes to the server in the same message.
  static func announcing(_ connection: Connection, _ uri: StoreURI) -> String {
    "NOTIFY \(channel(uri)), '\(connection.announced.union(.commits).rawValue)'"
  }

  static func listening(_ uri: StoreURI) -> String { "LISTEN \(channel(uri))" }

  /// The kinds of changes in a payload; all kinds if the payload is unknown, such as that of a later newsd.
  static func kinds(_ payload: String) -> StoreChangeKinds {
    UInt8(payload).map(StoreChangeKinds.init(rawValue:)) ?? .all
  }

  /// The channel has the schema's name, because several stores may share a database.
  private static func channel(_ uri: StoreURI) -> String { "\"\(uri.schema)\"" }
}
