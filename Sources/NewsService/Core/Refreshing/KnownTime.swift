import NewsToolbox

/// What a store knows of the time, so that a clock that is wrong for a while removes nothing. A pure value.
public struct KnownTime: Hashable, Sendable {
  /// The last time of the clock that was believed.
  public private(set) var believed: Timestamp
  /// When the clock first showed a time far from the believed one; if newsd did not run for long after that, also when it
  /// first ran again.
  private var sightings: [Timestamp] = []

  /// Maximum difference between the clock and the believed time, in seconds.
  static let tolerance: Int64 = 7 * 86_400
  /// Seconds after which another time is believed, too.
  static let proof: Int64 = 86_400
  /// Seconds after which another time is believed if two earlier runs had shown it, too. A machine may never run for a day.
  static let shortProof: Int64 = 3600
  /// Maximum pause between two such runs, in seconds.
  static let longestPause: Int64 = 100 * 86_400

  public init(believed: Timestamp) { self.believed = believed }

  /// Takes note of the clock's time. Returns nil if it is believed, otherwise when it will be.
  public mutating func note(_ now: Timestamp) -> Timestamp? {
    if now.distance(to: believed) > Self.tolerance {
      let pause = sightings.last.map { now - $0 } ?? -1
      if !(0...Self.tolerance).contains(pause) {
        sightings = (0...Self.longestPause).contains(pause) ? sightings.suffix(2) + [now] : [now]
      }
      let proof = sightings.count > 2 ? Self.shortProof : Self.proof
      if let end = sightings.last.map({ $0 + proof }), now < end { return end }
    }
    believed = now
    sightings = []
    return nil
  }

  /// The text that a store keeps: all times.
  public var stored: String {
    ([believed] + sightings).map { String($0.seconds) }.joined(separator: " ")
  }

  /// Returns nil for another text.
  public init?(stored: String) {
    let times = stored.split(ascii: " ").compactMap { Int64($0).map(Timestamp.init(seconds:)) }
    guard let first = times.first else { return nil }
    believed = first
    sightings = Array(times.dropFirst())
  }
}
