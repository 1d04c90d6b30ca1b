import NewsToolbox

extension WebLogin {
  /// Opens a session without a password, for a browser that is known in another way.
  public func openSession(
    by way: LogInWay,
    address: String,
    agent: String
  ) async throws(StoreError) -> (session: WebSession, cookie: String) {
    let cookie = prefix + way.mark + Hex.encode(Self.random(32))
    var session = try await keeper.addSession(
      hash: SecureHash.sha256.digest(Array(cookie.utf8)),
      agent: Self.shortened(agent, Self.longestText),
      address: address,
      made: clock.now()
    )
    admit(&session, cookie)
    return (session, cookie)
  }

  /// Returns the subject at a provider that is linked to the account.
  public func linkedSubject(at issuer: String) async throws(StoreError) -> String? {
    guard let link = try await keeper.signOnLink(to: issuer), link.account == account ?? "" else {
      return nil
    }
    return link.subject
  }

  /// Links an identity to the account unless another one is linked. Returns false if another one is.
  public func link(_ identity: ProviderIdentity) async throws(StoreError) -> Bool {
    let link = SignOnLink(account: account ?? "", subject: identity.subject)
    return try await keeper.keep(link, to: identity.issuer) == link
  }

  /// Removes the links to all issuers, and ends all sessions. Returns false if there were no links.
  public func unlink() async throws(StoreError) -> Bool { try await keeper.removeSignOnLinks() > 0 }

  /// Ends the session of a cookie if this account has it.
  public func endSession(cookie: String) async throws(StoreError) {
    guard let session = try await session(cookie: cookie, address: "") else { return }
    _ = try await removeSession(session.id)
  }
}
