import Synchronization

/// Messages for one reader. Cancellation does not interrupt the reader's wait, because it must still clean up.
final class Mailbox<Message: Sendable>: Sendable {
  private struct State {
    var messages: [Message] = []
    var reader: CheckedContinuation<[Message], Never>?
  }
  private let state = Mutex(State())

  func post(_ message: Message) {
    let reader = state.withLock { state -> CheckedContinuation<[Message], Never>? in
      guard let reader = state.reader else {
        state.messages.append(message)
        return nil
      }
      state.reader = nil
      return reader
    }
    reader?.resume(returning: [message])
  }

  /// Waits for at least one message and returns all; only one reader at a time.
  func next() async -> [Message] {
    await withCheckedContinuation { continuation in
      let waiting = state.withLock { state -> [Message] in
        if state.messages.isEmpty {
          state.reader = continuation
          return []
        }
        defer { state.messages = [] }
        return state.messages
      }
      if !waiting.isEmpty { continuation.resume(returning: waiting) }
    }
  }
}
