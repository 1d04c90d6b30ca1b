/// A running daemon's entry in its lock file.
public struct DaemonPresence: Hashable, Sendable {
  /// The daemon's process id; nil if the lock file does not contain it.
  public var pid: Int?
  public var started: Timestamp?
  /// True for a process that upgrades the store.
  public var isUpgrading: Bool

  public init(pid: Int?, started: Timestamp?, isUpgrading: Bool = false) {
    self.pid = pid
    self.started = started
    self.isUpgrading = isUpgrading
  }
}

/// Holds the lock that prevents a second daemon on the same store; released with the last reference, or with the
/// process.
public protocol InstanceHolding: AnyObject, Sendable {}

/// Why a daemon cannot lock the store.
public enum InstanceLockError: Error, Hashable, Sendable {
  case held(by: DaemonPresence)
  case file(FileError)
}
