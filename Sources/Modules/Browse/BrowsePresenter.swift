import NewsCore

/// Presents the pages that were opened, or the error for an item without a link to a web page.
struct BrowsePresenter: Presenting {
  typealias ViewModel = BrowseViewModel

  func present(_ links: [String]) -> Container<BrowseViewModel> { .ready(BrowseViewModel(links: links)) }

  func missingLink(of id: NewsItem.ID) -> Container<BrowseViewModel> {
    present(UserMessage(code: .notFound, text: "item \(id.rawValue) has no link on the web"))
  }
}
