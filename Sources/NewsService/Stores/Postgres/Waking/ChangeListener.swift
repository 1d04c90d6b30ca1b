import Glibc
import NewsCore
import NewsToolbox
import Synchronization

/// Receives the server's announcements of a store's changes. Announcements are hints: if the server refuses LISTEN or a
/// pooler discards notifications, readers poll the store.
final class ChangeListener: Sendable {
  let signal = ChangeSignal()
  private let channel: String
  private let lane: ListeningLane
  private let isStarted: Mutex<Bool>

  init(_ uri: StoreURI, _ lane: ListeningLane) {
    channel = uri.schema
    self.lane = lane
    // If LISTEN is turned off, `start` must do nothing.
    isStarted = Mutex(!uri.listens)
  }

  deinit { lane.leave(channel, signal) }

  /// A number that grows with each announcement; nil: none arrive. Starts listening at the first call.
  var announcements: Int? {
    start()
    return lane.isListening(on: channel) ? signal.count(of: .all) : nil
  }

  /// Starts listening at the first call.
  func start() {
    let isFirst = isStarted.withLock { isStarted in
      defer { isStarted = true }
      return !isStarted
    }
    if isFirst { lane.listen(on: channel, signal) }
  }

  /// Stops listening. `start` does not start a stopped listener again.
  func stop() {
    isStarted.withLock { $0 = true }
    lane.leave(channel, signal)
  }
}

/// A connection that listens for all stores of a process on a server, with the thread that waits for its input.
actor ListeningLane {
  private struct State {
    /// The signals to raise, by the channels of the stores.
    var signals: [String: [ChangeSignal]] = [:]
    /// The channels on which the connection listens.
    var channels: Set<String> = []
    var isRunning = false
    var isEnding = false
  }

  private let uri: StoreURI
  private let retry: Duration
  private let thread = ActorThread()
  private nonisolated let state = Mutex(State())
  /// A pipe; a byte in it wakes the thread.
  private nonisolated let waking: (reading: Int32, writing: Int32)

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ uri: StoreURI, _ timing: WakeTiming) {
    self.uri = uri
    retry = timing.retry
    var ends: [Int32] = [-1, -1]
    // Ignore a failure: without descriptors, no connection can be opened either.
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }
    waking = (ends[0], ends[1])
  }

  deinit {
    close(waking.reading)
    close(waking.writing)
  }

  /// Raises `signal` for announcements on the channel. The first call opens the connection.
  nonisolated func listen(on channel: String, _ signal: ChangeSignal) {
    let isFirst = state.withLock { state in
      state.signals[channel, default: []].append(signal)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { Task { await run() } } else { wake() }
  }

  nonisolated func isListening(on channel: String) -> Bool {
    state.withLock { $0.channels.contains(channel) }
  }

  /// Raises the signal no more.
  nonisolated func leave(_ channel: String, _ signal: ChangeSignal) {
    state.withLock { state in
      let rest = state.signals[channel]?.filter { $0 !== signal } ?? []
      state.signals[channel] = rest.isEmpty ? nil : rest
    }
    wake()
  }

  nonisolated func stop() {
    state.withLock { $0.isEnding = true }
    wake()
  }

  private nonisolated func wake() { write(waking.writing, [1], 1) }

  private nonisolated var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Listens until `stop`, and reconnects after errors. Blocks this actor's thread, which has no other work.
  private func run() {
    let pause = Int32(clamping: retry.components.seconds * 1000)
    while !isEnding {
      listen()
      if !isEnding { wait(milliseconds: pause) }
    }
  }

  /// Passes on notifications until the connection breaks or the lane is to end.
  private func listen() {
    guard let connection = try? Connection(uri, settings: [:]) else { return }
    defer { state.withLock { $0.channels = [] } }
    while !isEnding {
      guard (try? follow(connection)) != nil, let notifications = connection.takeNotifications()
      else { return }
      let signals = state.withLock { $0.signals }
      for (channel, payload) in notifications {
        for signal in signals[channel] ?? [] { signal.raise(Announcement.kinds(payload)) }
      }
      wait(or: connection.socket)
    }
  }

  /// Begins to listen on new channels, and stops listening on channels that were left.
  private func follow(_ connection: Connection) throws(StoreError) {
    let (signals, channels) = state.withLock { ($0.signals, $0.channels) }
    for channel in signals.keys where !channels.contains(channel) {
      try connection.execute(Announcement.listening(channel))
      state.withLock { _ = $0.channels.insert(channel) }
      // Readers must look once: changes committed before LISTEN are not announced.
      for signal in signals[channel] ?? [] { signal.raise(.all) }
    }
    for channel in channels where signals[channel] == nil {
      try connection.execute("UN" + Announcement.listening(channel))
      state.withLock { _ = $0.channels.remove(channel) }
    }
  }

  /// Waits until the thread is woken, the socket is readable, or the time has passed; without a time, as long as it takes.
  private func wait(milliseconds: Int32 = -1, or socket: Int32 = -1) {
    var descriptors = [
      pollfd(fd: waking.reading, events: Int16(POLLIN), revents: 0),
      // A negative descriptor is ignored.
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&descriptors, 2, milliseconds) < 0, errno == EINTR {}
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(waking.reading, &bytes, bytes.count) > 0 {}
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
    "NOTIFY \"\(uri.schema)\", '\(connection.announced.union(.commits).rawValue)'"
  }

  /// The channel has the schema's name, because several stores may share a database.
  static func listening(_ schema: String) -> String { "LISTEN \"\(schema)\"" }

  /// The kinds of changes in a payload; all kinds if the payload is unknown, such as that of a later newsd.
  static func kinds(_ payload: String) -> StoreChangeKinds {
    UInt8(payload).map(StoreChangeKinds.init(rawValue:)) ?? .all
  }
}
