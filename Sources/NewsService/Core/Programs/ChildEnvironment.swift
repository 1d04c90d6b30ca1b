/// Defines environment variables that the programs which newsd starts must not inherit.
public enum ChildEnvironment {
  /// Variables that a service manager sets for newsd only (sd_notify(3), sd_watchdog_enabled(3), sd_listen_fds(3)). A
  /// program that inherited them could notify the service manager in newsd's name.
  public static let ownVariables: Set<String> = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
  ]
}

extension FeedSettings {
  /// The environment variable with the feed's credential; nil unless `credential` is `env:NAME`.
  public var credentialVariable: String? {
    guard let credential, credential.hasPrefix("env:") else { return nil }
    return String(credential.dropFirst(4))
  }
}
