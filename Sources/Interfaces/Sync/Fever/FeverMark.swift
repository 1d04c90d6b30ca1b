import NewsHTTP
import NewsCore
import NewsToolbox

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
    case ("item", "read"): self = .item(NewsItem.ID(rawValue: id), .read)
    case ("item", "unread"): self = .item(NewsItem.ID(rawValue: id), .unread)
    case ("item", "saved"): self = .item(NewsItem.ID(rawValue: id), .starred)
    case ("item", "unsaved"): self = .item(NewsItem.ID(rawValue: id), .unstarred)
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

/// The numbers of groups. Fever identifies folders by numbers; newsd derives them from the names, so that
/// they are the same in every answer.
enum FeverIDs {
  static func group(_ folder: String) -> Int64 {
    var hash = FNV1a<UInt64>()
    folder.withBytes { hash.add($0) }
    return Int64(hash.value % 0x7FFF_FFFE) + 1
  }

  /// Returns the items of a feed or folder; nil if it does not exist.
  static func stream(_ target: FeverMark.Target, _ catalog: SyncCatalog) -> ItemStream? {
    switch target {
    case .feed(let id): catalog.feed(Feed.ID(rawValue: id)).map { .feeds([$0.id]) }
    case .group(0): .all
    case .group(let id):
      catalog.folders.first { group($0) == id }.map { .feeds(catalog.feeds(in: $0).map(\.id)) }
    }
  }
}
