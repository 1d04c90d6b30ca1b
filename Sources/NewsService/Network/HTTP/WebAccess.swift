import NewsCore
import NewsToolbox

/// Checks the app passwords of requests whose route requires one.
struct WebAccess: Sendable {
  enum Result: Sendable {
    case granted(AppPassword)
    case refused(HTTPReply)
  }

  struct Credentials: Sendable {
    /// The user name; nil if the password was sent without one.
    var user: String?
    var password: String
  }

  /// Checks passwords; if nil, all passwords are refused.
  var account: (any WebAccount)?

  static let challenge = HTTPReply.text(
    401,
    "This address takes an app password (newsd web apps add NAME).\n"
  )
  .with("WWW-Authenticate", "Basic realm=\"newsd\", charset=\"UTF-8\"")

  /// Returns the credentials of a request; nil if it has none.
  static func credentials(_ fields: HTTPFields, field: String?) -> Credentials? {
    if let field, let password = fields.first(field), !password.isEmpty {
      return Credentials(password: password)
    }
    guard let (scheme, value) = fields.first("Authorization")?.trimmingBlanks.cut(atFirst: " ") else {
      return nil
    }
    let text = String(value.trimmingBlanks)
    if scheme.isEqual(ignoringASCIICase: "bearer") { return Credentials(password: text) }
    guard scheme.isEqual(ignoringASCIICase: "basic"), let decoded = decoded(text),
      let (user, password) = decoded.cut(atFirst: ":")
    else { return nil }
    return Credentials(user: String(user), password: String(password))
  }

  private static func decoded(_ base64: String) -> String? {
    base64.withBytes { bytes in
      guard let decoded = Base64.decode(bytes) else { return nil }
      return decoded.string()
    }
  }

  func check(_ credentials: Credentials, address: String) async -> Result {
    guard let account else { return .refused(Self.challenge) }
    do {
      switch try await account.app(user: credentials.user, password: credentials.password, address: address) {
      case .granted(let app): return .granted(app)
      case .refused: return .refused(Self.challenge)
      case .blocked(let seconds):
        let reply = HTTPReply.text(429, "Too many wrong passwords. Try again in \(seconds) seconds.\n")
        return .refused(reply.with("Retry-After", "\(seconds)"))
      case .busy: return .refused(.unavailable)
      }
    } catch {
      return .refused(.text(503, error.message + "\n").with("Retry-After", "5"))
    }
  }
}
