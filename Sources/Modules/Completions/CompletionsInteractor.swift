import NewsSearch
public import NewsCore

/// Finds the words that can replace the last word of a command line.
public struct CompletionsInteractor: Interactor {
  public typealias Store = FeedKeeping & DefinitionKeeping & ItemReading

  private let store: @Sendable () throws(StoreError) -> any Store
  private let presenter = CompletionsPresenter()

  /// `store` opens the store; called only to complete names.
  public init(store: @escaping @Sendable () throws(StoreError) -> any Store) {
    self.store = store
  }

  public func respond(to request: CompletionsRequest, emit: @escaping Emit<CompletionsViewModel>) async throws
  {
    switch request {
    case .names(let kind, _), .queryNames(let kind, _):
      try emit(presenter.present(request, names: try await names(kind)))
    default: try emit(presenter.present(request, names: []))
    }
  }

  /// Names from the store; none if there is no store.
  private func names(_ kind: CompletionsRequest.Names) async throws(StoreError) -> Set<String> {
    do {
      return try await names(kind, try store())
    } catch  where error.code == .missing {
      return []
    }
  }

  private func names(
    _ kind: CompletionsRequest.Names,
    _ store: any Store
  ) async throws(StoreError) -> Set<String> {
    switch kind {
    case .searches: return Set(try await store.savedSearches().map(\.name))
    case .labels: return Set(try await store.labelNames())
    case .feeds: return Set(try await store.feeds().map(\.title))
    case .feedsAndSearches:
      return Set(try await store.feeds().map(\.title)).union(try await store.savedSearches().map(\.name))
    case .folders:
      var names: Set<String> = []
      for case let folder? in try await store.feeds().map(\.folder) {
        // A folder includes its subfolders, so each parent is a name, too.
        names.formUnion(FolderPath.chain(of: folder))
      }
      return names
    }
  }
}

/// The kind of words that can replace the last word of a command line. `prefix` is the kept part of the typed word:
/// `--feed=`, `id,title,`.
public enum CompletionsRequest: Hashable, Sendable {
  public enum Names: Hashable, Sendable { case feeds, feedsAndSearches, searches, folders, labels }

  case nothing
  case choices([CompletionCandidate])
  /// Like `choices`, but the word may continue after a choice, as after a comma or an equals sign.
  case unfinishedChoices([CompletionCandidate])
  case files(prefix: String)
  case directories(prefix: String)
  /// Names from the store.
  case names(Names, prefix: String)
  /// Names from the store as values of a query field, quoted for the query language.
  case queryNames(Names, prefix: String)
}

/// A word to offer.
public struct CompletionCandidate: Hashable, Sendable {
  public var text: String
  /// A description, for shells that show one.
  public var note: String

  public init(text: String, note: String = "") {
    self.text = text
    self.note = note
  }
}

/// Presents names as candidates, without names that cannot be typed.
struct CompletionsPresenter {
  func present(_ request: CompletionsRequest, names: Set<String>) -> Container<CompletionsViewModel> {
    // `DisplayText` replaces characters that cannot be typed.
    let names = names.filter { !$0.isEmpty && DisplayText(line: $0).string == $0 }.sorted()
    return switch request {
    case .nothing: ready(.nothing)
    case .files(let prefix): ready(.files, prefix)
    case .directories(let prefix): ready(.directories, prefix)
    case .choices(let choices): ready(.words, "", choices)
    case .unfinishedChoices(let choices): ready(.unfinishedWords, "", choices)
    case .names(_, let prefix): ready(.words, prefix, names.map { CompletionCandidate(text: $0) })
    case .queryNames(_, let prefix):
      ready(.words, prefix, names.map { CompletionCandidate(text: QueryWord.quoted($0)) })
    }
  }

  private func ready(
    _ kind: CompletionsViewModel.Kind,
    _ prefix: String = "",
    _ candidates: [CompletionCandidate] = []
  ) -> Container<CompletionsViewModel> {
    .ready(CompletionsViewModel(kind: kind, prefix: prefix, candidates: candidates))
  }
}

/// The candidates for the last word of a command line.
public struct CompletionsViewModel: ScreenContent {
  /// The shell either offers the words, or completes file names itself.
  public enum Kind: String, Hashable, Sendable {
    case nothing, words, files, directories
    /// Words after which the typed word may continue.
    case unfinishedWords = "open"
  }

  public var kind: Kind
  /// The text to put before each candidate.
  public var prefix: String
  public var candidates: [CompletionCandidate]
  public var rowCount: Int { candidates.count }
}
