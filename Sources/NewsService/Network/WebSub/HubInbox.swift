import NewsService
import Synchronization

/// What hubs have done and nobody has dealt with yet; documents are bounded in number and bytes.
final class HubInbox: Sendable {
  let events: AsyncStream<HubEvent>
  private let continuation: AsyncStream<HubEvent>.Continuation
  private let waiting = Mutex((count: 0, bytes: 0))

  private static let mostDocuments = 256
  private static let mostBytes = 32 << 20

  init() {
    (events, continuation) = AsyncStream.makeStream()
  }

  /// False: the hub should come again later.
  var hasRoom: Bool {
    waiting.withLock { $0.count < Self.mostDocuments && $0.bytes < Self.mostBytes }
  }

  /// False when there is no room.
  @discardableResult
  func take(_ event: HubEvent) -> Bool {
    if case .pushed(let document) = event {
      let isTaken = waiting.withLock { waiting in
        guard waiting.count < Self.mostDocuments, waiting.bytes < Self.mostBytes else { return false }
        waiting.count += 1
        waiting.bytes += document.bytes.count
        return true
      }
      guard isTaken else { return false }
    }
    continuation.yield(event)
    return true
  }

  func delivered(_ event: HubEvent) {
    guard case .pushed(let document) = event else { return }
    waiting.withLock { waiting in
      waiting.count -= 1
      waiting.bytes -= document.bytes.count
    }
  }
}

extension HubOffer {
  /// The specification wants secrets sent over https only (section 5.1); what stays on this machine is as safe.
  var maySeeSecret: Bool {
    guard let address = try? RequestURL(hub) else { return false }
    if address.scheme == "https" || address.host == "localhost" { return true }
    return IPAddress(address.host).map { $0.addressClass == .loopback } ?? false
  }
}

extension OfferedHub {
  /// As far as the feed itself may reach: where the user typed a local URL, to its origin.
  var reach: FetchRequest.Reach {
    settings.allowsLocalOrigin == true ? .localOrigin(of: url) : .publicOnly
  }
}
