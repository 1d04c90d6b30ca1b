public import NewsCore
import NewsToolbox

/// Formats settings as they are typed: `timeout=30s`.
struct FeedSettingsPresenter: Presenting {
  typealias ViewModel = FeedSettingsViewModel

  func present(_ settings: FeedSettings) -> Container<FeedSettingsViewModel> {
    let lines = FeedSetting.allCases.compactMap { setting in
      setting.text(in: settings).map { DisplayText(line: "\(setting.rawValue)=\($0)") }
    }
    return .ready(FeedSettingsViewModel(lines: lines))
  }

  func changed(keepsSecretsBack: Bool = false) -> Container<FeedSettingsViewModel> {
    var content = FeedSettingsViewModel()
    if keepsSecretsBack {
      content.warnings = [
        DisplayText(
          "the new URL has another origin: credential, headers and client certificate are not sent there"
        )
      ]
    }
    return .ready(content)
  }

  func noFeeds(in folder: String) -> Container<FeedSettingsViewModel> {
    present(UserMessage(code: .notFound, text: "there is no feed in the folder '\(folder)'"))
  }
}

extension FeedSetting {
  /// The value as text; nil: not set.
  public func text(in settings: FeedSettings) -> String? {
    switch self {
    case .userAgent: settings.userAgent
    // A header may contain a secret: show only its name.
    case .header: settings.headers.map { $0.map { $0.prefix(upToAny: ":") + ": …" }.joined(separator: ", ") }
    case .credential: settings.credential
    case .proxy: settings.proxy.map { WebAddress.redacted($0) }
    case .secretsFor: settings.secretsFor
    case .clientCertificate: settings.clientCertificate
    case .certificateAuthority: settings.certificateAuthority
    case .encoding: settings.encoding
    case .verifiesTLS: settings.verifiesTLS.map { "\($0)" }
    case .timeout: settings.timeout.map { "\($0)s" }
    case .minimumInterval: settings.minimumInterval.map { "\($0)s" }
    case .maximumInterval: settings.maximumInterval.map { "\($0)s" }
    case .maximumSize: settings.maximumBytes.map { "\($0)" }
    case .keepDays: settings.keepDays.map { "\($0)" }
    case .keepItems: settings.keepItems.map { "\($0)" }
    case .article: settings.article?.rawValue
    case .articleContent: settings.articleContent
    case .articleRemove: settings.articleRemove
    case .articleNext: settings.articleNext
    }
  }
}
