public import NewsCore
import NewsToolbox

/// Suggests feeds, folders, labels, saved and recent searches while a query is typed.
public struct SuggestionsInteractor: Interactor {
  /// The ports that this module needs.
  public typealias Store = FeedKeeping & ItemReading & DefinitionKeeping

  private let store: any Store
  private let presenter = SuggestionsPresenter()

  public init(store: any Store) { self.store = store }

  /// Suggests what the last word of the typed text begins, or occurs in; without a word, the recent and saved searches.
  public func respond(to typed: String, emit: @escaping Emit<SuggestionsViewModel>) async throws {
    let word = TypedQuery.lastWord(of: typed)
    var names = SuggestionsPresenter.Names()
    names.recent = try await store.recentSearches(limit: 50)
    names.saved = try await store.savedSearches().map(\.name)
    if !word.isEmpty {
      names.labels = try await store.labelNames()
      names.folders = try await store.folders().flatMap(FolderPath.chain)
      names.feeds = try await store.feeds().map { ($0.id, $0.title) }
    }
    try emit(presenter.present(names, typed: typed, word: word))
  }
}

/// Chooses the names that fit the typed text.
struct SuggestionsPresenter {
  /// What can be suggested.
  struct Names {
    var feeds: [(id: Feed.ID, title: String)] = []
    var folders: [String] = []
    var labels: [String] = []
    var saved: [String] = []
    var recent: [String] = []
  }

  /// Maximum number of suggestions of a kind.
  private static let limit = 5

  func present(_ names: Names, typed: String, word: String) -> Container<SuggestionsViewModel> {
    let folders = Set(names.folders).sorted()
    // Recent searches continue the whole text, not only its last word.
    let recent = names.recent.filter { $0 != typed && $0.lowercased().hasPrefix(bytesOf: typed.lowercased()) }
    let all =
      Self.matches(names.feeds, word) { $0.title }.map { Suggestion(.feed($0.id), $0.title) }
      + Self.matches(folders, word) { $0 }.map { Suggestion(.folder, $0) }
      + Self.matches(names.labels, word) { $0 }.map { Suggestion(.label, $0) }
      + Self.matches(names.saved, word) { $0 }.map { Suggestion(.saved, $0) }
      + recent.prefix(Self.limit).map { Suggestion(.recent, $0) }
    return .ready(SuggestionsViewModel(all: all))
  }

  /// The names that contain the word, in any case of letters. Names that begin with it come first.
  private static func matches<Name>(_ names: [Name], _ word: String, _ text: (Name) -> String) -> [Name] {
    let word = word.lowercased()
    var first: [Name] = []
    var others: [Name] = []
    for name in names {
      let lowered = text(name).lowercased()
      if lowered.hasPrefix(bytesOf: word) {
        first.append(name)
        if first.count == limit { break }
      } else if others.count < limit, lowered.contains(bytesOf: word) {
        others.append(name)
      }
    }
    return Array((first + others).prefix(limit))
  }
}

/// Suggestions for a typed text.
public struct SuggestionsViewModel: ScreenContent {
  public var all: [Suggestion]
  public var rowCount: Int { all.count }
}

/// A feed, folder, label or search that may be meant.
public struct Suggestion: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case feed(Feed.ID)
    case folder, label, saved, recent
  }

  public var kind: Kind
  /// The name as stored.
  public var name: String

  init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }
}
