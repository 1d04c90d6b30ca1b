public import NewsCore

/// Lists the sessions of browsers, the last seen first, and ends them.
public struct WebSessionsInteractor: Interactor {
  private let account: any WebAccount

  public init(account: any WebAccount) { self.account = account }

  public func respond(to request: WebSessionsRequest, emit: @escaping Emit<RecordList<WebSession>>)
    async throws
  {
    switch request {
    case .list: try emit(WebSessionsPresenter().list(try await account.sessions()))
    case .remove(let id):
      guard try await account.removeSession(id) else {
        let text = "there is no session \(id); 'newsd web sessions' lists them"
        throw UserMessage(code: .notFound, text: text)
      }
      try emit(.note("ended session \(id)"))
    }
  }
}

/// An operation on the sessions of browsers.
public enum WebSessionsRequest: Hashable, Sendable {
  case list
  /// Ends the session of that number.
  case remove(Int64)
}

/// Formats sessions as lines.
struct WebSessionsPresenter {
  func list(_ sessions: [WebSession]) -> Container<RecordList<WebSession>> {
    .list(
      sessions.map { session in
        let address = session.address.isEmpty ? "unix socket" : session.address
        let seen = "last seen \(session.lastSeen.rfc3339)"
        return RecordLine(session, columns: [String(session.id), seen, address, session.agent])
      }
    )
  }
}
