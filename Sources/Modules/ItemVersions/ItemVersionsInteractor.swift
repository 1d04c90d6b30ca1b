public import NewsCore

/// Shows what an item said before its feed edited it.
public struct ItemVersionsInteractor: Sendable {
  private let news: any ItemReading
  private let versions: any ItemVersionReading
  private let presenter: ItemVersionsPresenter

  public init(
    news: any ItemReading,
    versions: any ItemVersionReading,
    presenter: ItemVersionsPresenter = ItemVersionsPresenter()
  ) {
    self.news = news
    self.versions = versions
    self.presenter = presenter
  }

  /// Emits all versions, the oldest first, the present one last.
  ///
  /// - Throws: What `emit` throws.
  public func list(_ id: NewsItem.ID, emit: Emit<ItemVersionsViewModel>) async throws {
    try emit(
      await .loaded { () async throws(StoreError) in
        presenter.list(try await versions.versions(of: id), present: try await news.item(id))
      }
    )
  }

  /// Emits what changed between the last two versions.
  ///
  /// - Throws: What `emit` throws.
  public func difference(_ id: NewsItem.ID, emit: Emit<ItemDifferenceViewModel>) async throws {
    try emit(
      await .answered { () async throws(StoreError) in
        presenter.difference(try await versions.versions(of: id), present: try await news.item(id))
      }
    )
  }
}
