/// The upgrade of a store to the layout of this newsd.
public struct UpgradePlan: Hashable, Sendable {
  /// The store's layout.
  public var from: Int
  /// The layout of this newsd.
  public var to: Int
  /// Where the former store is kept; nil for a store on a server.
  public var backup: String?
  /// The bytes of the store's file and its log, the bytes needed, and the free bytes of the disk; nil for a store on a
  /// server, or if unknown.
  public var room: Room?
  /// True: an upgrade was interrupted, and this one continues it.
  public var isInterrupted: Bool

  public struct Room: Hashable, Sendable {
    public var store: Int64
    public var needed: Int64
    public var free: Int64?

    package init(store: Int64, needed: Int64, free: Int64?) {
      self.store = store
      self.needed = needed
      self.free = free
    }

    /// False: the upgrade would fail for lack of space.
    public var isEnough: Bool { free.map { $0 >= needed } ?? true }
  }

  package init(from: Int, to: Int, backup: String? = nil, room: Room? = nil, isInterrupted: Bool = false) {
    self.from = from
    self.to = to
    self.backup = backup
    self.room = room
    self.isInterrupted = isInterrupted
  }
}

/// The last part of an upgrade of a store that several newsd share: it removes what only the former version needs.
public enum UpgradeFinish: Hashable, Sendable {
  /// There is nothing to finish.
  case nothing
  /// Newsd of an earlier layout still use the store.
  case waiting(for: [String])
  case finished(layout: Int)
}

/// Upgrades a store that an earlier newsd wrote.
public protocol StoreUpgrading: Sendable {
  /// What an upgrade would do; nil if the store is missing, cannot be read or has another layout than a known earlier one.
  func upgradePlan() async throws(StoreError) -> UpgradePlan?

  /// Throws if there is something else than a store of this newsd's layout, such as a damaged file or that of another program.
  func requireCurrentLayout() async throws(StoreError)

  /// Upgrades the store and returns what was done; nil if there was nothing to do. The process may be killed at any time:
  /// the next upgrade begins again or continues.
  ///
  /// - Throws: `full` if the disk lacks room; the store is unchanged then.
  func upgrade(progress: @escaping StoreProgressHandler) async throws(StoreError) -> UpgradePlan?

  /// Finishes the upgrade if no newsd of an earlier layout uses the store, or, with `force`, in any case: they end then.
  func finishUpgrade(force: Bool) async throws(StoreError) -> UpgradeFinish
}
