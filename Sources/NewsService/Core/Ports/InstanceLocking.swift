/// What a running daemon says about itself in its lock file.
public struct DaemonPresence: Hashable, Sendable {
  /// Nil: the lock file does not say.
  public var pid: Int?
  public var started: Timestamp?

  public init(pid: Int?, started: Timestamp?) {
    self.pid = pid
    self.started = started
  }
}

/// Keeps a second daemon off the store; released when the last reference goes, or with the process.
public protocol InstanceHolding: AnyObject, Sendable {}

/// Why a daemon cannot have the store to itself.
public enum InstanceLockError: Error, Hashable, Sendable {
  case held(by: DaemonPresence)
  case file(FileError)
}
