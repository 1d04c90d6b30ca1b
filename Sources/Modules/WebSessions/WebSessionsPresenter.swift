import NewsCore

/// Formats sessions as lines and changes as sentences.
struct WebSessionsPresenter: Presenting {
  typealias ViewModel = WebSessionsViewModel

  func list(_ sessions: [WebSession]) -> Container<WebSessionsViewModel> {
    .ready(
      WebSessionsViewModel(
        lines: sessions.map { session in
          let fields = [
            String(session.id), "last seen \(session.lastSeen.rfc3339)",
            session.address.isEmpty ? "unix socket" : session.address, session.agent,
          ]
          return RecordLine(record: session, text: DisplayText.columns(fields))
        }
      )
    )
  }

  func removed(_ id: Int64) -> Container<WebSessionsViewModel> {
    .ready(WebSessionsViewModel(notes: [DisplayText(line: "Ended session \(id).")]))
  }

  func missing(_ id: Int64) -> Container<WebSessionsViewModel> {
    present(UserMessage(code: .notFound, text: "there is no session \(id); 'newsd web sessions' lists them"))
  }
}
