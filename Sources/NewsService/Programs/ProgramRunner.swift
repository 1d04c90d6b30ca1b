public import NewsCore
import Synchronization

/// Runs programs as child processes. They inherit newsd's environment without what `ChildEnvironment` withholds and
/// without variables that hold credentials.
public struct ProgramRunner: ProgramRunning {
  private let credentialVariables: @Sendable () async -> Set<String>

  /// `credentialVariables` returns the names of the variables that hold credentials of feeds; called before
  /// each start.
  public init(credentialVariables: @escaping @Sendable () async -> Set<String> = { [] }) {
    self.credentialVariables = credentialVariables
  }

  public func run(_ call: ProgramCall) async -> ProgramResult {
    let withheld = await credentialVariables()
    let ticket = Ticket()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let watch = ProgramSupervisor(call, withholding: withheld) { continuation.resume(returning: $0) }
        ticket.take(watch)
        watch.start()
      }
    } onCancel: {
      ticket.cancel()
    }
  }

  /// Forwards the cancellation of a task to the supervisor, which may not exist yet.
  private final class Ticket: Sendable {
    private struct State {
      var watch: ProgramSupervisor?
      var isCancelled = false
    }
    private let state = Mutex(State())

    func take(_ watch: ProgramSupervisor) {
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
