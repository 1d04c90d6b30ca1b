import Glibc
import NewsCore
import NewsToolbox

/// A secret for one origin. It has no description, so that no message or log can show it.
enum Credential: Hashable, Sendable {
  case basic(user: String, password: String)
  case bearer(String)

  /// Looks up `env:NAME`, `file:PATH` or `config:NAME` and reads `user:password` or `Bearer TOKEN` there.
  ///
  /// - Throws: `fileNotFound` when nothing is found. The message names the place, never the secret.
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
        message: "The feed's credential must be env:NAME, file:PATH or config:NAME."
      )
    }
    guard let secret, let credential = Credential(secret) else {
      throw FetchError(
        code: .fileNotFound,
        message: "The credential \(reference) is missing, or is neither user:password nor Bearer TOKEN."
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
  /// Without leading and trailing spaces and tabs (the optional white space of RFC 9110 section 5.6.3).
  var trimmed: String {
    String(Substring(self).trimmingBlanks)
  }
}
