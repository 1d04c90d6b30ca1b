import DIContainer
import NewsCore
import Synchronization

/// Delivers the outboxes of the configuration's hooks: one delivery at a time per hook, hooks in parallel.
struct HookService: Sendable {
  let log: DaemonLog
  let clock: any WallClock
  let alarms: HookAlarms

  /// Milliseconds between two checks of the outboxes.
  private static let check = 1000

  /// Delivers until the task is cancelled.
  ///
  /// - Parameters:
  ///   - active: The configuration, which may change.
  ///   - store: The outbox.
  ///   - makeRunner: Makes the use case for the active configuration; nil: deliver nothing in this round.
  func run(
    _ active: ActiveSettings,
    _ store: any HookKeeping,
    _ makeRunner: @escaping @Sendable () async -> HookRunner?
  ) async {
    let busy = BusyHooks()
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        let settings = active.value
        if !settings.hooks.isEmpty, let runner = await makeRunner() {
          await passAlarms(settings.hooks, store, runner)
          for hook in settings.hooks where busy.begin(hook.name) {
            group.addTask {
              await deliver(hook, runner)
              busy.end(hook.name)
            }
          }
        } else {
          _ = alarms.takeAll()
        }
        guard (try? await Task.sleep(for: .milliseconds(Self.check))) != nil else { break }
      }
    }
  }

  private func deliver(_ hook: Hook, _ runner: HookRunner) async {
    do {
      try await runner.drain(hook) { logged($0) }
    } catch {
      // Log quietly: the scheduler reports a store that cannot be written.
      log.line(.debug, "hook", [("hook", .text(hook.name)), ("error", .text(error.message))])
    }
  }

  private func logged(_ event: HookRunner.Event) {
    var fields: [(String, DaemonLog.Value)] = [("hook", .text(event.hook)), ("key", .text(event.key))]
    switch event.outcome {
    case .delivered(let what):
      fields.append(("delivered", .text(what)))
      log.line(.debug, "hook", fields)
    case .refused(let error), .failed(let error, wait: _):
      fields.append((event.isGivenUp ? "given_up" : "error", .text(error)))
      log.line(.warning, "hook", fields)
    }
  }

  /// Adds the events `store` and `network` to the outboxes. While the store cannot be written, sends them
  /// directly.
  private func passAlarms(_ hooks: [Hook], _ store: any HookKeeping, _ runner: HookRunner) async {
    for alarm in alarms.takeAll() {
      do {
        try await store.report(alarm.event, HookNotice(message: alarm.message), at: clock.now())
      } catch {
        for hook in hooks where hook.events.contains(alarm.event) {
          let outcome = await runner.send(alarm.event, HookNotice(message: alarm.message), to: hook)
          guard case .failed(let problem, wait: _) = outcome else { continue }
          log.line(.warning, "hook", [("hook", .text(hook.name)), ("given_up", .text(problem))])
        }
      }
    }
  }
}

/// Failures and recoveries of the store or the network that hooks have not received yet.
final class HookAlarms: Sendable {
  struct Alarm: Sendable {
    var event: HookEvent
    var message: String
  }

  private let waiting = Mutex<[Alarm]>([])
  /// Maximum number of waiting events; bounds memory if the network or the store fails repeatedly.
  private static let most = 20

  func take(_ event: RefreshEvent) {
    let alarm: Alarm? =
      switch event {
      case .networkDown(true): Alarm(event: .network, message: "newsd reaches no host; polling is paused.")
      case .networkDown(false):
        Alarm(event: .network, message: "newsd reaches hosts again; polling continues.")
      case .storeFailed(let error):
        Alarm(event: .store, message: "newsd cannot write its store; polling is paused: \(error.message)")
      case .storeRecovered:
        Alarm(event: .store, message: "newsd can write its store again; polling continues.")
      default: nil
      }
    guard let alarm else { return }
    waiting.withLock { if $0.count < Self.most { $0.append(alarm) } }
  }

  func takeAll() -> [Alarm] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}

/// The hooks that are delivering.
private final class BusyHooks: Sendable {
  private let names = Mutex<Set<String>>([])

  /// Marks a hook as delivering. Returns false if it is delivering already.
  func begin(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }

  func end(_ name: String) { names.withLock { _ = $0.remove(name) } }
}
