public import NewsHTTP
public import Modules
public import NewsCore

/// The functions that the daemon provides to the web server: status, counters and reports.
public struct WebHooks: Sendable {
  /// Reasons why newsd is not ready; empty: it is ready.
  public var problems: @Sendable () -> [ReadinessProbe.Problem] = { [] }
  /// Called for each refused log-in.
  public var refused: @Sendable (LoginRefusal) -> Void = { _ in }
  /// Called with each failure of the OpenID provider.
  public var providerFailed: @Sendable (String) -> Void = { _ in }
  /// Called for the events of refreshes that were started on the page.
  public var refreshed: @Sendable (RefreshEvent) -> Void = { _ in }
  /// The daemon's counters.
  public var metrics: ServiceMetrics
  /// Number of lines that the log dropped because it was full.
  public var droppedLines: @Sendable () -> Int = { 0 }
  /// Called with the URL at which the server is reached. With a token for setting the login password, it is called
  /// again for each new token.
  public var reachable: @Sendable (_ url: String, _ isSetUp: Bool) -> Void = { _, _ in }
  /// Called with each host that newsd does not answer to, at most 20 of them; printable.
  public var misdirected: @Sendable (_ host: String) -> Void = { _ in }
  /// Converts feed settings to and from the text that the page shows and edits; nil: the page is not served.
  public var feedSettings: (any FeedSettingWording)?

  public init(metrics: ServiceMetrics) {
    self.metrics = metrics
  }
}

/// The reasons why the web server cannot start.
public enum WebStartError: Error, Sendable {
  /// `web.password_file` cannot be used; the text is the reason.
  case passwordFile(String)
  /// `oidc.client_secret_file` cannot be used; the text is the reason.
  case clientSecret(String)
  /// The style sheet of one's own cannot be used. The text follows the name of its key.
  case stylesheet(String)
  /// Cannot listen; the text states the address and what to do.
  case cannotListen(String)
}
