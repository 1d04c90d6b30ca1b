public import Modules
public import NewsCore

/// What the web server needs from the daemon that runs it.
public struct WebHooks: Sendable {
  /// What keeps newsd from being ready; empty: nothing.
  public var problems: @Sendable () -> [ReadinessProbe.Problem] = { [] }
  /// Is told of each wrong password.
  public var refused: @Sendable (LoginRefusal) -> Void = { _ in }
  /// What the daemon counts.
  public var metrics: ServiceMetrics
  /// Lines that the log had no room for.
  public var droppedLines: @Sendable () -> Int = { 0 }
  /// Reads settings of feeds as words, for the page; nil: there is no page.
  public var feedSettings: (any FeedSettingWording)?

  public init(metrics: ServiceMetrics) {
    self.metrics = metrics
  }
}

/// Why the web server cannot start.
public enum WebStartError: Error, Sendable {
  /// The address is not a loopback one, and there is no login password.
  case noPassword
  /// What is wrong with `web.password_file`.
  case passwordFile(String)
  /// States the address and what to do.
  case cannotListen(String)
}
