/// The settings of a feed that the user can change, by their names.
public enum FeedSetting: String, Hashable, Sendable, CaseIterable {
  case userAgent = "user-agent"
  case header
  case credential
  case proxy
  case secretsFor = "secrets-for"
  case clientCertificate = "client-certificate"
  case certificateAuthority = "ca-file"
  case encoding
  case verifiesTLS = "verify-tls"
  case timeout
  case minimumInterval = "minimum-interval"
  case maximumInterval = "maximum-interval"
  case maximumSize = "maximum-size"
  case keepDays = "keep-days"
  case keepItems = "keep-items"
  case paused
  case hidden
  case article
  case articleContent = "article-content"
  case articleRemove = "article-remove"
  case articleNext = "article-next"

  /// Who may set a setting.
  public enum Trust: Sendable { case anyone, page, owner }

  /// Who may set it: lists of subscriptions from others, only the person on the page or the command line, or the command
  /// line alone, because newsd would send files or secrets of the machine or trust other certificates.
  public var trust: Trust {
    switch self {
    case .header, .credential, .proxy, .secretsFor, .clientCertificate, .certificateAuthority, .verifiesTLS:
      .owner
    case .userAgent: .page
    case .encoding, .timeout, .minimumInterval, .maximumInterval, .maximumSize, .keepDays, .keepItems,
      .paused, .hidden,
      .article, .articleContent, .articleRemove, .articleNext:
      .anyone
    }
  }

  /// True for a setting that is sent to one origin only.
  var isSecret: Bool { [.credential, .header, .clientCertificate].contains(self) }

  /// Copies this setting from one value to another; headers are appended.
  func copy(from source: FeedSettings, to settings: inout FeedSettings) {
    let headers = settings.headers
    field?.set(&settings, field?.value(source))
    if self == .header { settings.headers = (headers ?? []) + (source.headers ?? []) }
  }

  /// Resets this setting to the general configuration.
  func reset(_ settings: inout FeedSettings) {
    if self == .header { settings.headers = nil } else { copy(from: FeedSettings(), to: &settings) }
  }
}

/// A change of one setting of a feed.
public struct FeedSettingChange: Hashable, Sendable {
  public var setting: FeedSetting
  /// Settings that contain the new value; nil: the general configuration applies again.
  public var value: FeedSettings?

  public init(_ setting: FeedSetting, to value: FeedSettings?) {
    self.setting = setting
    self.value = value
  }

  func apply(to settings: inout FeedSettings) {
    guard let value else { return setting.reset(&settings) }
    if setting.isSecret, settings.secretsFor != nil {
      // The old secrets belong to the feed's previous origin.
      for secret in FeedSetting.allCases where secret.isSecret { secret.reset(&settings) }
      settings.secretsFor = nil
    }
    setting.copy(from: value, to: &settings)
  }
}
