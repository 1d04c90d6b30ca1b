import NewsCore

/// Formats each word with its first and last byte in the text.
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
