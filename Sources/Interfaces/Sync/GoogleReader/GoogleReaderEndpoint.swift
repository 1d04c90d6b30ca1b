import NewsHTTP
import NewsCore

/// Answers the requests of one endpoint; their token has been checked.
protocol GoogleReaderEndpoint: Sendable {
  func answer(_ call: GoogleReaderCall) async throws -> HTTPReply
}

/// A request whose token has been checked.
struct GoogleReaderCall: Sendable {
  var request: HTTPRequest
  var app: AppPassword
  /// The part of the path below the endpoint.
  var rest: [String]
}
