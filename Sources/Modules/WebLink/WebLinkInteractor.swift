public import NewsCore

/// Links an account to a person at the OpenID provider, and ends such links.
public struct WebLinkInteractor: Interactor {
  private let login: WebLogin
  private let issuer: String?

  /// `issuer` is that of the configuration; nil: none is set.
  public init(login: WebLogin, issuer: String?) {
    self.login = login
    self.issuer = issuer
  }

  /// Links the account to this subject at the issuer; nil: ends its links to all issuers.
  public func respond(to subject: String?, emit: @escaping Emit<Outcome>) async throws {
    guard let subject else {
      guard try await login.unlink() else {
        throw UserMessage(code: .notFound, text: "the account is linked to no OpenID provider")
      }
      return try emit(.outcome("the account is linked to no OpenID provider now. All sessions have ended."))
    }
    guard let issuer else {
      throw UserMessage(
        code: .configuration,
        text: "there is no OpenID provider, because oidc.issuer is not set in the configuration"
      )
    }
    guard try await login.link(ProviderIdentity(issuer: issuer, subject: subject)) else {
      throw UserMessage(
        code: .cannotCreate,
        text: "the account is linked to another subject already; 'newsd web link --remove' ends that"
      )
    }
    try emit(.outcome("the subject may log in to the account"))
  }
}
