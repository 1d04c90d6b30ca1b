import NewsCore
import NewsHTTP
import NewsToolbox
import Synchronization

extension WebSubSubscriber {
  func refusal(of request: HTTPRequest) -> HTTPReply? {
    guard request.method == .post else { return nil }
    let token = request.token
    guard inbox.hasRoom else { return HTTPReply(status: 503) }
    if book.withLock({ $0.knows(token: token) }) { return nil }
    guard isShared, !book.withLock({ $0.hasEnded(token: token) }) else {
      return HTTPReply(status: statusOfUnknown(token))
    }
    return mayLookUp() ? nil : HTTPReply(status: 503)
  }

  func reply(to request: HTTPRequest) -> HTTPReply {
    request.method == .post ? receive(request) : verify(request)
  }

  /// Answers a hub if several processes share the store. The subscription may have been requested by another process,
  /// so an unknown one is looked up in the store.
  func sharedReply(to request: HTTPRequest) async -> HTTPReply {
    let token = request.token
    let isKnown = book.withLock { $0.knows(token: token) }
    guard request.method != .post else {
      // `refusal` has already applied the limit on look-ups to this request.
      if !isKnown { await reload() }
      return receive(request)
    }
    if !isKnown {
      guard mayLookUp() else { return HTTPReply(status: 503) }
      await reload()
    }
    var hasRead = !isKnown
    // Repeat if another process stored its change first, which happens rarely.
    for _ in 0..<4 {
      let conflicts = book.withLock { $0.conflicts(token: token) }
      let reply = verify(request)
      if reply.status == 404 {
        guard !hasRead, book.withLock({ $0.knows(token: token) }) else { return reply }
        hasRead = true
        await reload()
        continue
      }
      await keepChanges()
      if book.withLock({ $0.conflicts(token: token) }) == conflicts { return reply }
      hasRead = true
    }
    return HTTPReply(status: 503)
  }

  /// Returns 410 for a subscription that has ended, which tells the hub to stop (section 7), and 404 otherwise.
  private func statusOfUnknown(_ token: String) -> Int {
    book.withLock { $0.hasEnded(token: token) } ? 410 : 404
  }

  /// Handles verification of intent (section 5.3) and denials (section 5.2). newsd never asks a hub to end a
  /// subscription, so it does not confirm such requests.
  private func verify(_ request: HTTPRequest) -> HTTPReply {
    let now = clock.now()
    let topic = request.query.first("hub.topic") ?? ""
    var isMeant = false
    switch request.query.first("hub.mode") {
    case "subscribe":
      let lease = request.query.first("hub.lease_seconds").flatMap { Int64($0) }
      let feed = book.withLock {
        $0.confirms(token: request.token, topic: topic, leaseSeconds: lease, now: now)
      }
      if let feed {
        isMeant = true
        noteContact(request.token)
        inbox.leaseChanged(feed)
        alarm.ring()
      }
    case "denied":
      if let feed = book.withLock({ $0.denied(token: request.token, topic: topic, now: now) }) {
        inbox.leaseChanged(feed)
        alarm.ring()
      }
      return HTTPReply(status: 200)
    default: break
    }
    guard isMeant, let challenge = request.query.first("hub.challenge"),
      challenge.utf8.count <= Self.challengeBytes
    else { return HTTPReply(status: 404) }
    // Return the challenge as received, as plain text, so that browsers do not treat it as HTML.
    return .text(200, challenge)
  }

  /// Handles content distribution (section 7). If the hub has the secret, a delivery with a missing or wrong
  /// signature is answered with 202 and discarded. Otherwise, the body is dropped, and the delivery only
  /// tells that the feed has changed.
  private func receive(_ request: HTTPRequest) -> HTTPReply {
    guard let receiver = book.withLock({ $0.receiver(token: request.token) }) else {
      return HTTPReply(status: statusOfUnknown(request.token))
    }
    let isSigned = receiver.offer.maySeeSecret
    if isSigned {
      let signature = request.fields.first("X-Hub-Signature")
      guard HubSignature.isValid(signature, body: request.body, secret: receiver.secret) else {
        return HTTPReply(status: 202)
      }
    }
    noteContact(request.token)
    let document = PushedDocument(
      feedID: receiver.feedID,
      topic: receiver.offer.topic,
      bytes: isSigned ? request.body : [],
      contentType: request.fields.first("Content-Type"),
      received: clock.now(),
      isSigned: isSigned
    )
    return HTTPReply(status: inbox.take(document) ? 202 : 503)
  }
}

extension HTTPRequest {
  /// The last path component. A reverse proxy may have removed the preceding components.
  fileprivate var token: String { path.last { !$0.isEmpty } ?? "" }
}

/// Verifies the `X-Hub-Signature` field, `method=digits` (W3C WebSub section 7.1).
enum HubSignature {
  /// Returns true if the field is a valid signature of the body under the secret.
  static func isValid(_ field: String?, body: [UInt8], secret: String) -> Bool {
    guard let field else { return false }
    let parts = field.split(ascii: "=", maxSplits: 1)
    guard parts.count == 2, let hash = SecureHash(rawValue: parts[0].trimmed.lowercased()),
      let claimed = Hex.decode(parts[1].trimmed)
    else { return false }
    let expected = hash.authenticate(body, key: Array(secret.utf8))
    return SecretComparison.areEqual(claimed, expected)
  }
}
