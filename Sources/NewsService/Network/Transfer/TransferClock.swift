import NewsCore

/// The time limits of one hop. Times are milliseconds of any steady clock, passed in.
///
/// libcurl's own limits do not fit: it has none for the time to the first byte, counts that time as low speed, and keeps
/// counting while a transfer is paused for lack of memory.
struct TransferClock {
  enum Verdict: Hashable {
    /// No limit is reached before that time.
    case fine(until: Int64)
    case noFirstByte
    case tooLong
    case tooSlow
  }

  private let firstByteTimeout: Int64
  private let totalTimeout: Int64
  private let window: Int64
  private let bytesPerWindow: Int
  private(set) var start: Int64
  private var windowStart: Int64
  private var windowBytes = 0
  private var hasFirstByte = false
  private var pausedSince: Int64?
  /// When bytes last arrived.
  private(set) var lastProgress: Int64
  /// Since when the transfer has been slower than `livelyBytes` in `stallTime`.
  private var slowSince: Int64
  private var recentBytes = 0

  /// A transfer that brings fewer than `livelyBytes` in `stallTime` milliseconds gives its place to another.
  static let stallTime: Int64 = 1500
  static let livelyBytes = 4 << 10

  /// - Parameters:
  ///   - limits: Those of the fetch.
  ///   - spent: Milliseconds that earlier hops took: the total covers all of them.
  ///   - now: The time.
  init(limits: FetchLimits, spent: Int64 = 0, now: Int64) {
    firstByteTimeout = Int64(limits.firstByteTimeout)
    totalTimeout = max(Int64(limits.totalTimeout) - spent, 1)
    window = Int64(limits.lowSpeedSeconds) * 1000
    bytesPerWindow = limits.lowSpeed * limits.lowSpeedSeconds
    start = now
    windowStart = now
    lastProgress = now
    slowSince = now
  }

  /// True when the transfer moves too slowly to keep its place from others.
  func isStalled(now: Int64) -> Bool { pausedSince == nil && now - slowSince >= Self.stallTime }

  mutating func received(_ count: Int, now: Int64) {
    if !hasFirstByte {
      hasFirstByte = true
      windowStart = now
    }
    lastProgress = now
    recentBytes += count
    if recentBytes >= Self.livelyBytes {
      slowSince = now
      recentBytes = 0
    }
    windowBytes += count
    if windowBytes >= bytesPerWindow {
      windowStart = now
      windowBytes = 0
    }
  }

  /// Pauses, which newsd causes, do not count.
  mutating func paused(now: Int64) {
    if pausedSince == nil { pausedSince = now }
  }

  mutating func resumed(now: Int64) {
    guard let since = pausedSince else { return }
    pausedSince = nil
    start += now - since
    windowStart += now - since
    lastProgress = now
    slowSince = now
  }

  func verdict(now: Int64) -> Verdict {
    if pausedSince != nil { return .fine(until: .max) }
    if now - start >= totalTimeout { return .tooLong }
    guard hasFirstByte else {
      if now - start >= firstByteTimeout { return .noFirstByte }
      return .fine(until: start + min(firstByteTimeout, totalTimeout))
    }
    guard window > 0, bytesPerWindow > 0 else { return .fine(until: start + totalTimeout) }
    if now - windowStart >= window { return .tooSlow }
    return .fine(until: min(start + totalTimeout, windowStart + window))
  }
}
