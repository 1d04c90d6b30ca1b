import NewsToolbox
import Synchronization

/// Knows the hooks of a store, and tells the store which of them fire.
public final class HookRegistry: Sendable {
  /// What the configuration says of hooks.
  public struct Source: Sendable {
    /// Its own hooks.
    public var configured = HookSet()
    /// The presets that the page offers.
    public var presets: @Sendable () -> [HookPreset] = { [] }
    /// True: the servers of hooks of the page may have local addresses.
    public var mayReachLocal = false

    public init() {}
  }

  private struct State {
    var source: Source
    var current: HookSet
    /// True: the store knows `current`.
    var isRegistered = false
    /// The number of readings of the store so far.
    var turn = 0
  }

  private let state: Mutex<State>

  public init(_ source: Source) {
    state = Mutex(State(source: source, current: source.configured))
  }

  /// The presets that the page offers.
  public var presets: [HookPreset] {
    let make = state.withLock { $0.source.presets }
    return make()
  }

  /// The hooks, as they were read last.
  public var current: HookSet { state.withLock { $0.current } }

  /// Follows another configuration; the next update registers its hooks.
  public func follow(_ source: Source) {
    state.withLock { state in
      state.source = source
      state.isRegistered = false
    }
  }

  /// Reads the hooks of the page. Returns all hooks.
  @discardableResult
  public func read(_ store: any PageHookKeeping) async throws(StoreError) -> HookSet {
    let turn = state.withLock { state in
      state.turn += 1
      return state.turn
    }
    let added = try await store.pageHooks()
    return state.withLock { state in
      // A reading that began later may have ended before.
      guard state.turn == turn else { return state.current }
      let source = state.source
      var set = source.configured
      if !added.isEmpty { set.add(added, presets: source.presets(), mayReachLocal: source.mayReachLocal) }
      if set != state.current { state.isRegistered = false }
      state.current = set
      return set
    }
  }

  /// Reads the hooks of the page, and tells the store if hooks have changed. `always`: also if they have not, for a store
  /// that may have been replaced.
  public func update(_ store: any HookKeeping & PageHookKeeping, always: Bool = false)
    async throws(StoreError)
  {
    let set = try await read(store)
    let mustRegister = state.withLock { state in
      defer { state.isRegistered = true }
      return always || !state.isRegistered
    }
    guard mustRegister else { return }
    do throws(StoreError) {
      try await store.register(set.hooks, isComplete: true)
    } catch {
      state.withLock { $0.isRegistered = false }
      throw error
    }
  }
}

/// The hooks of a store, from the configuration and from the page.
public struct HookSet: Hashable, Sendable {
  /// The hooks that fire.
  public private(set) var hooks: [Hook]
  /// The secrets that they name. Never printed.
  public private(set) var secrets: [String: String]
  /// What was added on the page, also hooks that do not fire because the configuration has one of their name, or because
  /// this newsd does not know their preset.
  public private(set) var added: [PageHook] = []

  public init(configured: [Hook] = [], secrets: [String: String] = [:]) {
    hooks = configured
    self.secrets = secrets
  }

  /// Adds hooks of the page. `mayReachLocal`: their servers may have local addresses.
  mutating func add(_ hooksOfPage: [PageHook], presets: [HookPreset], mayReachLocal: Bool) {
    added += hooksOfPage
    for given in hooksOfPage {
      guard Hook.isName(given.name),
        !hooks.contains(where: { $0.name.isEqual(ignoringASCIICase: given.name) }),
        let preset = presets.first(where: { $0.name == given.preset }),
        var filled = try? preset.filled(with: given)
      else { continue }
      if case .url = filled.hook.target { filled.hook.allowsPrivate = mayReachLocal }
      hooks.append(filled.hook)
      secrets.merge(filled.secrets) { _, new in new }
    }
  }

  public func hook(named name: String) -> Hook? { hooks.first { $0.name == name } }
  /// What was added on the page under a name.
  public func added(_ name: String) -> PageHook? { added.first { $0.name == name } }
}
