import NewsHTTP
import NewsSearch
import Modules
import NewsCore
import NewsToolbox

/// Replies that several protocols share.
enum SyncReply {
  /// A JSON document that only the client may store.
  static func json(_ status: Int = 200, _ write: (inout JSONWriter) -> Void) -> HTTPReply {
    var writer = JSONWriter(reservingCapacity: 512)
    write(&writer)
    return HTTPReply(status: status, type: jsonType, writer.bytes).with("Cache-Control", "private, no-cache")
  }

  /// A JSON object, whose members `write` writes, that only the client may store.
  static func object(_ status: Int = 200, _ write: (inout JSONWriter) -> Void) -> HTTPReply {
    json(status) { $0.object(write) }
  }

  static let jsonType = "application/json; charset=utf-8"

  /// A reply whose body is generated while it is sent.
  static func stream(type: String, _ body: any HTTPBodyStream) -> HTTPReply {
    HTTPReply(status: 200, fields: HTTPFields([("Content-Type", type)]), body: .stream(body))
      .with("Cache-Control", "private, no-cache")
  }

  /// The status of an error of Core, and a message that says what to do.
  static func failure(_ error: any Error) -> (status: Int, message: String) {
    switch error {
    case let error as BadRequest: return (error.status, error.message)
    case let error as StoreError:
      let status =
        switch error.code {
        case .noSuchItem, .noSuchFeed: 404
        case .ambiguousFeed, .duplicateFeed, .badQuery: 400
        case .overQuota: 403
        default: self.status(ofUnusable: UserMessage(error))
        }
      return (status, error.clientMessage)
    case let error as FeedAdditionError:
      if case .store(let code) = error.code { return failure(StoreError(code: code, message: error.message)) }
      return (error.code == .unreachable ? 422 : 400, error.message)
    case let error as FeedParseError: return (400, error.message)
    case let error as QueryError: return (400, error.message)
    case let error as UserMessage:
      let status =
        switch error.code {
        case .usage: 400
        case .cannotCreate: 403
        default: self.status(ofUnusable: error)
        }
      return (status, error.clientText)
    default: return (500, "newsd could not answer")
    }
  }

  /// A store that is busy, full, damaged or away answers again when that is over; modules report it as a message.
  private static func status(ofUnusable error: UserMessage) -> Int { error.code == .io ? 503 : 500 }

  /// Returns a refusal in plain text; status 503 asks the client to repeat the request later.
  static func refusal(_ error: any Error) -> HTTPReply {
    let (status, message) = failure(error)
    let reply = HTTPReply.text(status, message + "\n")
    return status == 503 ? reply.with("Retry-After", "5") : reply
  }
}

/// A request that cannot be answered.
struct BadRequest: Error {
  var status = 400
  var message: String

  init(_ message: String, status: Int = 400) {
    self.message = message
    self.status = status
  }

  static var notFound: BadRequest { BadRequest("Not Found", status: 404) }
}

extension HTTPReply {
  /// The reply with caching forbidden, for replies that contain tokens.
  var unstored: HTTPReply {
    var reply = self
    reply.fields.set("Cache-Control", "no-store")
    return reply
  }
}

extension HTTPRequest {
  /// The parameters of the body followed by those of the query: clients use either.
  var parameters: HTTPParameters { HTTPParameters(form.pairs + query.pairs) }

  /// True if the client already has the version with this tag (`If-None-Match`).
  func has(entityTag tag: String) -> Bool {
    fields.all("If-None-Match").contains { field in
      field.split(ascii: ",").contains { part in
        let given = part.trimmingBlanks
        return given == "*" || given == tag || given == "W/" + tag
      }
    }
  }
}

extension HTTPParameters {
  /// A number without a sign; a larger number than `Int64.max` is clamped. Nil if it is missing or empty.
  /// Throws `BadRequest` for anything else.
  func number(_ name: String) throws(BadRequest) -> Int64? {
    guard let text = first(name), !text.isEmpty else { return nil }
    guard let number = Self.number(text) else { throw BadRequest("\(name) is not a number") }
    return number
  }

  /// The value of decimal digits, at most `Int64.max`; nil for other text.
  static func number(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ ASCII.isDigit($0) }) else { return nil }
    return Int64(text) ?? .max
  }
}
