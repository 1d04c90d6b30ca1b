public import NewsCore
import NewsSearch
import NewsToolbox

/// Lists hooks, sends samples, retries or drops deliveries, and changes the hooks of the page.
public struct HooksInteractor: Interactor {
  private let registry: HookRegistry
  private let store: any HookKeeping & PageHookKeeping
  private let makeRunner: @Sendable () throws(StoreError) -> HookRunner
  private let filters: FilterResolver
  private let clock: any WallClock
  private let refusal: @Sendable (String) -> String?
  private let presenter: HooksPresenter

  /// `makeRunner` makes a runner that knows the secrets of the hooks that `registry` has read. `refusal` returns why a hook
  /// of the page must not use a URL.
  public init(
    registry: HookRegistry,
    store: any HookKeeping & PageHookKeeping,
    makeRunner: @escaping @Sendable () throws(StoreError) -> HookRunner,
    filters: FilterResolver,
    clock: any WallClock,
    times: TimeDisplay,
    refusal: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.registry = registry
    self.store = store
    self.makeRunner = makeRunner
    self.filters = filters
    self.clock = clock
    self.refusal = refusal
    presenter = HooksPresenter(times: times)
  }

  public func respond(to request: HooksRequest, emit: @escaping Emit<RecordList<HookSummary>>) async throws {
    switch request {
    case .list:
      try emit(presenter.list(try await registry.read(store), try await store.hookStates()))
    case .test(let name):
      guard let hook = try await registry.read(store).hook(named: name) else { throw presenter.missing(name) }
      let query = try await query(of: hook)
      try emit(presenter.tested(hook, try await makeRunner().test(hook, query: query)))
    case .add(let hook):
      try await keep(hook, former: nil)
      try emit(.note("added the hook \(hook.name)"))
    case .change(var hook):
      let set = try await registry.read(store)
      guard let former = set.added(hook.name), set.hook(named: hook.name)?.isOfPage != false else {
        throw presenter.missing(hook.name)
      }
      hook.preset = former.preset
      try await keep(hook, former: former)
      try emit(.note("changed the hook \(hook.name)"))
    case .remove(let name):
      guard try await registry.read(store).added(name) != nil else { throw presenter.missing(name) }
      try await store.removePageHook(name)
      try await registry.update(store)
      // The configuration may have a hook of this name.
      if registry.current.hook(named: name) == nil { _ = try await store.dropHook(name, onlyFailed: false) }
      try emit(.note("removed the hook \(name) and its deliveries"))
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

  /// Stores a hook of the page, and tells the store to fire it. `former` is the hook that it replaces.
  private func keep(_ given: PageHook, former: PageHook?) async throws {
    var given = given
    guard let preset = registry.presets.first(where: { $0.name == given.preset }) else {
      throw UserMessage(code: .usage, text: "the page has no hook for '\(given.preset)'")
    }
    if let former {
      given.values = try preset.values(given.values, completing: former.values)
    } else {
      try await checkName(given.name)
    }
    let hook = try preset.filled(with: given).hook
    if case .url(let url) = hook.target, let reason = refusal(url) {
      throw UserMessage(code: .usage, text: reason + "; hooks of the page need a public address")
    }
    if let query = given.query { _ = try QueryParser.parse(query, now: clock.now()) }
    try await store.keep(given)
    try await registry.update(store)
  }

  private func checkName(_ name: String) async throws {
    guard Hook.isName(name) else {
      throw UserMessage(
        code: .usage,
        text: "the name of a hook has 1 to 64 letters, digits, '-', '_' and '.', unlike '\(name)'"
      )
    }
    let set = try await registry.read(store)
    // Deliveries that wait for a former hook of this name must not go to another service.
    let names = set.hooks.map(\.name) + set.added.map(\.name) + (try await store.hookStates().map(\.name))
    guard !names.contains(where: { $0.isEqual(ignoringASCIICase: name) }) else {
      throw UserMessage(code: .usage, text: "there is a hook '\(name)' already; choose another name")
    }
    guard set.added.count < PageHook.most else {
      throw UserMessage(code: .usage, text: "the page has \(PageHook.most) hooks already; remove one first")
    }
  }

  private func isKnown(_ name: String) async throws(StoreError) -> Bool {
    if try await registry.read(store).hook(named: name) != nil { return true }
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
  /// Adds a hook of the page.
  case add(PageHook)
  /// Changes a hook of the page. Empty secrets stay as they are.
  case change(PageHook)
  /// Removes a hook of the page and its deliveries.
  case remove(String)
}

/// A hook of the configuration, of the page or of the store.
public struct HookSummary: Hashable, Sendable {
  /// Raw values are machine names.
  public enum Condition: String, Hashable, Sendable {
    case active
    /// Attempts failed; the hook waits until the next attempt.
    case waiting
    /// In the configuration, but unknown to the store until newsd fetches or runs.
    case new
    /// No longer in the configuration or on the page.
    case removed
  }

  /// The hook; nil: it was removed.
  public var hook: Hook?
  public var state: HookState
  public var condition: Condition
  /// What was filled in on the page; nil for a hook of the configuration.
  public var added: PageHook?

  /// Where the hook comes from: `configuration` or `page`; nil: it was removed.
  public var source: String? { added != nil ? "page" : hook.map { _ in "configuration" } }
}

/// Formats hooks as lines and operations as sentences.
struct HooksPresenter {
  let times: TimeDisplay

  func list(_ set: HookSet, _ states: [HookState]) -> Container<RecordList<HookSummary>> {
    var entries: [HookSummary] = set.hooks.map { hook in
      let added = hook.isOfPage ? set.added(hook.name) : nil
      guard let state = states.first(where: { $0.name == hook.name }) else {
        return HookSummary(hook: hook, state: HookState(name: hook.name), condition: .new, added: added)
      }
      let isWaiting = state.nextTry.map { $0 > times.now } ?? false
      return HookSummary(hook: hook, state: state, condition: isWaiting ? .waiting : .active, added: added)
    }
    // Also what was added on the page and cannot fire.
    let names =
      states.map(\.name) + set.added.map(\.name).filter { name in !states.contains { $0.name == name } }
    entries += names.filter { set.hook(named: $0) == nil }.map { name in
      HookSummary(
        hook: nil,
        state: states.first { $0.name == name } ?? HookState(name: name),
        condition: .removed,
        added: set.added(name)
      )
    }
    return .list(
      entries.map { RecordLine($0, text($0), note: note($0)) },
      notes: entries.isEmpty ? [Self.none] : []
    )
  }

  private static let none =
    "there are no hooks. The settings of the page add some, and the key 'hooks' of the configuration takes all; "
    + "config/newsd.yaml shows how."

  private func text(_ entry: HookSummary) -> String {
    let state = entry.state
    var parts = [
      "\(state.name)  \(entry.hook.map { "\($0.target.kind) \($0.displayTarget)" } ?? "-")",
      "\(state.pending) pending", "\(state.failed) failed", "\(state.delivered) delivered",
    ]
    if let added = entry.added { parts.append("from the page (\(added.preset))") }
    switch entry.condition {
    case .active: break
    case .waiting: if let time = state.nextTry { parts.append("next attempt \(times.dateAndTime(time))") }
    case .new: parts.append("takes effect with the next 'newsd run' or 'newsd fetch'")
    case .removed: parts.append(entry.added == nil ? "not in the configuration" : "cannot fire")
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
