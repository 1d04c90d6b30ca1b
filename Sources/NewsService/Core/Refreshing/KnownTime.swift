import NewsToolbox

/// What a store knows of the time, so that a clock that is wrong for a while removes nothing. A pure value.
public struct KnownTime: Hashable, Sendable {
  /// The last time of the clock that was believed.
  public private(set) var believed: Timestamp
  /// When the clock first showed a time far from the believed one; nil: it shows none.
  public private(set) var doubted: Timestamp?

  /// Maximum difference between the clock and the believed time, in seconds.
  static let tolerance: Int64 = 7 * 86_400
  /// Seconds after which another time is believed, too.
  static let proof: Int64 = 86_400

  public init(believed: Timestamp) { self.believed = believed }

  /// Takes note of the clock's time. Returns nil if it is believed, otherwise when it will be.
  public mutating func note(_ now: Timestamp) -> Timestamp? {
    if abs(now - believed) > Self.tolerance {
      guard let doubted, (0...Self.tolerance).contains(now - doubted) else {
        doubted = now
        return now + Self.proof
      }
      guard now - doubted >= Self.proof else { return doubted + Self.proof }
    }
    believed = now
    doubted = nil
    return nil
  }

  /// The text that a store keeps: both times.
  public var stored: String {
    ([believed] + [doubted].compactMap(\.self)).map { String($0.seconds) }.joined(separator: " ")
  }

  /// Returns nil for another text.
  public init?(stored: String) {
    let times = stored.split(ascii: " ").compactMap { Int64($0).map(Timestamp.init(seconds:)) }
    guard let first = times.first else { return nil }
    believed = first
    doubted = times.dropFirst().first
  }
}
