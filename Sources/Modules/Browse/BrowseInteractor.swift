public import NewsCore

/// Opens the web pages of items in the user's browser.
public struct BrowseInteractor: Interactor {
  private let news: any ItemReading
  private let open: @Sendable (String) throws -> Void

  /// - Parameters:
  ///   - news: Finds the items.
  ///   - open: Opens a link.
  public init(news: any ItemReading, open: @escaping @Sendable (String) throws -> Void) {
    self.news = news
    self.open = open
  }

  public func respond(to ids: [NewsItem.ID], emit: @escaping Emit<Outcome>) async throws {
    // All links are found before the first page opens.
    var links: [String] = []
    for id in ids {
      guard let url = try await news.item(id).url, WebAddress(url)?.isWeb == true else {
        throw UserMessage(code: .notFound, text: "item \(id.rawValue) has no link on the web")
      }
      links.append(url)
    }
    for link in links { try open(link) }
    try emit(.outcome())
  }
}
