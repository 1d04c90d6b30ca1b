import NewsCore

/// Splits a text into words.
public struct TokensInteractor: Interactor {
  private let presenter = TokensPresenter()

  public init() {}

  public func run(_ route: TokensRoute, emit: @escaping Emit<TokensViewModel>) async throws {
    try await presenter.emittingFailures(to: emit) {
      let mode: WordTokenizer.Mode = route.isQuery ? .query : .document
      try emit(presenter.present(WordTokenizer.tokens(of: route.text, mode: mode)))
    }
  }
}
