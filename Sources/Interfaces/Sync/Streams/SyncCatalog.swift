public import NewsCore
import NewsToolbox

/// The subscriptions, folders, labels and saved searches at one moment, for looking up the names that a sync client uses.
public struct SyncCatalog: Sendable {
  /// A saved search, which clients see as a label.
  public struct Search: Hashable, Sendable {
    /// The name that clients see.
    public let name: String
    /// The name in the store.
    public let stored: String
  }

  /// All subscriptions, in the user's order.
  public let feeds: [Feed]
  /// The icons of the feeds that have one; empty unless an answer needs them.
  var icons: [Feed.ID: PictureReference] = [:]
  let paths: SyncFolders
  public let labels: [String]
  public let searches: [Search]
  private let places: [Feed.ID: Int]

  public init(_ names: StreamNames, _ separator: FolderSeparator) {
    feeds = names.feeds
    places = Dictionary(zip(feeds.map(\.id), feeds.indices)) { first, _ in first }
    paths = SyncFolders(ofFeeds: feeds.compactMap(\.folder), made: names.madeFolders, separator)
    var taken = Set(paths.names.map(separator.shown)).union(paths.names)
    labels = names.labels.filter { !taken.contains($0) }
    taken.formUnion(names.labels)
    searches = names.searches.map { search in
      var name = search.name
      while !taken.insert(name).inserted { name += " (search)" }
      return Search(name: name, stored: search.name)
    }
  }

  public var folders: [String] { paths.names }

  public func feed(_ id: Feed.ID) -> Feed? { places[id].map { feeds[$0] } }

  /// Returns the feed with this URL. Clients see URLs without passwords, so a URL without its password matches too.
  public func feed(url: String) -> Feed? {
    feeds.first { $0.url == url } ?? feeds.first { WebAddress.redacted($0.url) == url }
  }

  public func feeds(in folder: String) -> [Feed] { feeds.filter { $0.folder == folder } }

  // MARK: Names

  /// A list of items that a client calls a folder or a label.
  public enum NamedStream: Hashable, Sendable {
    case folder(String)
    case label(String)
    case search(Search)
  }

  /// Returns what has this name. A folder takes precedence over a label, and a label over a search. The names of folders
  /// may have either separator.
  public func stream(named name: String) -> NamedStream? {
    if let folder = paths.folder(named: name) { return .folder(folder) }
    if labels.contains(name) { return .label(name) }
    return searches.first { $0.name == name }.map { .search($0) }
  }

}

/// The folders at one moment. Sync protocols have no nested folders, so `News/Japan` is a separate folder.
struct SyncFolders: Sendable {
  /// In the order of their first feeds, then those without feeds.
  let names: [String]
  private let numbers: [String: Int64]
  private let separator: FolderSeparator

  /// `ofFeeds` may have a folder several times.
  init(ofFeeds: [String], made: [MadeFolder], _ separator: FolderSeparator) {
    self.separator = separator
    var seen = Set<String>()
    names = (ofFeeds + made.map(\.name)).filter { seen.insert($0).inserted }
    numbers = FolderNumbers.numbers(of: names, made)
  }

  /// The number by which Fever and Miniflux identify a folder.
  func number(of folder: String) -> Int64 { numbers[folder] ?? FolderNumbers.number(of: folder) }

  /// The name of a folder as clients see it.
  func shown(_ folder: String) -> String { separator.shown(folder) }

  /// The folder that a client names with either separator; nil: there is none.
  func folder(named name: String) -> String? {
    [name, separator.stored(name)].first(where: names.contains)
  }
}

/// The text between the names of nested folders in the sync protocols (`web.folder_separator`). Some clients show only
/// what follows the last slash.
public struct FolderSeparator: Hashable, Sendable {
  private let text: String

  public init(_ text: String = "/") { self.text = text }

  func shown(_ folder: String) -> String { folder.split(ascii: "/").joined(separator: text) }

  /// The path of a folder that a client names with either separator.
  func stored(_ name: String) -> String {
    String(
      String.UnicodeScalarView(name.unicodeScalars.replacing(text.unicodeScalars, with: "/".unicodeScalars))
    )
  }
}
