public import NewsCore

/// Lists the versions of an item that its feed has edited.
public struct ItemVersionsInteractor: Interactor {
  private let news: any ItemReading
  private let versions: any ItemVersionReading
  private let presenter = ItemVersionsPresenter()

  public init(news: any ItemReading, versions: any ItemVersionReading) {
    self.news = news
    self.versions = versions
  }

  /// Emits all versions, oldest first; the current one is last.
  public func respond(to id: NewsItem.ID, emit: @escaping Emit<ItemVersionsViewModel>) async throws {
    try emit(presenter.list(try await versions.versions(of: id), present: try await news.item(id)))
  }
}
