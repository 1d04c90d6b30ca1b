import Modules
public import NewsCore

/// The title and identity of a whole document: the feed, page or mailbox that holds the items.
public struct OutputDocument: Hashable, Sendable {
  public var title: String
  /// What it is, in words that stay the same however often it is made: feed readers know it again by a name made of
  /// this.
  public var identity: String
  /// The page that the document belongs to, for formats that ask for one.
  public var homeURL: String
  /// When it was made.
  public var time: Timestamp

  /// - Parameters:
  ///   - title: For people.
  ///   - identity: What it is; nil: its title says that.
  ///   - homeURL: The page that it belongs to.
  ///   - time: When it was made.
  public init(
    title: String = "newsd",
    identity: String? = nil,
    homeURL: String = "https://newsd.invalid/",
    time: Timestamp
  ) {
    self.title = title
    self.identity = identity ?? title
    self.homeURL = homeURL
    self.time = time
  }
}
