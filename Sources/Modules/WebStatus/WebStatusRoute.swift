/// Asks for the web server's settings.
public struct WebStatusRoute: Hashable, Sendable {
  /// `web.listen`; nil: off.
  public var listen: String?
  /// Where clients see newsd; nil: at the address listened on.
  public var url: String?

  public init(listen: String?, url: String?) {
    self.listen = listen
    self.url = url
  }
}
