public import NewsCore

/// Opens the web pages of items in the user's browser.
public struct BrowseInteractor: Interactor {
  private let news: any ItemReading
  private let open: @Sendable (String) throws -> Void
  private let presenter = BrowsePresenter()

  public init(news: any ItemReading, open: @escaping @Sendable (String) throws -> Void) {
    self.news = news
    self.open = open
  }

  public func respond(to ids: [NewsItem.ID], emit: @escaping Emit<BrowseViewModel>) async throws {
    // All links are found before the first page opens.
    var links: [String] = []
    for id in ids {
      guard let url = try await news.item(id).url, WebAddress(url)?.isWeb == true else {
        return try emit(presenter.missingLink(of: id))
      }
      links.append(url)
    }
    for link in links { try open(link) }
    try emit(presenter.present(links))
  }
}
