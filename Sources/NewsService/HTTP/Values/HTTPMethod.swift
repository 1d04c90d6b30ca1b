/// The method of a request.
public enum HTTPMethod: Hashable, Sendable {
  case get, head, post, put, delete, options, other

  /// Reads the name of a method, which is case-sensitive (RFC 9110 section 9.1).
  public init(_ name: some StringProtocol) {
    switch name {
    case "GET": self = .get
    case "HEAD": self = .head
    case "POST": self = .post
    case "PUT": self = .put
    case "DELETE": self = .delete
    case "OPTIONS": self = .options
    default: self = .other
    }
  }

  /// The name for an Allow field; empty for `other`.
  public var name: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .other: ""
    }
  }
}
