import Glibc
import NewsCore
import NewsToolbox

/// A secret for one origin. Never interpolate it into a text: Swift would print the secret.
enum Credential: Hashable, Sendable {
  case basic(user: String, password: String)
  case bearer(String)

  /// Resolves `env:NAME`, `file:PATH` or `config:NAME` and parses the value as `user:password` or `Bearer
  /// TOKEN`. Throws `fileNotFound` if there is no valid value, and `bodyTooLarge` if the file exceeds 64 KiB.
  /// The message never contains the secret.
  static func look(
    up reference: String,
    configuration: NetworkConfiguration
  ) throws(FetchError) -> Credential {
    let (place, rest) = reference.cut(atFirst: ":") ?? ("", "")
    let name = String(rest)
    let secret: String?
    switch place {
    case "env": secret = configuration.environment[name]
    case "config": secret = configuration.credentials[name]
    case "file":
      secret = try String(decoding: LocalFile.read(path: name, limit: 64 << 10).bytes, as: UTF8.self)
    default:
      throw FetchError(
        code: .fileNotFound,
        message: "the feed's credential must be env:NAME, file:PATH or config:NAME"
      )
    }
    guard let secret, let credential = Credential(secret) else {
      throw FetchError(
        code: .fileNotFound,
        message: "the credential \(reference) is missing, or is neither user:password nor Bearer TOKEN"
      )
    }
    return credential
  }

  init?(_ secret: String) {
    let line = secret.prefix(upToAny: "\r\n")
    if let (scheme, token) = line.cut(atFirst: " "), scheme.lowercased() == "bearer" {
      self = .bearer(String(token.trimmingBlanks))
    } else {
      guard let (user, password) = line.cut(atFirst: ":") else { return nil }
      self = .basic(user: String(user), password: String(password))
    }
  }
}

extension StringProtocol {
  /// The text without leading and trailing spaces and tabs (optional whitespace in RFC 9110 section 5.6.3).
  var trimmed: String {
    String(Substring(self).trimmingBlanks)
  }
}
