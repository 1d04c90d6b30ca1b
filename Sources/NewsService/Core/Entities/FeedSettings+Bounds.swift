extension FeedSettings {
  /// Bounds of the poll interval, in seconds.
  public static let intervals: ClosedRange<Int64> = 60...366 * 86_400
  /// Seconds for one request in total.
  public static let timeouts: ClosedRange<Int64> = 1...3600
  /// Bytes of a decoded body.
  public static let bodySizes: ClosedRange<Int> = 1 << 10...1 << 32
  /// `keepDays`.
  public static let days: ClosedRange<Int> = 1...100_000
  /// `keepItems`.
  public static let itemCounts: ClosedRange<Int> = 1...100_000_000

  /// These settings with every number within its bounds and without text that holds control characters: settings also
  /// come from lists and exports, and are calculated with and sent.
  public func clamped() -> FeedSettings {
    var result = self
    result.minimumInterval = minimumInterval?.clamped(to: Self.intervals)
    result.maximumInterval = maximumInterval?.clamped(to: Self.intervals)
    result.timeout = timeout?.clamped(to: Self.timeouts)
    result.maximumBytes = maximumBytes?.clamped(to: Self.bodySizes)
    result.keepDays = keepDays?.clamped(to: Self.days)
    result.keepItems = keepItems?.clamped(to: Self.itemCounts)
    func clean(_ text: String?) -> String? { text.flatMap { Self.isSendable($0) ? $0 : nil } }
    result.userAgent = clean(userAgent)
    result.credential = clean(credential)
    result.proxy = clean(proxy)
    result.clientCertificate = clean(clientCertificate)
    result.certificateAuthority = clean(certificateAuthority)
    result.encoding = clean(encoding)
    result.secretsFor = clean(secretsFor)
    result.articleContent = clean(articleContent)
    result.articleRemove = clean(articleRemove)
    result.articleNext = clean(articleNext)
    if let headers, !headers.allSatisfy(Self.isSendable) { result.headers = headers.filter(Self.isSendable) }
    return result
  }

  /// True for text that may be part of a request: it holds no control characters but tabs.
  public static func isSendable(_ text: String) -> Bool {
    !text.utf8.contains { $0 < UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") || $0 == 0x7F }
  }
}

extension FeedSettings {
  /// The bounds of the feed's poll interval in seconds, where `general` holds for all others.
  public func intervals(_ general: ClosedRange<Int64>) -> ClosedRange<Int64> {
    let low = max(1, minimumInterval ?? general.lowerBound)
    return low...max(low, maximumInterval ?? general.upperBound)
  }
}

extension FetchLimits {
  /// These limits, with what the feed's own settings say instead.
  public func with(_ settings: FeedSettings) -> FetchLimits {
    let settings = settings.clamped()
    var limits = self
    if let seconds = settings.timeout {
      limits.totalTimeout = Int(seconds) * 1000
      // A server that is given more time than usual may spend all of it on thinking.
      limits.firstByteTimeout = max(limits.firstByteTimeout, limits.totalTimeout)
    }
    if let bytes = settings.maximumBytes { limits.bodyBytes = bytes }
    return limits
  }
}

extension Comparable {
  fileprivate func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
