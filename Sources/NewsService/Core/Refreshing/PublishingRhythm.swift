/// Estimates when a feed will publish its next item from its earlier publication times.
///
/// Publication is modelled as a rate that depends on the hour of the day. The next poll comes when half an item is
/// expected: a steady feed is polled about twice per item, and nightly pauses and daily editions are taken into
/// account.
public struct PublishingRhythm: Sendable {
  /// Items per hour, by hour of the day in UTC; nil when there are too few times.
  private let rates: [Double]?
  private let now: Timestamp
  /// Seconds since the newest item; nil without items.
  private let silence: Int64?

  /// Maximum number of times used; older ones are ignored.
  public static let usefulTimes = 50

  /// The times may have any order; those in the future are ignored.
  public init(times: [Timestamp], now: Timestamp) {
    self.now = now
    let past = times.filter { $0 <= now }.sorted(by: >).prefix(Self.usefulTimes)
    silence = past.first.map { now - $0 }
    // Items published within 5 minutes count as one publication.
    var moments: [Timestamp] = []
    for time in past where moments.last.map({ $0 - time >= 300 }) ?? true { moments.append(time) }
    guard let newest = moments.first, let oldest = moments.last, moments.count > 1 else {
      rates = nil
      return
    }
    let span = Double(newest - oldest)
    if moments.count >= 12, span >= 3 * 86_400 {
      rates = Self.profile(moments, mean: Double(moments.count - 1) / span * 3600)
    } else {
      let gaps = zip(moments, moments.dropFirst()).map { $0 - $1 }.sorted()
      rates = [Double](repeating: 3600 / Double(gaps[gaps.count / 2]), count: 24)
    }
  }

  /// Rates per hour of the day with the average `mean`: counted, smoothed over neighbouring hours, never zero.
  private static func profile(_ moments: [Timestamp], mean: Double) -> [Double] {
    var counts = [Double](repeating: 0, count: 24)
    for moment in moments { counts[moment.civil().hour] += 1 }
    let total = Double(moments.count)
    return (0..<24).map { hour in
      let smooth = counts[hour] / 2 + counts[(hour + 23) % 24] / 4 + counts[(hour + 1) % 24] / 4
      return mean * (0.15 + 0.85 * smooth * 24 / total)
    }
  }

  /// Seconds until half an item is expected, at most two days. Without a rhythm it is `unknown`, or a quarter of the
  /// time since the newest item if that is longer.
  public func wait(unknown: Int64) -> Int64 {
    guard let rates, let silence else { return max(unknown, min((silence ?? 0) / 4, 2 * 86_400)) }
    // If more than two expected items are missing, the feed has slowed down or stopped: lower the rate.
    let owed = expected(rates, over: silence)
    let slowdown = owed > 2 ? 2 / owed : 1
    var missing = 0.5
    var time = now.seconds
    let end = time + 2 * 86_400
    while time < end {
      let rate = rates[Timestamp(seconds: time).civil().hour] * slowdown / 3600
      let step = 3600 - Self.secondOfHour(time)
      if rate * Double(step) >= missing { return time - now.seconds + Int64(missing / rate) }
      missing -= rate * Double(step)
      time += step
    }
    return 2 * 86_400
  }

  /// Returns the number of items expected in the last `silence` seconds.
  private func expected(_ rates: [Double], over silence: Int64) -> Double {
    let perDay = rates.reduce(0, +)
    var sum = perDay * Double(silence / 86_400)
    var time = now.seconds
    let start = time - silence % 86_400
    while time > start {
      let into = Self.secondOfHour(time)
      let step = min(into == 0 ? 3600 : into, time - start)
      sum += rates[Timestamp(seconds: time - 1).civil().hour] * Double(step) / 3600
      time -= step
    }
    return sum
  }

  private static func secondOfHour(_ time: Int64) -> Int64 {
    let second = time % 3600
    return second < 0 ? second + 3600 : second
  }
}
