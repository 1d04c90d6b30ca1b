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
    // Recent searches continue the whole text, not only its last word.
    let recent = names.recent.filter { $0 != typed && $0.lowercased().hasPrefix(bytesOf: typed.lowercased()) }
    let kinds = [
      names.feeds.map { Suggestion(.feed($0.id), $0.title) },
      Set(names.folders).sorted().map { Suggestion(.folder, $0) },
      names.labels.map { Suggestion(.label, $0) },
      names.saved.map { Suggestion(.saved, $0) },
    ]
    let texts = [typed.trimmingBlanks.lowercased(), word.lowercased()]
    let found = kinds.flatMap { kind in
      Self.ranked(kind.compactMap { Self.match($0, texts) }).prefix(Self.limit)
    }
    let all =
      Self.ranked(found).map { $0.suggestion } + recent.prefix(Self.limit).map { Suggestion(.recent, $0) }
    return .ready(SuggestionsViewModel(all: all))
  }

  /// A suggestion, and how well its name fits: 0 is the best.
  private typealias Match = (rank: Int, suggestion: Suggestion)

  /// Numbers of ranks for a text: the whole name, its beginning, the beginning of a word, elsewhere.
  private static let ranks = 4

  /// The matches with the best first, otherwise in their order.
  private static func ranked(_ matches: [Match]) -> [Match] {
    (0..<2 * ranks).flatMap { rank in matches.filter { $0.rank == rank } }
  }

  /// The whole text counts more than its last word. A folder is known by its own name, too.
  private static func match(_ suggestion: Suggestion, _ texts: [String]) -> Match? {
    let name = suggestion.name.lowercased()
    var names = [name]
    if suggestion.kind == .folder, let last = name.cut(atLast: "/")?.after { names.append(String(last)) }
    for (turn, text) in texts.enumerated() {
      if let rank = names.compactMap({ Self.rank(of: $0, text) }).min() {
        return (rank: turn * ranks + rank, suggestion: suggestion)
      }
    }
    return nil
  }

  /// The rank of a name that contains the text; nil: it does not.
  private static func rank(of name: String, _ text: String) -> Int? {
    if name.isEqual(bytesOf: text) { return 0 }
    if name.hasPrefix(bytesOf: text) { return 1 }
    guard name.contains(bytesOf: text) else { return nil }
    let scalars = name.unicodeScalars
    let beginsWord = zip(scalars.indices, scalars.indices.dropFirst()).contains { before, at in
      let sign = scalars[before].properties
      return !sign.isAlphabetic && sign.numericType == nil && name[at...].hasPrefix(bytesOf: text)
    }
    return beginsWord ? 2 : 3
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
