public import NewsCore
import Synchronization

/// Runs programs as child processes.
public struct ProgramRunner: ProgramRunning {
  public init() {}

  public func run(_ call: ProgramCall) async -> ProgramResult {
    let ticket = Ticket()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let watch = ProgramWatch(call) { continuation.resume(returning: $0) }
        ticket.take(watch)
        watch.start()
      }
    } onCancel: {
      ticket.cancel()
    }
  }

  /// Leads from a cancelled task to the watch, which may not be there yet.
  private final class Ticket: Sendable {
    private struct State {
      var watch: ProgramWatch?
      var isCancelled = false
    }
    private let state = Mutex(State())

    func take(_ watch: ProgramWatch) {
      state.withLock {
        $0.watch = watch
        if $0.isCancelled { watch.isCancelled.store(true, ordering: .releasing) }
      }
    }

    func cancel() {
      state.withLock {
        $0.isCancelled = true
        $0.watch?.isCancelled.store(true, ordering: .releasing)
      }
    }
  }
}
