import NewsToolbox

/// What an account may do beyond fetching public documents. All of it touches the machine or its network, which are the
/// administrator's.
public enum AccountRight: String, Hashable, Sendable, CaseIterable {
  /// Subscriptions that are programs (`exec:`), and hooks of the page that send mail, for which newsd runs `sendmail`.
  case exec
  /// Subscriptions that are files (`file:`), credentials and certificates in files.
  case file
  /// Credentials in environment variables.
  case env
  /// A proxy of a feed's own.
  case proxy
  /// Addresses in the local network that the person types, also of hooks of the page.
  case local
}

/// Fetches for one account. Refuses what the account has no right to, wherever the feed comes from.
public struct AccountFetcher: Fetching {
  private let account: String
  private let rights: Set<AccountRight>
  private let other: any Fetching
  private let claim: @Sendable (Feed.ID) -> Feed.ID?

  /// `other` resolves `config:ACCOUNT/NAME` as the account's credential NAME. `claim` returns the claim under which the request
  /// for a feed is sent, as the limits of sites know it.
  public init(
    account: String,
    rights: Set<AccountRight>,
    other: any Fetching,
    claim: @escaping @Sendable (Feed.ID) -> Feed.ID? = { $0 }
  ) {
    self.account = account
    self.rights = rights
    self.other = other
    self.claim = claim
  }

  public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    var request = request
    request.feedID = request.feedID.flatMap(claim)
    for url in [request.url, request.subscriptionURL ?? request.url] {
      switch FeedURLKind(url) {
      case .program: try require(.exec, "\(url) runs a program")
      case .file: try require(.file, "\(url) is a file")
      case .web, .ingested: break
      case nil:
        throw FetchError(code: .badURL, message: "\(url) is not an address that accounts may fetch; refused")
      }
    }
    let settings = request.settings
    if settings.proxy != nil { try require(.proxy, "the feed has a proxy of its own") }
    if settings.clientCertificate != nil || settings.certificateAuthority != nil {
      try require(.file, "the feed has certificates in files")
    }
    if let reference = settings.credential, let (place, name) = reference.cut(atFirst: ":") {
      switch place {
      case "config": request.settings.credential = "config:\(account)/\(name)"
      case "env": try require(.env, "the feed's credential is in an environment variable")
      default: try require(.file, "the feed's credential is in a file")
      }
    }
    if case .localOrigin(let url) = request.reach, !rights.contains(.local) {
      switch FeedURLKind(url) {
      case .program, .file: break
      case .web, .ingested, nil: request.reach = .publicOnly
      }
    }
    return try await other.fetch(request)
  }

  private func require(_ right: AccountRight, _ use: String) throws(FetchError) {
    guard !rights.contains(right) else { return }
    throw FetchError(
      code: .forbiddenAddress,
      message:
        "\(use), which accounts may not do without the right '\(right.rawValue)' (accounts.may); refused"
    )
  }
}
