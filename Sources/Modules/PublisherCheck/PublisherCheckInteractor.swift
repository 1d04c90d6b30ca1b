public import NewsCore

/// Lists the problems of a feed document for its publisher.
public struct PublisherCheckInteractor: Interactor {
  private let parser: any FeedParsing
  private let presenter = PublisherCheckPresenter()

  public init(parser: any FeedParsing) {
    self.parser = parser
  }

  public func run(_ route: PublisherCheckRoute, emit: @escaping Emit<PublisherCheckViewModel>) async throws {
    try await presenter.emittingFailures(to: emit) {
      try emit(presenter.present(try parser.check(route.document), name: route.name))
    }
  }
}
