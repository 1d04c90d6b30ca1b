import NewsHTTP

/// A part of a page that the script asks for, to show it without loading the whole page.
enum PagePart: String, Sendable {
  case list, article, adding, menu

  /// The parameter of the address that names the part.
  static let parameter = "part"

  init?(_ request: HTTPRequest) {
    guard let part = request.query.first(Self.parameter).flatMap({ PagePart(rawValue: $0) }) else {
      return nil
    }
    self = part
  }
}
