import NewsSearch
import NewsCore

/// Formats each word with the offsets in the text of its first byte and of the byte after it.
struct TokensPresenter: Presenting {
  typealias ViewModel = TokensViewModel

  func present(_ tokens: [Token]) -> Container<TokensViewModel> {
    .ready(
      TokensViewModel(
        lines: tokens.map { token in
          let place = "\(token.start)\t\(token.end)\t\(token.isColocated ? "+" : "")"
          return DisplayText(unchecked: "\(DisplayText(line: token.text).string)\t\(place)")
        }
      )
    )
  }
}
