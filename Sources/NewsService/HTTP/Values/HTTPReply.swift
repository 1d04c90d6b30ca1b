/// A handler's reply.
public struct HTTPReply: Sendable {
  public var status: Int
  public var fields: HTTPFields
  public var body: Body

  public enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// Fixed bytes, which the server keeps compressed.
    case asset(StaticAsset)
    case stream(any HTTPBodyStream)
  }

  public init(status: Int, fields: HTTPFields = HTTPFields(), body: Body = .none) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// A reply with a body of this type.
  public init(status: Int = 200, type: String, _ bytes: [UInt8]) {
    self.init(status: status, fields: HTTPFields([("Content-Type", type)]), body: .bytes(bytes))
  }

  /// Returns a reply in plain text.
  public static func text(_ status: Int, _ text: String) -> HTTPReply {
    HTTPReply(status: status, type: "text/plain; charset=utf-8", Array(text.utf8))
  }

  /// Returns a redirection with 303, so that the client continues with GET.
  public static func see(_ location: String) -> HTTPReply {
    HTTPReply(status: 303, fields: HTTPFields([("Location", location)]))
  }

  public func with(_ name: String, _ value: String) -> HTTPReply {
    var reply = self
    reply.fields.append(name, value)
    return reply
  }
}

/// A body of any length, made in pieces while it is sent.
///
/// `next` is called again only after its previous result was sent, so memory holds one piece. A HEAD request runs the
/// stream to its end without sending, to learn the length. Use a class or an actor. When the client goes away, the task
/// that awaits `next` is cancelled.
public protocol HTTPBodyStream: Sendable {
  /// Returns the next piece, which is not empty; nil at the end. If it throws, the server closes the connection before
  /// the end of the body, so that the client notices.
  func next() async throws -> [UInt8]?
  /// True for a stream that has no end, such as events. It is not run for HEAD and not compressed.
  var isEndless: Bool { get }
  /// True: the stream ends when the client closes its end of the connection, also while the next piece is awaited.
  var endsWithClient: Bool { get }
}

extension HTTPBodyStream {
  public var isEndless: Bool { false }
  public var endsWithClient: Bool { isEndless }
}

/// Bytes that do not change while newsd runs, such as a style sheet.
public final class StaticAsset: Sendable {
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}
