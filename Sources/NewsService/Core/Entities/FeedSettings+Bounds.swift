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
