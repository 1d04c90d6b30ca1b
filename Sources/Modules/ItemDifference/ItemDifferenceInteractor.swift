public import NewsCore

/// Shows what the last edit of an item changed.
public struct ItemDifferenceInteractor: Interactor {
  private let news: any ItemReading
  private let versions: any ItemVersionReading
  private let presenter = ItemDifferencePresenter()

  public init(news: any ItemReading, versions: any ItemVersionReading) {
    self.news = news
    self.versions = versions
  }

  public func respond(to id: NewsItem.ID, emit: @escaping Emit<ItemDifferenceViewModel>) async throws {
    try emit(presenter.difference(try await versions.versions(of: id), present: try await news.item(id)))
  }
}
