import NewsHTTP
import NewsCore
import NewsToolbox

/// Checks the tokens of the Google Reader API.
struct GoogleReaderAccess: Sendable {
  let account: any WebAccount

  /// Checks the auth token of `Authorization: GoogleLogin auth=TOKEN`. A POST without this field may have its token in
  /// the body.
  func admission(of request: HTTPRequest) async -> Admission {
    guard let field = request.fields.first("Authorization") else {
      return request.method == .post ? .stranger : .refused(Refusal().reply)
    }
    do {
      guard let token = Self.token(field), let app = try await account.app(authToken: token) else {
        return .refused(Refusal().reply)
      }
      return .app(app)
    } catch {
      return .refused(SyncReply.refusal(error))
    }
  }

  /// Returns the app password of a request whose form was read: the one of its auth token, or, without an
  /// auth token, the one of `T` in the body. A `T` beside an auth token is an action token, which clients may
  /// omit. Throws a `Refusal` if there is no valid token.
  func app(_ request: HTTPRequest) async throws -> AppPassword {
    let action = Self.trimmed(request.form.first("T") ?? "")
    guard let app = request.app else {
      guard request.method == .post, !action.isEmpty, let app = try await account.app(actionToken: action)
      else {
        throw Refusal()
      }
      return app
    }
    let given = action.isEmpty ? Self.trimmed(request.query.first("T") ?? "") : action
    if request.method == .post, !given.isEmpty, given != "x" {
      guard try await account.app(actionToken: given)?.id == app.id else { throw Refusal() }
    }
    return app
  }

  /// A token that is missing or wrong. Such a request is not counted as an attempt to guess a password.
  struct Refusal: Error {
    var reply: HTTPReply {
      HTTPReply.text(401, "Unauthorized\n").with("WWW-Authenticate", "GoogleLogin realm=\"newsd\"")
        .with("X-Reader-Google-Bad-Token", "true").unstored
    }
  }

  private static func token(_ field: String) -> String? {
    guard let (scheme, rest) = field.trimmingBlanks.cut(atFirst: " "),
      scheme.isEqual(ignoringASCIICase: "GoogleLogin")
    else { return nil }
    let parameter = rest.trimmingBlanks
    guard parameter.hasPrefix(bytesOf: "auth=") else { return nil }
    let token = parameter.slice(5...).trimmingBlanks
    return token.isEmpty ? nil : String(token)
  }

  /// Removes white space at both ends, such as a line feed that a client copies with the answer of `token`.
  private static func trimmed(_ text: String) -> String {
    let bytes = text.utf8.drop { ASCII.isSpace($0) }
    guard let last = bytes.lastIndex(where: { !ASCII.isSpace($0) }) else { return "" }
    return String(decoding: bytes[...last], as: UTF8.self)
  }
}

/// `accounts/ClientLogin`: exchanges the user's name and an app password for an auth token.
struct GoogleLogin: HTTPHandling {
  let account: any WebAccount

  func reply(to request: HTTPRequest) async -> HTTPReply {
    do {
      return try await answer(request).unstored
    } catch {
      return SyncReply.refusal(error).unstored
    }
  }

  private func answer(_ request: HTTPRequest) async throws -> HTTPReply {
    // FeedFlow has them in the address.
    guard let user = request.parameters.first("Email"), let password = request.parameters.first("Passwd"),
      !user.isEmpty, !password.isEmpty
    else { return Self.refused }
    switch try await account.app(user: user, password: password, address: request.countedAddress) {
    case .granted(let app):
      let token = try await account.authToken(of: app)
      if request.parameters.first("output") == "json" {
        return SyncReply.object { json in
          json.field("SID", token)
          json.field("LSID", token)
          json.field("Auth", token)
        }
      }
      return .text(200, "SID=\(token)\nLSID=\(token)\nAuth=\(token)\n")
    case .refused: return Self.refused
    case .blocked(let seconds):
      return HTTPReply.text(429, "Error=CaptchaRequired\nInfo=Too many wrong passwords; wait.\n")
        .with("Retry-After", "\(seconds)")
    case .busy: return HTTPReply.text(503, "Error=ServiceUnavailable\n").with("Retry-After", "5")
    }
  }

  private static var refused: HTTPReply {
    HTTPReply.text(
      401,
      "Error=BadAuthentication\n"
        + "Info=Use the name of the account and an app password; 'newsd web apps add NAME' makes one.\n"
    )
    .with("WWW-Authenticate", "GoogleLogin realm=\"newsd\"")
  }
}
