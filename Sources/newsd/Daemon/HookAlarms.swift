import NewsCore
import Synchronization

/// Events of the daemon itself (`store`, `network`) until hooks have received them.
///
/// They stay in memory and never pass through the store, which may be the cause of the event. Each daemon sends what it
/// notices. Daemons on one store give the same outage the same key, so that a receiver can drop repetitions.
final class HookAlarms: Sendable {
  struct Alarm: Sendable {
    var entry: HookEntry
    /// The part of the idempotency key after the hook's name.
    var key: String
  }

  private struct Queue {
    var alarms: [Alarm] = []
    var isBusy = false
    var failures = 0
    var nextTry: ContinuousClock.Instant?
  }

  private struct State {
    var new: [Alarm] = []
    /// The alarms that each hook must still receive, oldest first.
    var queues: [String: Queue] = [:]
    /// The number of the outage of the store that was reported last.
    var outage: Int64?
  }

  /// The name of this daemon if others share its store.
  private let node: String?
  private let state = Mutex(State())
  /// Maximum number of alarms that wait for a hook; bounds memory if the network or the store fails repeatedly.
  private static let most = 20

  init(node: String?) { self.node = node }

  /// Takes note of a failure or recovery. `outage` is the number that all daemons give to the outage of the
  /// store. Returns the number of the outage that is over now.
  func take(_ event: RefreshEvent, at now: Timestamp, outage: Int64?) -> Int64? {
    let newsd = node.map { "newsd on \($0)" } ?? "newsd"
    switch event {
    case .networkDown(true): add(.network, "\(newsd) reaches no host; polling is paused", now)
    case .networkDown(false): add(.network, "\(newsd) reaches hosts again; polling continues", now)
    case .storeFailed(let error):
      state.withLock { $0.outage = outage }
      let message = "\(newsd) cannot write its store; polling is paused: \(error.message)"
      add(.store, message, now, key: outage.map { "\($0)-down" })
    case .storeRecovered:
      let over = state.withLock { $0.outage }
      add(.store, "\(newsd) can write its store again; polling continues", now, key: over.map { "\($0)-up" })
      return over
    default: break
    }
    return nil
  }

  private func add(_ event: HookEvent, _ message: String, _ now: Timestamp, key: String? = nil) {
    let entry = HookEntry(sequence: 0, event: event, time: now, notice: HookNotice(message: message))
    let alarm = Alarm(entry: entry, key: "\(event.rawValue)-\(key ?? String(now.seconds))")
    state.withLock { $0.new = Array(($0.new + [alarm]).suffix(Self.most)) }
  }

  /// Passes new alarms to the hooks that have their event, and forgets hooks that are not configured any more.
  func distribute(to hooks: [Hook]) {
    state.withLock { state in
      for hook in hooks {
        let added = state.new.filter { hook.events.contains($0.entry.event) }
        guard !added.isEmpty else { continue }
        let alarms = (state.queues[hook.name]?.alarms ?? []) + added
        state.queues[hook.name, default: Queue()].alarms = Array(alarms.suffix(Self.most))
      }
      state.new = []
      let names = Set(hooks.map(\.name))
      state.queues = state.queues.filter { names.contains($0.key) }
    }
  }

  /// Returns the alarm that must be sent to the hook now, and reserves the hook until `sent` is called.
  func next(for hook: String, at now: ContinuousClock.Instant) -> Alarm? {
    state.withLock { state in
      guard let queue = state.queues[hook], !queue.isBusy, let first = queue.alarms.first,
        queue.nextTry.map({ $0 <= now }) ?? true
      else { return nil }
      state.queues[hook]?.isBusy = true
      return first
    }
  }

  /// Records how an attempt ended. `retry` gets the number of failures in a row, and returns the seconds
  /// until the next attempt; nil: the alarm is done.
  func sent(_ alarm: Alarm, to hook: String, retryAfter retry: ((Int) -> Int64)?) {
    state.withLock { state in
      guard var queue = state.queues[hook] else { return }
      queue.isBusy = false
      if let retry {
        queue.failures += 1
        queue.nextTry = .now + .seconds(retry(queue.failures))
      } else {
        queue.failures = 0
        queue.nextTry = nil
        // The queue may have dropped the alarm while it was being sent.
        queue.alarms.removeAll { $0.key == alarm.key }
      }
      state.queues[hook] = queue
    }
  }
}

/// Combines what polling, the lease on a shared store, and the claims of a store notice, so that each outage of the store has one
/// failure and one recovery.
final class StoreOutage: Sendable {
  enum Witness { case polling, lease, claims }

  private let witnesses = Mutex<Set<Witness>>([])

  /// Returns false for a failure that is known already, and for a recovery while another witness still sees a failure.
  func isNews(_ event: RefreshEvent, from witness: Witness) -> Bool {
    witnesses.withLock { witnesses in
      switch event {
      case .storeFailed:
        let isFirst = witnesses.isEmpty
        witnesses.insert(witness)
        return isFirst
      case .storeRecovered: return witnesses.remove(witness) != nil && witnesses.isEmpty
      default: return true
      }
    }
  }
}
