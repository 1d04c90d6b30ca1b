public import NewsCore

/// Who sends a request, as far as its head tells. The server finds this out before it reads the body.
public enum Admission: Sendable {
  /// The program that has this app password.
  case app(AppPassword)
  /// The browser that has this session.
  case session(WebSession)
  /// Unknown. Credentials may be in the body, of which the server reads `WebRoute.strangersBody` bytes at most.
  case stranger
  case refused(HTTPReply)
}

extension HTTPRequest {
  /// Notes who sends the request. Returns the answer if the request is refused.
  public mutating func admit(_ admission: Admission) -> HTTPReply? {
    switch admission {
    case .app(let app): self.app = app
    case .session(let session): self.session = session
    case .stranger: break
    case .refused(let reply): return reply
    }
    return nil
  }

  /// True if the client is known by an app password or a session.
  public var isKnown: Bool { app != nil || session != nil }
}
