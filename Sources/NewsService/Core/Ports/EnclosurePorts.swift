/// An enclosure of an item, with its number and how far it has been played.
public struct EnclosureState: Hashable, Sendable {
  public var enclosure: Enclosure
  /// The number within the item. It never changes: if the feed edits the item, new enclosures get further numbers.
  public var number: Int64
  /// The time in seconds at which playing continues.
  public var position: Int64
  public var isPlayed: Bool

  public init(_ enclosure: Enclosure, number: Int64, position: Int64 = 0, isPlayed: Bool = false) {
    self.enclosure = enclosure
    self.number = number
    self.position = position
    self.isPlayed = isPlayed
  }
}

/// Keeps how far the enclosures of items have been played.
public protocol EnclosureKeeping: Sendable {
  /// Sets the position or the mark of an enclosure; nil: it stays. Of two changes, the one with the later time counts.
  /// Throws `noSuchItem` if there is no such item or no such enclosure.
  func changeEnclosure(
    _ number: Int64,
    of id: NewsItem.ID,
    position: Int64?,
    isPlayed: Bool?,
    at time: Timestamp
  ) async throws(StoreError)
}
