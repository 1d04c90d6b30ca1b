import Synchronization

/// Elements for one reader. Cancellation does not interrupt the reader's wait, because it must still clean up.
final class Mailbox<Element: Sendable>: Sendable {
  private struct State {
    var messages: [Element] = []
    var reader: CheckedContinuation<[Element], Never>?
    var isClosed = false
  }
  private let state = Mutex(State())

  func post(_ message: Element) { _ = offer(message) }

  /// Posts a message unless the mailbox is closed. Returns false if it is.
  func offer(_ message: Element) -> Bool {
    let (reader, isClosed) = state.withLock { state -> (CheckedContinuation<[Element], Never>?, Bool) in
      guard !state.isClosed else { return (nil, true) }
      guard let reader = state.reader else {
        state.messages.append(message)
        return (nil, false)
      }
      state.reader = nil
      return (reader, false)
    }
    reader?.resume(returning: [message])
    return !isClosed
  }

  /// Ends reading. Returns the unread messages.
  func close() -> [Element] {
    state.withLock { state in
      state.isClosed = true
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Waits for at least one message and returns all; only one reader at a time.
  func next() async -> [Element] {
    await withCheckedContinuation { continuation in
      let waiting = state.withLock { state -> [Element] in
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

/// A command to a running scheduler.
enum PollCommand: Sendable {
  /// Begins to poll feeds that are due.
  case begin
  /// Polls everything now (SIGUSR1).
  case pollNow
  /// Applies a new configuration (SIGHUP).
  case reload(FeedRefresh)
  /// Checks now whether the list of feeds has changed.
  case checkFeedList
  /// Passes on an event of a hub.
  case hub(HubEvent)
  /// Takes the answer that another account has got for a feed.
  case handedOver(Feed.ID)
  /// Resumes the continuation, to show that the loop responds.
  case ping(CheckedContinuation<Void, Never>)
}
