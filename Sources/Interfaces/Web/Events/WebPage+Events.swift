import NewsCore
import Synchronization

// MARK: - Live updates

extension WebPage {
  /// Open pages that may follow the store at the same time.
  private static let streamLimit = 32

  func showEvents(_ session: WebSession) -> HTTPReply {
    let isFree = streams.withLock { count in
      guard count < Self.streamLimit else { return false }
      count += 1
      return true
    }
    guard isFree else {
      return PageReply.text(503, "Too many pages are open.").with("Retry-After", "60")
    }
    let id = session.id
    let account = account
    let stream = PageEvents(
      modules: modules,
      navigator: navigator,
      refreshes: refreshes,
      isLoggedIn: { (try? await account.sessions())?.contains { $0.id == id } ?? true },
      onEnd: { [weak self] in self?.streams.withLock { $0 -= 1 } }
    )
    let reply = HTTPReply(
      status: 200,
      // A proxy that keeps the answer until it is complete would never send it on.
      fields: HTTPFields([("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]),
      body: .stream(stream)
    )
    return PageReply.guarded(reply)
  }
}
