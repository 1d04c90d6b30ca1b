/// A picture in the media store.
public struct PictureReference: Hashable, Sendable {
  /// The number by which Miniflux and Fever name the picture. Another picture has another number.
  public var id: Int64
  /// The beginning of the name in the picture's address, which cannot be guessed.
  public var token: String
  public var type: PictureType

  public init(id: Int64, token: String, type: PictureType) {
    self.id = id
    self.token = token
    self.type = type
  }
}

/// A picture with its bytes.
public struct Picture: Hashable, Sendable {
  public var reference: PictureReference
  public var bytes: [UInt8]

  public init(_ reference: PictureReference, bytes: [UInt8]) {
    self.reference = reference
    self.bytes = bytes
  }
}

/// What the media store knows of a feed's icon.
public struct IconState: Hashable, Sendable {
  /// A hash of the feed's URL: the number of a feed may belong to another feed if the store was replaced.
  public var feedHash: Int64
  /// The address that the feed's document named when the icon was looked up.
  public var named: String?
  /// When the icon is looked up again.
  public var due: Timestamp
  /// The validators of the picture, with its address.
  public var validators: Validators?
  public var picture: PictureReference?

  public init(feedHash: Int64, due: Timestamp) {
    self.feedHash = feedHash
    self.due = due
  }
}

/// The result of looking up a feed's icon.
public struct IconRecord: Sendable {
  public enum Outcome: Sendable {
    /// A picture, and the validators of the response.
    case found(Picture, Validators)
    /// The server answered 304, or could not be reached: the feed keeps the picture that it has.
    case unchanged
    /// There is no usable picture.
    case missing
  }

  public var feedID: Feed.ID
  public var feedHash: Int64
  public var named: String?
  public var due: Timestamp
  public var outcome: Outcome

  public init(feedID: Feed.ID, feedHash: Int64, named: String?, due: Timestamp, outcome: Outcome) {
    self.feedID = feedID
    self.feedHash = feedHash
    self.named = named
    self.due = due
    self.outcome = outcome
  }
}

/// A picture of an item's text that the media store keeps.
public struct KeptPicture: Hashable, Sendable {
  /// The feed whose item refers to the address.
  public var feed: Feed.ID
  /// The publisher's address.
  public var url: String
  public var type: PictureType
  public var bytes: [UInt8]

  public init(feed: Feed.ID, url: String, type: PictureType, bytes: [UInt8]) {
    self.feed = feed
    self.url = url
    self.type = type
    self.bytes = bytes
  }
}

/// Keeps pictures. Everything in the media store can be fetched again, so it is not part of a backup.
public protocol MediaKeeping: Sendable {
  /// Throws `full` if the disk has so little room that it must be left to the news.
  func requireRoom() async throws(StoreError)
  /// Returns the icons of feeds; feeds without an icon are left out.
  func icons(of feeds: [Feed.ID]) async throws(StoreError) -> [Feed.ID: PictureReference]
  func iconStates(of feeds: [Feed.ID]) async throws(StoreError) -> [Feed.ID: IconState]
  /// Stores the result of a look-up. A new picture is left out if the bytes of all pictures would exceed
  /// `limit`. Deletes the former picture if no other feed has it.
  func keep(_ record: IconRecord, limit: Int64) async throws(StoreError)
  func picture(token: String) async throws(StoreError) -> Picture?
  func picture(id: Int64) async throws(StoreError) -> Picture?
  /// Deletes the icons of removed feeds: they were due before `time` and nevertheless not looked up.
  func removeIcons(dueBefore time: Timestamp) async throws(StoreError)
  /// Returns icons in the form in which they can be stored elsewhere, in the order of the feeds' numbers: those after
  /// `feed`, or the first ones.
  func records(after feed: Feed.ID?, limit: Int) async throws(StoreError) -> [IconRecord]

  // MARK: Pictures of items

  /// Returns the sizes of the kept pictures of a feed, by their addresses.
  func keptSizes() async throws(StoreError) -> [Feed.ID: [String: Int]]
  func keptPicture(_ url: String, of feed: Feed.ID) async throws(StoreError) -> KeptPicture?
  func keep(_ picture: KeptPicture) async throws(StoreError)
  func removeKept(_ pictures: [Feed.ID: [String]]) async throws(StoreError)
  /// Returns the bytes of all icons.
  func iconBytes() async throws(StoreError) -> Int64
}

extension MediaKeeping {
  /// Copies all icons to another media store.
  public func copy(to other: any MediaKeeping) async throws(StoreError) {
    var last: Feed.ID?
    repeat {
      let records = try await records(after: last, limit: 20)
      for record in records { try await other.keep(record, limit: .max) }
      last = records.last?.feedID
    } while last != nil
  }
}

/// Knows the addresses of pictures that the documents of feeds name.
public protocol IconNaming: Sendable {
  func namedIcons(of feeds: [Feed.ID]) async throws(StoreError) -> [Feed.ID: String]
}

/// Finds the icons of a web page.
public protocol IconFinding: Sendable {
  /// Returns the addresses of the icons that the page names, best first.
  func icons(inPage document: FeedDocument) -> [String]
}
