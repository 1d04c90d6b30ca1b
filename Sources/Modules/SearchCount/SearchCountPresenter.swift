/// Presents the number of matches.
struct SearchCountPresenter: Presenting {
  typealias ViewModel = SearchCountViewModel

  func present(_ count: Int) -> Container<SearchCountViewModel> { .ready(SearchCountViewModel(count: count)) }
}
