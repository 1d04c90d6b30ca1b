import NewsCore

/// The time limits of one hop. Times are milliseconds of any monotonic clock, passed in as arguments.
///
/// libcurl's own limits are unsuitable: libcurl has no limit for the time to the first byte, counts that time as low
/// speed, and does not stop its clock while a transfer is paused for memory.
struct TransferClock {
  enum Verdict: Hashable {
    /// No limit is exceeded yet; none will be before `until`.
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
  private let begun: Int64
  private var windowStart: Int64
  private var windowBytes = 0
  private var hasFirstByte = false
  private var pausedSince: Int64?
  /// The time when bytes were last received.
  private(set) var lastProgress: Int64
  /// The time since which fewer than `livelyBytes` have been received.
  private var slowSince: Int64
  private var recentBytes = 0

  /// A transfer that receives fewer than `livelyBytes` in `stallTime` milliseconds is stalled and frees its slot.
  static let stallTime: Int64 = 1500
  static let livelyBytes = 4 << 10
  /// Milliseconds after which a transfer frees its slot, whatever its throughput.
  static let slotTime: Int64 = 5000
  /// Minimum throughput of a transfer that has taken longer than `slotTime`, in bytes per second. A slower one is ended
  /// when other transfers wait for the memory that it holds.
  static let hoardRate: Int64 = 32 << 10

  /// `spent` is the duration of earlier hops in milliseconds; the total timeout covers all hops.
  init(limits: FetchLimits, spent: Int64 = 0, now: Int64) {
    firstByteTimeout = Int64(limits.firstByteTimeout)
    totalTimeout = max(Int64(limits.totalTimeout) - spent, 1)
    window = Int64(limits.lowSpeedSeconds) * 1000
    bytesPerWindow = limits.lowSpeed * limits.lowSpeedSeconds
    start = now
    begun = now
    windowStart = now
    lastProgress = now
    slowSince = now
  }

  /// Returns true if the transfer must free its slot: it is stalled, or has lasted for `slotTime`. A paused
  /// transfer keeps its slot.
  func isStalled(now: Int64) -> Bool {
    pausedSince == nil && (now - slowSince >= Self.stallTime || now - start >= Self.slotTime)
  }

  /// Returns true if a transfer that holds `bytes` bytes may be ended when other transfers wait for its memory.
  func isHoarding(_ bytes: Int, now: Int64) -> Bool {
    guard pausedSince == nil, now - start >= Self.slotTime else { return false }
    return now - lastProgress >= Self.slotTime || Int64(bytes) * 1000 < Self.hoardRate * (now - start)
  }

  /// Returns true if the transfer has lasted longer than `slotTime`, with its pauses.
  func isLong(now: Int64) -> Bool { now - begun >= Self.slotTime }

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

  /// Stops the clock during a pause. newsd causes the pauses, so they do not count.
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

  func check(now: Int64) -> Verdict {
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
