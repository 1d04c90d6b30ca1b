public import NewsCore

/// The filter and order of a list of feeds.
public struct FeedSelection: Hashable, Sendable {
  /// The sort order; feeds with equal keys keep the user's order.
  public enum Order: String, Hashable, Sendable, CaseIterable {
    /// The user's order.
    case position
    case title
    /// Most unread items first.
    case unread
    /// Latest fetch first.
    case last
    /// Most failures in a row first.
    case failures
  }

  /// Folders whose feeds are selected, subfolders included; empty: all feeds.
  public var folders: [String]
  public var hasUnread: Bool
  public var isFailing: Bool
  public var order: Order
  /// Selects this part instead, in its own order; nil: the whole list.
  public var window: FeedWindow?
  /// True: the names of all folders are wanted too.
  public var namesFolders = false

  public init(
    folders: [String] = [],
    hasUnread: Bool = false,
    isFailing: Bool = false,
    order: Order = .position
  ) {
    self.folders = folders
    self.hasUnread = hasUnread
    self.isFailing = isFailing
    self.order = order
  }

  /// A part of the list, for interfaces that show it page by page.
  public init(_ window: FeedWindow, namesFolders: Bool = false) {
    self.init()
    self.window = window
    self.namesFolders = namesFolders
  }

  /// True if all feeds are selected.
  public var isComplete: Bool { folders.isEmpty && !hasUnread && !isFailing && window == nil }
}
