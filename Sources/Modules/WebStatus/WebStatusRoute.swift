/// A request to show the web server's settings.
public struct WebStatusRoute: Hashable, Sendable {
  /// `web.listen`; nil: off.
  public var listen: String?
  /// The URL at which clients reach newsd; nil: the address of `listen`.
  public var url: String?

  public init(listen: String?, url: String?) {
    self.listen = listen
    self.url = url
  }
}
