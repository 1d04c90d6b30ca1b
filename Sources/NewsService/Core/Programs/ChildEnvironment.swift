import NewsToolbox

/// Defines environment variables that the programs which newsd starts must not inherit.
public enum ChildEnvironment {
  /// Variables that a service manager sets for newsd only (sd_notify(3), sd_watchdog_enabled(3), sd_listen_fds(3)). A
  /// program that inherited them could notify the service manager in newsd's name.
  private static let ownVariables: Set<String> = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
  ]

  /// True if no program inherits the variable: it is for newsd only, or holds the password of the store.
  public static func withholds(_ name: String, _ value: String) -> Bool {
    if ownVariables.contains(name) || name == "PGPASSWORD" { return true }
    guard name == "NEWSD_DB" || name == "NEWSD_ACCOUNTS_STORE" else { return false }
    let user = URLParts(value).userInfo.map { value.slice($0) }
    return user?.contains(ascii: ":") == true || value.lowercased().contains("passw")
      || value.lowercased().contains("pwd=")
  }

  /// The variables that a program inherits. `credentials` are the names of variables with credentials of feeds.
  public static func inherited(
    _ environment: [String: String],
    withholding credentials: Set<String>
  ) -> [String: String] {
    environment.filter { !withholds($0.key, $0.value) && !credentials.contains($0.key) }
  }
}

extension FeedSettings {
  /// The environment variable with the feed's credential; nil unless `credential` is `env:NAME`.
  public var credentialVariable: String? {
    guard let credential, credential.hasPrefix("env:") else { return nil }
    return String(credential.dropFirst(4))
  }
}
