import NewsCore
import Synchronization

/// What hubs have done and nobody has dealt with yet; documents are bounded in number and bytes, from their arrival until
/// the last copy of them is gone.
final class HubInbox: Sendable {
  let events: AsyncStream<HubEvent>
  private let continuation: AsyncStream<HubEvent>.Continuation
  private let waiting = Waiting()

  /// Documents that somebody holds.
  private final class Waiting: Sendable {
    let amounts = Mutex((count: 0, bytes: 0))

    func enter(_ bytes: Int) -> Bool {
      amounts.withLock { amounts in
        guard amounts.count < HubInbox.mostDocuments, amounts.bytes < HubInbox.mostBytes else { return false }
        amounts.count += 1
        amounts.bytes += bytes
        return true
      }
    }

    func leave(_ bytes: Int) {
      amounts.withLock { amounts in
        amounts.count -= 1
        amounts.bytes -= bytes
      }
    }
  }

  static let mostDocuments = 256
  static let mostBytes = 32 << 20

  init() {
    (events, continuation) = AsyncStream.makeStream()
  }

  /// False: the hub should come again later.
  var hasRoom: Bool {
    waiting.amounts.withLock { $0.count < Self.mostDocuments && $0.bytes < Self.mostBytes }
  }

  /// False when there is no room.
  func take(_ document: PushedDocument) -> Bool {
    let bytes = document.bytes.count
    guard waiting.enter(bytes) else { return false }
    var document = document
    document.share = BodyShare { [waiting] in waiting.leave(bytes) }
    continuation.yield(.pushed(document))
    return true
  }

  func leaseChanged(_ feed: Feed.ID) {
    continuation.yield(.leaseChanged(feed))
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
