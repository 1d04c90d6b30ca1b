/// Which variables of newsd's environment the programs that it starts get.
public enum ChildEnvironment {
  /// What a service manager tells newsd alone (sd_notify(3), sd_watchdog_enabled(3), sd_listen_fds(3)): a program that
  /// answered would speak for newsd.
  public static let ownVariables: Set<String> = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
  ]
}

extension FeedSettings {
  /// The variable that holds the feed's credential, where `credential` is `env:NAME`.
  public var credentialVariable: String? {
    guard let credential, credential.hasPrefix("env:") else { return nil }
    return String(credential.dropFirst(4))
  }
}
