import CCurl
import NewsCore
import Synchronization

/// A fetch as passed from a task to the event loop.
struct FetchJob: Sendable {
  let ticket: FetchTicket
  let request: FetchRequest
  let limits: FetchLimits
  let address: RequestURL
  /// The URL of the subscription, whose origin may receive its credentials; nil if no origin may.
  let subscription: RequestURL?
  let credential: Credential?
  /// The body of a POST; nil for a GET.
  let form: [UInt8]?
  let continuation: CheckedContinuation<Result<FetchResponse, FetchError>, Never>
}

/// Identifies a fetch. Also marks it as cancelled, because a cancellation may arrive before the start.
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
  /// Bytes of the memory budget were released.
  case roomForBodies
  case stop(CheckedContinuation<Void, Never>?)
  /// Asks the loop to respond, which shows that the loop runs.
  case ping(CheckedContinuation<Void, Never>)
}

/// The event loop's inbox; any thread may post.
final class LoopInbox: Sendable {
  private struct State {
    var messages: [LoopMessage] = []
    /// The handle to wake; set only while the loop runs.
    var multi: MultiHandle?
    var phase = Phase.idle
  }

  private enum Phase {
    case idle, running, closed
  }

  /// libcurl allows `curl_multi_wakeup` on any thread.
  private struct MultiHandle: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer
  }

  private let state = Mutex(State())

  enum Acceptance {
    case accepted
    /// The message was accepted, and the caller must start the loop.
    case startsLoop
    case closed
  }

  /// Appends a message, and wakes the loop if it is the first.
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

  /// Posts a message if the loop runs. Returns false if it does not; the message is then discarded.
  func postIfRunning(_ message: LoopMessage) -> Bool {
    state.withLock { state in
      guard state.phase == .running else { return false }
      state.messages.append(message)
      if state.messages.count == 1, let multi = state.multi { curl_multi_wakeup(multi.raw) }
      return true
    }
  }

  /// Sets the handle used to wake the loop.
  func open(_ multi: UnsafeMutableRawPointer) {
    state.withLock { $0.multi = MultiHandle(raw: multi) }
  }

  func takeAll() -> [LoopMessage] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Closes the mailbox: rejects all later messages and returns the unread ones.
  func close() -> [LoopMessage] {
    state.withLock { state in
      state.phase = .closed
      state.multi = nil
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Closes the mailbox if no loop was started. Returns false if a loop runs and must be stopped.
  func closeIfIdle() -> Bool {
    state.withLock { state in
      guard state.phase != .running else { return false }
      state.phase = .closed
      return true
    }
  }
}
