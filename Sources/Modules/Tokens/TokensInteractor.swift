import NewsSearch
import NewsCore

/// Splits a text into words.
public struct TokensInteractor: Interactor {
  private let presenter = TokensPresenter()

  public init() {}

  public func respond(to route: TokensRoute, emit: @escaping Emit<TokensViewModel>) async throws {
    let mode: WordTokenizer.Mode = route.isQuery ? .query : .document
    try emit(presenter.present(WordTokenizer.tokens(of: route.text, mode: mode)))
  }
}
