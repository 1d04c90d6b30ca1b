public import NewsCore

/// Finds the words that can replace the last word of a command line.
public struct CompletionInteractor: Interactor {
  public typealias Store = FeedReading & SavedSearchKeeping

  private let store: @Sendable () throws(StoreError) -> any Store
  private let presenter = CompletionPresenter()

  /// `store` opens the store; called only to complete names.
  public init(store: @escaping @Sendable () throws(StoreError) -> any Store) {
    self.store = store
  }

  public func respond(to route: CompletionRoute, emit: @escaping Emit<CompletionViewModel>) async throws {
    switch route {
    case .names(let kind, _), .queryNames(let kind, _):
      try emit(presenter.present(route, names: try await names(kind)))
    default: try emit(presenter.present(route, names: []))
    }
  }

  /// Names from the store; none if there is no store.
  private func names(_ kind: CompletionRoute.Names) async throws(StoreError) -> Set<String> {
    do {
      return try await names(kind, try store())
    } catch  where error.code == .missing {
      return []
    }
  }

  private func names(_ kind: CompletionRoute.Names, _ store: any Store) async throws(StoreError) -> Set<
    String
  > {
    switch kind {
    case .searches: return Set(try await store.savedSearches().map(\.name))
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
