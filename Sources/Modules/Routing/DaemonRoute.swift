/// A request to run the daemon.
public struct DaemonRoute: Hashable, Sendable {
  /// The URL at which hubs reach this machine; nil: newsd subscribes at no hub.
  public var callback: String?
  /// The format of the log; nil: the configuration decides.
  public var logFormat: String?

  public init(callback: String? = nil, logFormat: String? = nil) {
    self.callback = callback
    self.logFormat = logFormat
  }
}
