import CCurl
import NewsCore
import Synchronization

/// One fetch on its way through the event loop. Made by a task, then handed over to the loop's thread.
struct FetchJob: Sendable {
  let ticket: FetchTicket
  let request: FetchRequest
  let limits: FetchLimits
  let address: RequestURL
  /// The subscription's address.
  let owner: RequestURL
  let credential: Credential?
  /// The body of a POST; nil: a GET.
  let form: [UInt8]?
  let continuation: CheckedContinuation<Result<FetchResponse, FetchError>, Never>
}

/// Identifies a fetch. A cancellation may overtake the start, so it is marked here.
final class FetchTicket: Sendable {
  let id: UInt64
  let isCancelled = Atomic<Bool>(false)

  init() {
    id = Self.lastID.add(1, ordering: .relaxed).newValue
  }

  private static let lastID = Atomic<UInt64>(0)
}

/// Messages from tasks to the event loop.
enum LoopMessage: Sendable {
  case start(FetchJob)
  case cancel(UInt64)
  /// Bytes of the budget were given back.
  case roomForBodies
  case stop(CheckedContinuation<Void, Never>?)
  /// Asks for a sign of life.
  case answer(CheckedContinuation<Void, Never>)
}

/// The event loop's inbox; any thread may post.
final class Mailbox: Sendable {
  private struct State {
    var messages: [LoopMessage] = []
    /// Set while the loop runs, because only an existing handle may be woken.
    var multi: MultiHandle?
    var phase = Phase.idle
  }

  private enum Phase {
    case idle, running, closed
  }

  /// libcurl allows `curl_multi_wakeup` from any thread.
  private struct MultiHandle: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer
  }

  private let state = Mutex(State())

  enum Acceptance {
    case accepted
    /// Accepted; the caller must start the loop.
    case startsLoop
    case closed
  }

  /// Appends a message; wakes the loop if it is the first.
  func post(_ message: LoopMessage) -> Acceptance {
    state.withLock { state in
      guard state.phase != .closed else { return .closed }
      state.messages.append(message)
      if state.messages.count == 1, let multi = state.multi { curl_multi_wakeup(multi.raw) }
      guard state.phase == .idle else { return .accepted }
      if case .start = message {
        state.phase = .running
        return .startsLoop
      }
      return .accepted
    }
  }

  /// Leaves a message if the loop runs.
  ///
  /// - Returns: False when it does not run; the message is not kept then.
  func postIfRunning(_ message: LoopMessage) -> Bool {
    state.withLock { state in
      guard state.phase == .running else { return false }
      state.messages.append(message)
      if state.messages.count == 1, let multi = state.multi { curl_multi_wakeup(multi.raw) }
      return true
    }
  }

  /// Sets the handle to wake.
  func open(_ multi: UnsafeMutableRawPointer) {
    state.withLock { $0.multi = MultiHandle(raw: multi) }
  }

  func takeAll() -> [LoopMessage] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Refuses messages from now on; returns unread ones.
  func close() -> [LoopMessage] {
    state.withLock { state in
      state.phase = .closed
      state.multi = nil
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Closes the mailbox if no loop was started. False: a loop runs and must be stopped.
  func closeIfIdle() -> Bool {
    state.withLock { state in
      guard state.phase != .running else { return false }
      state.phase = .closed
      return true
    }
  }
}
