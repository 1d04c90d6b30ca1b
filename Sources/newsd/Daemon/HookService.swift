import DIContainer
import NewsCore
import Synchronization

/// Delivers the outboxes of the configuration's hooks: one delivery at a time per hook, hooks in parallel.
struct HookService: Sendable {
  let log: DaemonLog
  let clock: any WallClock
  let alarms: HookAlarms
  let pulse: StorePulse

  /// The pause between two checks of the outboxes. An account's outbox that was not written is checked after `idle`, because
  /// deliveries are also tried again.
  private static let check: (pause: Duration, idle: Duration) = (.seconds(1), .seconds(10))

  /// What delivers with the settings of one time; `isCurrent` returns false once they were replaced.
  typealias Runner = (runner: HookRunner, isCurrent: @Sendable () -> Bool)

  /// Delivers until the task is cancelled. `mayDeliver` returns true if this daemon must deliver the
  /// outboxes.
  func run(
    _ hooks: @escaping @Sendable () -> [Hook],
    _ makeRunner: @escaping @Sendable () -> Runner?,
    mayDeliver: @escaping @Sendable () async -> Bool
  ) async {
    let (busy, trust) = (BusyHooks(), ClockTrust(wall: clock.now()))
    await withDiscardingTaskGroup { group in
      group.addTask {
        await withDiscardingTaskGroup { group in
          await repeatedly(hooks) {
            trust.isTrusted(clock.now())
            sendAlarms(hooks(), makeRunner, trust, &group)
          }
        }
      }
      await repeatedly(hooks) {
        guard !hooks().isEmpty, await mayDeliver(), let runner = makeRunner() else { return }
        // Hooks that are newer than the runner stop at once.
        for hook in hooks() where busy.begin(hook.name) {
          group.addTask {
            await deliver(hook, runner, busy, trust)
            busy.end(hook.name)
          }
        }
      }
    }
  }

  private func repeatedly(_ hooks: () -> [Hook], _ body: () async -> Void) async {
    var seen = -1
    repeat {
      await body()
      // A reload that adds hooks counts as a change.
    } while await pulse.wait(
      Self.check.pause,
      atMost: hooks().isEmpty ? .seconds(3600) : Self.check.idle,
      &seen
    )
  }

  private func deliver(_ hook: Hook, _ current: Runner, _ busy: BusyHooks, _ trust: ClockTrust) async {
    let (runner, isCurrent) = current
    do {
      if busy.mustTrim(hook.name, at: .now, clockSetAt: trust.since) {
        let count = try await runner.trim(hook) { trust.isTrusted($0) }
        let fields: [(String, DaemonLog.Value)] = [("hook", .text(hook.name)), ("given_up", .number(count))]
        if count > 0 { log.line(.warning, "hook", fields) }
      }
      try await runner.drain(hook, while: isCurrent, isTrusted: { trust.isTrusted($0) }) {
        logged($0.hook, $0.key, $0.outcome, isGivenUp: $0.isGivenUp)
      }
    } catch {
      // Log quietly: the scheduler reports a store that cannot be written.
      log.line(.debug, "hook", [("hook", .text(hook.name)), ("error", .text(error.message))])
    }
  }

  private func logged(_ hook: String, _ key: String, _ outcome: HookOutcome, isGivenUp: Bool) {
    var fields: [(String, DaemonLog.Value)] = [("hook", .text(hook)), ("key", .text(key))]
    switch outcome {
    case .delivered(let what):
      fields.append(("delivered", .text(what)))
      log.line(.debug, "hook", fields)
    case .refused(let error), .failed(let error, wait: _):
      fields.append((isGivenUp ? "given_up" : "error", .text(error)))
      log.line(.warning, "hook", fields)
    }
  }

  /// Sends the alarms that are due. Asks neither the store nor for a duty, so that it works without the database.
  private func sendAlarms(
    _ hooks: [Hook],
    _ makeRunner: () -> Runner?,
    _ trust: ClockTrust,
    _ group: inout DiscardingTaskGroup
  ) {
    alarms.distribute(to: hooks)
    for hook in hooks {
      guard let alarm = alarms.next(for: hook.name, at: .now), let runner = makeRunner()?.runner else {
        continue
      }
      group.addTask {
        let outcome = await runner.send(alarm.entry, to: hook, key: alarm.key)
        var isGivenUp = true
        let now = clock.now()
        let isOld = now - alarm.entry.time >= HookBackoff.lifetime && trust.isTrusted(now)
        if case .failed(_, let asked) = outcome, !isOld {
          isGivenUp = false
          alarms.sent(alarm, to: hook.name) {
            max(HookBackoff.pause(failures: $0, random: .random(in: 0..<1)), asked ?? 0)
          }
        } else {
          alarms.sent(alarm, to: hook.name, retryAfter: nil)
        }
        logged(hook.name, "\(hook.name)-\(alarm.key)", outcome, isGivenUp: isGivenUp)
      }
    }
  }
}

/// The hooks that are delivering.
private final class BusyHooks: Sendable {
  private let names = Mutex<Set<String>>([])
  /// When the outbox of each hook was trimmed last.
  private let trims = Mutex<[String: ContinuousClock.Instant]>([:])

  /// Marks a hook as delivering. Returns false if it is delivering already.
  func begin(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }

  /// Returns true if the hook's outbox must be trimmed: once in ten minutes, and after the clock was set.
  func mustTrim(_ name: String, at now: ContinuousClock.Instant, clockSetAt change: ContinuousClock.Instant)
    -> Bool
  {
    trims.withLock { trims in
      if let last = trims[name], last >= change, now - last < .seconds(600) { return false }
      trims[name] = now
      return true
    }
  }

  func end(_ name: String) { names.withLock { _ = $0.remove(name) } }
}
