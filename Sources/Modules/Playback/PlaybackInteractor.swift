public import NewsCore

/// How far a recording of an item has been played.
public struct PlaybackRequest: Hashable, Sendable {
  public var item: NewsItem.ID
  /// The number of the enclosure within the item.
  public var number: Int64
  /// The time at which playing continues, in seconds; nil: unchanged.
  public var position: Int64?
  /// True: it was played to its end.
  public var isPlayed: Bool
  /// True: the item is also marked read.
  public var marksRead: Bool

  public init(
    item: NewsItem.ID,
    number: Int64,
    position: Int64?,
    isPlayed: Bool = false,
    marksRead: Bool = false
  ) {
    self.item = item
    self.number = number
    self.position = position
    self.isPlayed = isPlayed
    self.marksRead = marksRead
  }
}

/// Stores how far a recording has been played, and marks its item read if asked to.
public struct PlaybackInteractor: Interactor {
  private let enclosures: any EnclosureKeeping & ItemMarking
  private let clock: any WallClock

  public init(enclosures: any EnclosureKeeping & ItemMarking, clock: any WallClock) {
    self.enclosures = enclosures
    self.clock = clock
  }

  public func respond(to request: PlaybackRequest, emit: @escaping Emit<Outcome>) async throws {
    try await enclosures.changeEnclosure(
      request.number,
      of: request.item,
      position: request.position,
      isPlayed: request.isPlayed ? true : nil,
      at: clock.now()
    )
    if request.marksRead { _ = try await enclosures.mark([request.item], .read) }
    try emit(.ready(Outcome([])))
  }
}
