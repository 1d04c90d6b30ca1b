import NewsHTTP
import NewsCore

/// A change that a Fever client makes.
enum FeverMark {
  enum Target {
    case feed(Int64)
    /// The feeds of a folder; 0: all items.
    case group(Int64)
  }

  case item(NewsItem.ID, ItemMark)
  /// Marks the items that arrived until a time, in microseconds, as read.
  case read(Target, until: Int64)

  /// Reads the mark of a request. Nil if the mark is missing or unknown: clients do not expect an error then.
  init?(_ parameters: HTTPParameters) {
    guard let id = parameters.first("id").flatMap({ Int64($0) }) else { return nil }
    let state = parameters.first("as")
    switch (parameters.first("mark"), state) {
    case ("item", "read"): self = .item(ItemNumbers.id(id), .read)
    case ("item", "unread"): self = .item(ItemNumbers.id(id), .unread)
    case ("item", "saved"): self = .item(ItemNumbers.id(id), .starred)
    case ("item", "unsaved"): self = .item(ItemNumbers.id(id), .unstarred)
    case ("feed", "read"):
      guard let until = Self.bound(parameters) else { return nil }
      self = .read(.feed(id), until: until)
    case ("group", "read"):
      guard let until = Self.bound(parameters) else { return nil }
      self = .read(.group(id), until: until)
    default: return nil
    }
  }

  /// Converts `before` from seconds to microseconds. Without it, or with 0, there is no bound. Nil if it is not a
  /// number.
  private static func bound(_ parameters: HTTPParameters) -> Int64? {
    guard let text = parameters.first("before"), !text.isEmpty, text != "0" else { return .max }
    return HTTPParameters.number(text).map { StreamParameters.arrival($0) }
  }
}

/// The groups and streams of Fever.
enum FeverGroups {
  struct Group {
    var id: Int64
    var title: String
    var feeds: [Feed]
  }

  /// The folders, and a group of the feeds without a folder: some clients fail at a feed in no group.
  static func groups(_ catalog: SyncCatalog) -> [Group] {
    var groups = catalog.folders.map {
      Group(id: catalog.paths.number(of: $0), title: catalog.paths.shown($0), feeds: catalog.feeds(in: $0))
    }
    let others = catalog.feeds.filter { $0.folder == nil }
    if !others.isEmpty { groups.append(Group(id: FolderNumbers.none, title: "Unsorted", feeds: others)) }
    return groups
  }

  /// Returns the items of a feed or folder; nil if it does not exist.
  static func stream(_ target: FeverMark.Target, _ catalog: SyncCatalog) -> ItemStream? {
    switch target {
    case .feed(let id): catalog.feed(Feed.ID(rawValue: id)).map { .feeds([$0.id]) }
    case .group(0): .all
    case .group(let id): groups(catalog).first { $0.id == id }.map { .feeds($0.feeds.map(\.id)) }
    }
  }
}
