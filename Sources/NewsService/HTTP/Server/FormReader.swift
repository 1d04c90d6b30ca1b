import NewsToolbox

/// Reads a URL-encoded or multipart body into the form of its request.
enum FormReader {
  /// Maximum number of pairs of a URL-encoded form.
  static let mostPairs = 20_000

  static func read(_ request: inout HTTPRequest) throws(FormProblem) {
    let type = request.fields.first("Content-Type") ?? "application/x-www-form-urlencoded"
    if let boundary = Multipart.boundary(type) {
      (request.form, request.files) = try Multipart.read(request.body, boundary: boundary)
    } else if type.prefix(upToAny: ";").trimmingBlanks
      .isEqual(ignoringASCIICase: "application/x-www-form-urlencoded")
    {
      guard let form = HTTPParameters(encoded: request.body, limit: mostPairs) else {
        throw FormProblem(message: "a form may have \(mostPairs) fields at most")
      }
      request.form = form
    }
  }
}
