import NewsCore

/// The time limits of one hop. Knows no clock: times are milliseconds of any steady clock.
///
/// libcurl has no limit for the time to the first byte, counts waiting for it as low speed, and goes on counting while
/// a transfer is paused for want of memory; hence these of our own.
struct TransferClock {
  enum Verdict: Hashable {
    /// Ask again at that time.
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
  /// When bytes last came.
  private(set) var lastProgress: Int64

  /// - Parameters:
  ///   - limits: Those of the fetch.
  ///   - spent: Milliseconds that the hops before this one took: the total is for all of them.
  ///   - now: The time.
  init(limits: FetchLimits, spent: Int64 = 0, now: Int64) {
    firstByteTimeout = Int64(limits.firstByteTimeout)
    totalTimeout = max(Int64(limits.totalTimeout) - spent, 1)
    window = Int64(limits.lowSpeedSeconds) * 1000
    bytesPerWindow = limits.lowSpeed * limits.lowSpeedSeconds
    start = now
    windowStart = now
    lastProgress = now
  }

  mutating func received(_ count: Int, now: Int64) {
    if !hasFirstByte {
      hasFirstByte = true
      windowStart = now
    }
    lastProgress = now
    windowBytes += count
    if windowBytes >= bytesPerWindow {
      windowStart = now
      windowBytes = 0
    }
  }

  /// Pauses are our doing and cost the transfer nothing.
  mutating func paused(now: Int64) {
    if pausedSince == nil { pausedSince = now }
  }

  mutating func resumed(now: Int64) {
    guard let since = pausedSince else { return }
    pausedSince = nil
    start += now - since
    windowStart += now - since
    lastProgress = now
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
