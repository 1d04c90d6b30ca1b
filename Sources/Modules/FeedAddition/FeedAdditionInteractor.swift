public import NewsCore

/// Subscribes to a feed, or to the feed that a web page links to.
public struct FeedAdditionInteractor: Interactor {
  private let adder: FeedAdder
  private let presenter = FeedAdditionPresenter()

  public init(adder: FeedAdder) {
    self.adder = adder
  }

  public func respond(to route: FeedAdditionRoute, emit: @escaping Emit<FeedAdditionViewModel>) async throws {
    try emit(.loading(Progress("asking")))
    try emit(presenter.present(try await adder.add(route.address, route.options)))
  }
}
