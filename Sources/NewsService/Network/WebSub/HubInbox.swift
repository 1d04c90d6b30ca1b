import NewsCore
import Synchronization

/// Events from hubs that wait to be processed. Limits the number and total size of documents until their last copies
/// are released.
final class HubInbox: Sendable {
  let events: AsyncStream<HubEvent>
  private let continuation: AsyncStream<HubEvent>.Continuation
  private let waiting = Waiting()

  /// The number and size of documents not yet released.
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

  /// True if another document can be accepted. If false, the hub must deliver again later.
  var hasRoom: Bool {
    waiting.amounts.withLock { $0.count < Self.mostDocuments && $0.bytes < Self.mostBytes }
  }

  /// Adds a document to the inbox. Returns false if a limit is reached; the last document may exceed the
  /// limit on bytes.
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
  /// True if the secret may be sent to the hub. The specification requires https (section 5.1); a loopback address is
  /// equally safe.
  var maySeeSecret: Bool {
    guard let address = try? RequestURL(hub) else { return false }
    if address.scheme == "https" || address.host == "localhost" { return true }
    return IPAddress(address.host).map { $0.addressClass == .loopback } ?? false
  }
}

extension OfferedHub {
  /// The addresses to which requests to the hub may connect: the same as for the feed.
  var reach: FetchRequest.Reach {
    settings.allowsLocalOrigin == true ? .localOrigin(of: url) : .publicOnly
  }
}
