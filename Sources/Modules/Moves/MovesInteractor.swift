public import NewsCore

/// Lists permanent redirects, adopts them and reverts adopted ones.
public struct MovesInteractor: Interactor {
  private let feeds: any FeedReading
  private let editor: MoveEditor
  private let presenter = MovesPresenter()

  public init(feeds: any FeedReading, editor: MoveEditor) {
    self.feeds = feeds
    self.editor = editor
  }

  public func respond(to route: MovesRoute, emit: @escaping Emit<MovesViewModel>) async throws {
    switch route {
    case .list:
      try emit(presenter.list(try await editor.moves()))
    case .apply(let name):
      let feed = try await feeds.feed(named: name)
      try emit(try await editor.apply(feed.id).map(presenter.changed) ?? presenter.notMoved(feed))
    case .revert(let name):
      let feed = try await feeds.feed(named: name)
      try emit(try await editor.revert(feed.id).map(presenter.changed) ?? presenter.notAdopted(feed))
    }
  }
}
