import NewsSearch
import NewsCore

/// Presents names as candidates, without names that cannot be typed.
struct CompletionPresenter: Presenting {
  typealias ViewModel = CompletionViewModel

  func present(_ route: CompletionRoute, names: Set<String>) -> Container<CompletionViewModel> {
    // `DisplayText` replaces characters that cannot be typed.
    let names = names.filter { !$0.isEmpty && DisplayText(line: $0).string == $0 }.sorted()
    return switch route {
    case .nothing: ready(.nothing)
    case .files(let prefix): ready(.files, prefix)
    case .directories(let prefix): ready(.directories, prefix)
    case .choices(let choices): ready(.words, "", choices)
    case .unfinishedChoices(let choices): ready(.unfinishedWords, "", choices)
    case .names(_, let prefix): ready(.words, prefix, names.map { CompletionCandidate(text: $0) })
    case .queryNames(_, let prefix):
      ready(.words, prefix, names.map { CompletionCandidate(text: QueryWord.quoted($0)) })
    }
  }

  private func ready(
    _ kind: CompletionViewModel.Kind,
    _ prefix: String = "",
    _ candidates: [CompletionCandidate] = []
  ) -> Container<CompletionViewModel> {
    .ready(CompletionViewModel(kind: kind, prefix: prefix, candidates: candidates))
  }
}
