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

  /// These, with every number within its bounds. Numbers come from lists and exports too, whoever wrote them, and are
  /// reckoned with afterwards.
  public func clamped() -> FeedSettings {
    var result = self
    result.minimumInterval = minimumInterval?.clamped(to: Self.intervals)
    result.maximumInterval = maximumInterval?.clamped(to: Self.intervals)
    result.timeout = timeout?.clamped(to: Self.timeouts)
    result.maximumBytes = maximumBytes?.clamped(to: Self.bodySizes)
    result.keepDays = keepDays?.clamped(to: Self.days)
    result.keepItems = keepItems?.clamped(to: Self.itemCounts)
    return result
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
