import NewsCore

/// Reports an item without a web page.
struct BrowsePresenter: Presenting {
  typealias ViewModel = BrowseViewModel

  func present(_ links: [String]) -> Container<BrowseViewModel> { .ready(BrowseViewModel(links: links)) }

  func missingLink(of id: NewsItem.ID) -> Container<BrowseViewModel> {
    present(UserMessage(code: .notFound, text: "item \(id.rawValue) has no link on the web"))
  }
}
