public import NewsCore

/// Lists recent searches, newest first.
public struct SearchHistoryInteractor: Interactor {
  private let history: any DefinitionKeeping

  public init(history: any DefinitionKeeping) { self.history = history }

  /// Emits the newest `limit` searches.
  public func respond(to limit: Int, emit: @escaping Emit<RecordList<String>>) async throws {
    let lines = try await history.recentSearches(limit: limit).map { RecordLine($0, $0) }
    try emit(.ready(RecordList(lines, nothing: "no searches yet", failsIfEmpty: true)))
  }
}
