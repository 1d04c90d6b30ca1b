public import NewsCore
import NewsSearch
import NewsToolbox

/// Lists hooks, sends samples, and retries or drops deliveries.
public struct HooksInteractor: Interactor {
  private let configured: [Hook]
  private let store: any HookKeeping
  private let runner: HookRunner
  private let filters: FilterResolver
  private let clock: any WallClock
  private let presenter: HooksPresenter

  public init(
    configured: [Hook],
    store: any HookKeeping,
    runner: HookRunner,
    filters: FilterResolver,
    clock: any WallClock,
    times: TimeDisplay
  ) {
    self.configured = configured
    self.store = store
    self.runner = runner
    self.filters = filters
    self.clock = clock
    presenter = HooksPresenter(times: times)
  }

  public func respond(to request: HooksRequest, emit: @escaping Emit<RecordList<HookSummary>>) async throws {
    switch request {
    case .list:
      try emit(presenter.list(configured, try await store.hookStates()))
    case .test(let name):
      guard let hook = configured.first(where: { $0.name == name }) else {
        throw presenter.missing(name)
      }
      let query = try await query(of: hook)
      try emit(presenter.tested(hook, try await runner.test(hook, query: query)))
    case .retry(let name):
      if let name, try await !isKnown(name) { throw presenter.missing(name) }
      try emit(presenter.retried(try await store.retryHook(name, at: clock.now())))
    case .drop(let name, let onlyFailed):
      guard try await isKnown(name) else { throw presenter.missing(name) }
      try emit(presenter.dropped(name, try await store.dropHook(name, onlyFailed: onlyFailed)))
    }
  }

  private func query(of hook: Hook) async throws -> Query? {
    let takesItems = !hook.events.isDisjoint(with: HookEvent.marks.union([.item, .edited]))
    guard let text = hook.query ?? (takesItems ? "" : nil) else { return nil }
    var filter = ItemFilter()
    filter.query = try QueryParser.parse(text, now: clock.now()).query
    return try await filters.query(filter)
  }

  private func isKnown(_ name: String) async throws(StoreError) -> Bool {
    if configured.contains(where: { $0.name == name }) { return true }
    return try await store.hookStates().contains { $0.name == name }
  }
}

/// An operation on the hooks.
public enum HooksRequest: Hashable, Sendable {
  case list
  /// Sends a sample.
  case test(String)
  /// Retries the failed deliveries of one hook, or of all.
  case retry(String?)
  /// Removes the deliveries that a hook has not made.
  case drop(String, onlyFailed: Bool)
}

/// A hook of the configuration, of the store, or of both.
public struct HookSummary: Hashable, Sendable {
  /// Raw values are machine names.
  public enum Condition: String, Hashable, Sendable {
    case active
    /// Attempts failed; the hook waits until the next attempt.
    case waiting
    /// In the configuration, but unknown to the store until newsd fetches or runs.
    case new
    /// No longer in the configuration.
    case removed
  }

  /// The hook as configured; nil: it is no longer in the configuration.
  public var hook: Hook?
  public var state: HookState
  public var condition: Condition
}

/// Formats hooks as lines and operations as sentences.
struct HooksPresenter {
  let times: TimeDisplay

  func list(_ configured: [Hook], _ states: [HookState]) -> Container<RecordList<HookSummary>> {
    var entries: [HookSummary] = configured.map { hook in
      guard let state = states.first(where: { $0.name == hook.name }) else {
        return HookSummary(hook: hook, state: HookState(name: hook.name), condition: .new)
      }
      let isWaiting = state.nextTry.map { $0 > times.now } ?? false
      return HookSummary(hook: hook, state: state, condition: isWaiting ? .waiting : .active)
    }
    entries += states.filter { state in !configured.contains { $0.name == state.name } }
      .map { HookSummary(hook: nil, state: $0, condition: .removed) }
    return .list(
      entries.map { RecordLine($0, text($0), note: note($0)) },
      notes: entries.isEmpty ? [Self.none] : []
    )
  }

  private static let none =
    "the configuration has no hooks. Its key 'hooks' takes them; config/newsd.yaml shows how."

  private func text(_ entry: HookSummary) -> String {
    let state = entry.state
    var parts = [
      "\(state.name)  \(entry.hook.map { "\($0.target.kind) \($0.displayTarget)" } ?? "-")",
      "\(state.pending) pending", "\(state.failed) failed", "\(state.delivered) delivered",
    ]
    switch entry.condition {
    case .active: break
    case .waiting: if let time = state.nextTry { parts.append("next attempt \(times.dateAndTime(time))") }
    case .new: parts.append("takes effect with the next 'newsd run' or 'newsd fetch'")
    case .removed: parts.append("not in the configuration")
    }
    return parts.joined(separator: "  ")
  }

  private func note(_ entry: HookSummary) -> String? {
    guard let error = entry.state.lastError else { return nil }
    let time = entry.state.lastErrorTime.map { " \(times.dateAndTime($0))" } ?? ""
    return "last error\(time): \(error)"
  }

  func tested(_ hook: Hook, _ outcome: HookOutcome) -> Container<RecordList<HookSummary>> {
    switch outcome {
    case .delivered(let what):
      return .note("\(hook.name): delivered a sample to \(hook.displayTarget) (\(what))")
    case .refused(let error), .failed(let error, wait: _):
      return .failed(.unreachable, "\(hook.name): \(hook.displayTarget): \(error)")
    }
  }

  func retried(_ count: Int) -> Container<RecordList<HookSummary>> {
    .note(
      count == 0
        ? "nothing waits for another attempt"
        : "\(Plural.of(count, "delivery", "deliveries")) will be tried again by 'newsd run'"
    )
  }

  func dropped(_ name: String, _ count: Int) -> Container<RecordList<HookSummary>> {
    .note("dropped \(Plural.of(count, "delivery", "deliveries")) of \(name)")
  }

  func missing(_ name: String) -> UserMessage {
    UserMessage(code: .notFound, text: "there is no hook '\(name)'; 'newsd hooks' lists them")
  }
}
