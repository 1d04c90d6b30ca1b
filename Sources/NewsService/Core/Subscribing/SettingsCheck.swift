/// Checks untrusted settings from a list of subscriptions or an export.
public struct SettingsCheck: Sendable {
  /// True for a proxy URL that newsd can use.
  public var isProxy: @Sendable (String) -> Bool
  /// True for the name of a known character encoding.
  public var isEncoding: @Sendable (String) -> Bool
  /// The problem in a list of CSS selectors; nil if it is valid.
  public var selectorProblem: @Sendable (String) -> SelectorProblem?
  /// Upper limits for the sizes and timeouts of an untrusted source.
  public var limits: FetchLimits
  /// The shortest poll interval that an untrusted source may set, in seconds.
  public var minimumInterval: Int64

  public init(
    isProxy: @escaping @Sendable (String) -> Bool = { _ in true },
    isEncoding: @escaping @Sendable (String) -> Bool = { _ in true },
    selectorProblem: @escaping @Sendable (String) -> SelectorProblem? = { _ in nil },
    limits: FetchLimits = FetchLimits(),
    minimumInterval: Int64 = PollPolicy.Configuration().minimumInterval
  ) {
    self.isProxy = isProxy
    self.isEncoding = isEncoding
    self.selectorProblem = selectorProblem
    self.limits = limits
    self.minimumInterval = minimumInterval
  }

  /// Removes unusable values and returns a description of each.
  public func removeUnusable(_ settings: inout FeedSettings) -> [String] {
    var unusable: [String] = []
    if let proxy = settings.proxy, !proxy.isEmpty, !isProxy(proxy) {
      unusable.append("the proxy \(WebAddress.redacted(proxy)), which newsd cannot use")
      settings.proxy = nil
    }
    if let encoding = settings.encoding, !isEncoding(encoding) {
      unusable.append("the encoding \(encoding), which is not known")
      settings.encoding = nil
    }
    func clear(_ name: String, _ path: WritableKeyPath<FeedSettings, String?>) {
      guard let text = settings[keyPath: path], let problem = selectorProblem(text) else { return }
      unusable.append("the selector '\(text)' for \(name) (\(problem))")
      settings[keyPath: path] = nil
    }
    clear("article-content", \.articleContent)
    clear("article-remove", \.articleRemove)
    clear("article-next", \.articleNext)
    return unusable
  }

  /// Removes settings that only the user may set: headers, names of secrets, options that expose them in
  /// transit, the user agent, and access to local addresses. Clamps sizes, timeouts and intervals to the
  /// configured limits. Returns true when anything but `allowsLocalOrigin` was removed or clamped.
  public func removePrivileged(_ settings: inout FeedSettings) -> Bool {
    settings.allowsLocalOrigin = nil
    let before = settings
    for setting in FeedSetting.allCases where setting.trust != .anyone { setting.reset(&settings) }
    settings.maximumBytes = settings.maximumBytes.map { min($0, limits.bodyBytes) }
    settings.timeout = settings.timeout.map { min($0, Int64(limits.totalTimeout / 1000)) }
    settings.minimumInterval = settings.minimumInterval.map { max($0, minimumInterval) }
    settings.maximumInterval = settings.maximumInterval.map { max($0, minimumInterval) }
    return settings != before
  }
}
