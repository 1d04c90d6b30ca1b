import Glibc
import NewsCore

/// A secret for one origin. Has no description, so that no message and no log can show it.
enum Credential: Hashable, Sendable {
  case basic(user: String, password: String)
  case bearer(String)

  /// Looks up `env:NAME`, `file:PATH` or `config:NAME` and reads `user:password` or `Bearer TOKEN` there.
  ///
  /// - Throws: `fileNotFound` when there is nothing, with a message that names the place and not what it holds.
  static func look(
    up reference: String,
    configuration: NetworkConfiguration
  ) throws(FetchError) -> Credential {
    let place = reference.prefix { $0 != ":" }
    let name = String(reference.dropFirst(place.count + 1))
    let secret: String?
    switch place {
    case "env": secret = configuration.environment[name]
    case "config": secret = configuration.credentials[name]
    case "file":
      secret = try String(decoding: LocalFile.read(path: name, limit: 64 << 10).bytes, as: UTF8.self)
    default:
      throw FetchError(
        code: .fileNotFound,
        message: "A credential is given as env:NAME, file:PATH or config:NAME; this feed's is not."
      )
    }
    guard let secret, let credential = Credential(secret) else {
      throw FetchError(
        code: .fileNotFound,
        message: "The credential \(reference) is not there, or is neither user:password nor Bearer TOKEN."
      )
    }
    return credential
  }

  init?(_ secret: String) {
    let secret = secret.prefix { $0 != "\n" && $0 != "\r" && $0 != "\r\n" }
    if secret.lowercased().hasPrefix("bearer ") {
      self = .bearer(secret.dropFirst(7).trimmed)
    } else {
      guard let colon = secret.firstIndex(of: ":") else { return nil }
      self = .basic(user: String(secret[..<colon]), password: String(secret[secret.index(after: colon)...]))
    }
  }
}

extension StringProtocol {
  /// Without spaces and tabs around it (the optional white space of RFC 9110 section 5.6.3).
  var trimmed: String {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return String(text)
  }
}
