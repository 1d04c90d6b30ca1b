extension FeedSettings {
  /// Bounds of the poll interval, in seconds.
  public static let intervals: ClosedRange<Int64> = 60...366 * 86_400
  /// Bounds of `timeout`, in seconds.
  public static let timeouts: ClosedRange<Int64> = 1...3600
  /// Bounds of `maximumBytes`.
  public static let bodySizes: ClosedRange<Int> = 1 << 10...1 << 32
  /// Bounds of `keepDays`.
  public static let days: ClosedRange<Int> = 1...100_000
  /// Bounds of `keepItems`.
  public static let itemCounts: ClosedRange<Int> = 1...100_000_000

  /// Returns a copy with every number clamped to its bounds and without texts that contain control characters
  /// (`identity` is not checked). Settings from imported lists are untrusted, yet their numbers enter
  /// calculations and their texts enter requests.
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

  /// True for text that may become part of a request: it contains no control character except tab.
  public static func isSendable(_ text: String) -> Bool {
    !text.utf8.contains { $0 < UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") || $0 == 0x7F }
  }
}

extension FeedSettings {
  /// Returns the bounds of this feed's poll interval, in seconds; `general` applies where the feed sets no bound.
  public func intervals(_ general: ClosedRange<Int64>) -> ClosedRange<Int64> {
    let low = max(1, minimumInterval ?? general.lowerBound)
    return low...max(low, maximumInterval ?? general.upperBound)
  }
}

extension FetchLimits {
  /// Returns these limits, overridden by the feed's own settings.
  public func overridden(by settings: FeedSettings) -> FetchLimits {
    let settings = settings.clamped()
    var limits = self
    if let seconds = settings.timeout {
      limits.totalTimeout = Int(seconds) * 1000
      // A slow server may need all of a longer total timeout before it sends the first byte.
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
