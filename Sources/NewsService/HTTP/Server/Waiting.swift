import Glibc
public import NewsToolbox
import Synchronization

/// The suspended connections of a server. A connection must be resumed before the server stops.
final class WaitingRoom: Sendable {
  private struct State {
    var waits: [ObjectIdentifier: any Abandonable] = [:]
    var isClosed = false
    var isDraining = false
  }
  private let state = Mutex(State())

  var count: Int { state.withLock { $0.waits.count } }

  /// Registers a wait. Returns false after `close`, and for a wait without end after `drain`; the connection must then not be
  /// suspended.
  func enter(_ wait: any Abandonable) -> Bool {
    state.withLock { state in
      guard !state.isClosed, !(state.isDraining && wait.isEndless) else { return false }
      state.waits[ObjectIdentifier(wait)] = wait
      return true
    }
  }

  /// Removes a wait. Called after its connection was resumed.
  func leave(_ wait: any Abandonable) {
    state.withLock { $0.waits[ObjectIdentifier(wait)] = nil }
  }

  /// Abandons the waits for which `condition` is true.
  func abandon(where condition: (any Abandonable) -> Bool) {
    let waits = state.withLock { Array($0.waits.values) }
    for wait in waits where condition(wait) { wait.abandon() }
  }

  /// Rejects further waits without end and abandons all current ones.
  func drain() {
    state.withLock { $0.isDraining = true }
    abandon { $0.isEndless }
  }

  /// Rejects further waits and abandons all current ones.
  func close() {
    state.withLock { $0.isClosed = true }
    abandon { _ in true }
  }
}

/// A wait of a suspended connection, which can be abandoned.
protocol Abandonable: AnyObject, Sendable {
  /// True for a wait without end, such as for the next event.
  var isEndless: Bool { get }
  /// True if nothing needs the result once the client has closed its end of the connection.
  var endsWithClient: Bool { get }
  var socket: Int32 { get }
  /// Resumes the connection without a result, and cancels the task.
  func abandon()
}

/// Suspends a connection until a task has a result.
final class Wait<Value: Sendable>: Abandonable {
  private enum State {
    case idle
    case waiting
    /// The result; nil if the wait was abandoned.
    case done(Value?)
  }

  let isEndless: Bool
  let endsWithClient: Bool
  let socket: Int32
  private let room: WaitingRoom
  private let connection: MHD.Connection
  private let state = Mutex(State.idle)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(
    _ room: WaitingRoom,
    _ connection: MHD.Connection,
    isEndless: Bool = false,
    endsWithClient: Bool = false
  ) {
    self.room = room
    self.connection = connection
    self.isEndless = isEndless
    self.endsWithClient = endsWithClient
    socket = MHD.socket(connection)
  }

  /// Suspends the connection and starts the task. Called on the connection's thread. If the server stops, the
  /// connection is resumed at once, without a result.
  func start(_ work: @escaping @Sendable () async -> Value) {
    state.withLock { $0 = .waiting }
    // Suspend first: the task may finish at once, and `abandon` may be called as soon as the wait is in the
    // room.
    MHD.suspend(connection)
    guard room.enter(self) else {
      state.withLock { $0 = .done(nil) }
      return MHD.resume(connection)
    }
    let task = Task(executorPreference: webThreads) { self.finish(await work()) }
    self.task.withLock { $0 = task }
  }

  /// Returns the result, after the connection was resumed; nil if the wait was abandoned.
  func take() -> Value? {
    state.withLock { state in
      guard case .done(let value) = state else { return nil }
      return value
    }
  }

  func abandon() {
    // First: what the task makes of its end is not the result.
    finish(nil)
    task.withLock { $0 }?.cancel()
  }

  private func finish(_ value: Value?) {
    let isFirst = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .done(value)
      return true
    }
    guard isFirst else { return }
    // The server stops only when the room is empty, so resume before leaving.
    MHD.resume(connection)
    room.leave(self)
  }
}

/// Requests are answered on threads of their own: a body that takes long to parse must not delay polling.
private let webThreads = TaskThreads(4)

/// Makes the turns of an account: its requests have half of the threads at most, and half of the processors.
public func makeWebTurns() -> TaskTurns {
  TaskTurns(webThreads, most: min(2, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2)))
}
