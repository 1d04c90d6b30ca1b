import Modules
import NewsHTTP
import NewsCore
import NewsToolbox
import Synchronization

// MARK: - Live updates

extension WebPage {
  /// Maximum number of open pages that follow the store.
  private static let streamLimit = 32

  /// The time between two checks of the refresh in progress, and of a store that does not announce changes.
  private static let pause = Duration.seconds(1)

  func showEvents(_ request: HTTPRequest) -> HTTPReply {
    // A picture or a link of an item must not hold a stream.
    guard request.fields.all("Accept").contains(where: { $0.contains(bytesOf: "text/event-stream") }) else {
      return PageReply.text(406, Wording.addressHasAStream)
    }
    guard let waiter = try? modules.changeWaiter() else {
      return PageReply.text(503, Wording.theStoreCannotBeUsed)
    }
    let isFree = streams.withLock { count in
      guard count < Self.streamLimit else { return false }
      count += 1
      return true
    }
    guard isFree else {
      return PageReply.text(503, Wording.tooManyPagesAreOpen).with("Retry-After", "60")
    }
    let stream = PageEvents(
      modules: modules,
      navigator: navigator,
      refreshes: refreshes,
      imports: imports,
      pause: { try await waiter.wait(atMost: Self.pause) },
      onEnd: { [weak self] in self?.streams.withLock { $0 -= 1 } }
    )
    let reply = HTTPReply(
      status: 200,
      // X-Accel-Buffering: a proxy that buffers the complete answer would never forward it.
      fields: HTTPFields([("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")]),
      body: .stream(stream)
    )
    return PageReply.guarded(reply)
  }
}
