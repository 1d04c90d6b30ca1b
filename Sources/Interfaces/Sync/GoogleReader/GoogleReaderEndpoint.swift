import NewsCore

/// Answers the signed requests of one endpoint.
protocol GoogleReaderEndpoint: Sendable {
  func answer(_ call: GoogleReaderCall) async throws -> HTTPReply
}

/// A signed request.
struct GoogleReaderCall: Sendable {
  var request: HTTPRequest
  var app: AppPassword
  /// The path below the endpoint's own.
  var rest: [String]
}
