import NewsHTTP
import NewsCore
import NewsToolbox

/// The names of streams in the Google Reader API.
enum StreamName: Hashable {
  /// `user/…/state/com.google/NAME`
  case state(String)
  /// `user/…/label/NAME`: a folder, a label on items, or a saved search.
  case label(String)
  /// `feed/ID` or `feed/URL`
  case feed(String)

  /// True for feeds, folders, labels and searches, which the catalog has.
  var isListed: Bool { if case .state = self { false } else { true } }

  static let readingList = "user/-/state/com.google/reading-list"
  static let read = "user/-/state/com.google/read"
  static let starred = "user/-/state/com.google/starred"

  static func label(named name: String) -> String { "user/-/label/" + name }
  static func feed(_ id: Feed.ID) -> String { "feed/\(id.rawValue)" }

  /// Returns nil for text that is not the name of a stream. Ignores the user's id between `user/` and the
  /// next slash.
  init?(_ text: String) {
    if text.hasPrefix(bytesOf: "feed/") {
      self = .feed(String(text.slice(5...)))
      return
    }
    guard text.hasPrefix(bytesOf: "user/"), let (_, rest) = text.slice(5...).cut(atFirst: "/") else {
      return nil
    }
    let state = "state/com.google/"
    if rest.hasPrefix(bytesOf: state) {
      self = .state(String(rest.slice(state.utf8.count...)))
    } else if rest.hasPrefix(bytesOf: "label/") {
      self = .label(String(rest.slice(6...)))
    } else {
      return nil
    }
  }

  /// The items of the stream; nil if the feed, folder, label, search or state does not exist.
  func stream(_ streams: SyncStreams, _ catalog: SyncCatalog) async throws -> ItemStream? {
    switch self {
    case .state("reading-list"): .all
    case .state("read"): .read
    case .state("unread"): .unread
    case .state("starred"): .starred
    case .state: nil
    case .label(let name): try await streams.items(named: name, catalog)
    case .feed(let name): feed(name, catalog).map { .feeds([$0.id]) }
    }
  }

  /// The feed with this name; nil for other streams and feeds that do not exist.
  func feed(_ catalog: SyncCatalog) -> Feed? {
    guard case .feed(let name) = self else { return nil }
    return feed(name, catalog)
  }

  private func feed(_ name: String, _ catalog: SyncCatalog) -> Feed? {
    if let number = HTTPParameters.number(name) { return catalog.feed(Feed.ID(rawValue: number)) }
    return catalog.feed(url: name)
  }
}
