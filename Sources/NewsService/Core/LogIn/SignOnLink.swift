import NewsToolbox

/// A way to log in to the page.
public enum LogInWay: String, CaseIterable, Sendable {
  /// Name and login password.
  case password
  /// A header field in which a trusted reverse proxy names the account.
  case header
  /// An OpenID provider.
  case oidc

  /// The character before the random part of a session's cookie; never a hexadecimal digit.
  var mark: String {
    switch self {
    case .password: ""
    case .header: "h"
    case .oidc: "o"
    }
  }

  /// The way in which the session of a cookie was opened. The store has the hash of the whole cookie, so that a browser
  /// cannot change the way.
  static func opening(_ cookie: String) -> LogInWay {
    let random = cookie.cut(atLast: ".")?.after ?? cookie[...]
    switch random.utf8.first {
    case UInt8(ascii: "h"): return .header
    case UInt8(ascii: "o"): return .oidc
    default: return .password
    }
  }
}

/// A person as an OpenID provider names them.
public struct ProviderIdentity: Hashable, Sendable {
  public var issuer: String
  /// Identifies the person at the issuer for ever (OpenID Connect Core section 5.7).
  public var subject: String
  /// `preferred_username`, which the person may be able to change.
  public var name: String?
  public var groups: [String]

  public init(issuer: String, subject: String, name: String? = nil, groups: [String] = []) {
    self.issuer = issuer
    self.subject = subject
    self.name = name
    self.groups = groups
  }
}

/// The person at a provider who may log in to an account.
public struct SignOnLink: Hashable, Sendable {
  /// The name of the account for which the link was made; empty for the only account. The link of a copied store is not
  /// one of the account that has the copy.
  public var account: String
  public var subject: String

  public init(account: String, subject: String) {
    self.account = account
    self.subject = subject
  }

  /// Compares bytes (OpenID Connect Core, section 2: subjects are case-sensitive strings). Strings are equal in Swift if they
  /// look equal.
  public static func == (one: SignOnLink, other: SignOnLink) -> Bool {
    one.account.isEqual(bytesOf: other.account) && one.subject.isEqual(bytesOf: other.subject)
  }
}
