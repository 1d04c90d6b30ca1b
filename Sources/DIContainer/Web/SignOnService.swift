import Glibc
import Modules
import NewsCore
import NewsToolbox
import NewsWeb

extension ServiceContainer {
  /// Makes the pages of the log-in at the OpenID provider; nil: the configuration has none.
  func makeSignOn(_ directory: SignOnDirectory, _ hooks: WebHooks) throws -> SignOnPage? {
    guard settings.web.page, settings.web.ways.contains(.oidc), let provider = try settings.provider() else {
      return nil
    }
    return SignOnPage(
      client: makeOpenIDClient(provider),
      directory: directory,
      clock: clock,
      times: { [clock] in TimeDisplay(now: clock.now(), zone: .local) },
      refused: hooks.refused,
      failed: hooks.providerFailed
    )
  }

  /// The ways to log in, as the page shows and checks them.
  func pageLogIn(_ hooks: WebHooks) -> PageLogIn {
    let issuer = settings.web.ways.contains(.oidc) ? settings.openID.issuer : nil
    return PageLogIn(
      ways: settings.web.ways,
      field: settings.web.authHeader,
      provider: issuer.map { ProviderSettings(issuer: $0, clientID: "").host },
      refused: hooks.refused
    )
  }
}

extension Settings {
  /// Longest secret of a client, in bytes.
  private static let longestSecret = 4096

  /// How newsd is known to the OpenID provider. Reads the file with the secret.
  fileprivate func provider() throws -> ProviderSettings? {
    guard let issuer = openID.issuer, let id = openID.clientID else { return nil }
    var provider = ProviderSettings(issuer: issuer, clientID: id, groups: openID.groups)
    guard let path = openID.clientSecretFile else { return provider }
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(path)
    } catch {
      throw WebStartError.clientSecret(
        "\(path) cannot be read by uid \(geteuid()), as which newsd runs: \(error.reason)"
      )
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let secret = String(decoding: line, as: UTF8.self)
    guard (1...Self.longestSecret).contains(line.count), FeedSettings.isSendable(secret) else {
      throw WebStartError.clientSecret(
        "\(path): the first line must be the secret, without control characters"
      )
    }
    provider.clientSecret = secret
    return provider
  }
}
