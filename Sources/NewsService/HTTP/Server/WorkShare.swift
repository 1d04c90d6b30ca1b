package import NewsToolbox
import Synchronization

/// The part of a server's work that some requests have together, such as those of one account: places for the requests that
/// are worked on, and turns on the threads.
package final class WorkShare: Sendable {
  private let turns: TaskTurns?
  private let take: @Sendable () -> Bool
  private let giveBack: @Sendable () -> Void

  /// `enter` takes a place, and returns false if there is none; `leave` gives it back. With no turns, the work is done as that
  /// of requests without a share.
  package init(
    turns: TaskTurns?,
    enter: @escaping @Sendable () -> Bool,
    leave: @escaping @Sendable () -> Void
  ) {
    self.turns = turns
    take = enter
    giveBack = leave
  }

  /// Takes a place. Returns false if all are taken.
  package func enter() -> Bool { take() }

  package func leave() { giveBack() }

  /// Works in the turns of the share.
  func run<Value: Sendable, Failure: Error>(
    _ work: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    guard let turns else { return try await work() }
    return try await withTaskExecutorPreference(turns) { () async throws(Failure) in try await work() }
  }
}

/// The place of one request in the share whose work it is. There is none until it is known whose the request is.
///
/// Whatever chooses the share (`WebRoute.Access.head`, or the handler) enters it before it works for the request; the server
/// leaves it when the answer is ready.
package final class RequestPlace: Sendable {
  private struct State {
    var share: WorkShare?
    var isTaken = false

    mutating func leave() {
      if isTaken { share?.leave() }
      isTaken = false
    }
  }

  private let takesPlaces: Bool
  private let state = Mutex(State())

  /// Without `takesPlaces`, the work is done in the turns of the share, and never refused.
  package init(takesPlaces: Bool = true) { self.takesPlaces = takesPlaces }

  deinit { leave() }

  /// The share that was entered last.
  var share: WorkShare? { state.withLock { $0.share } }

  /// Takes a place in a share, and gives back the one in another share. Returns false if all are taken; the request, which
  /// must then be refused, has no share any more.
  package func enter(_ share: WorkShare) -> Bool {
    state.withLock { state in
      if state.isTaken, state.share === share { return true }
      guard takesPlaces else {
        state.share = share
        return true
      }
      state.leave()
      state.isTaken = share.enter()
      state.share = state.isTaken ? share : nil
      return state.isTaken
    }
  }

  /// Takes a place again in the share that was left. Returns true if there was none.
  func enter() -> Bool { share.map { enter($0) } ?? true }

  /// Gives back the place.
  func leave() { state.withLock { $0.leave() } }

  /// Works in the turns of the share.
  package func run<Value: Sendable, Failure: Error>(
    _ work: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    guard let share else { return try await work() }
    return try await share.run(work)
  }
}
