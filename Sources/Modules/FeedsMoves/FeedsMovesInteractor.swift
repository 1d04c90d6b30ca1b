import NewsToolbox
public import NewsCore

/// Lists permanent redirects, adopts them and reverts adopted ones.
public struct FeedsMovesInteractor: Interactor {
  private let feeds: any FeedKeeping
  private let editor: MoveEditor
  private let presenter = FeedsMovesPresenter()

  public init(feeds: any FeedKeeping, editor: MoveEditor) {
    self.feeds = feeds
    self.editor = editor
  }

  public func respond(to request: FeedsMovesRequest, emit: @escaping Emit<RecordList<MoveEditor.Move>>)
    async throws
  {
    switch request {
    case .list:
      try emit(presenter.list(try await editor.moves()))
    case .apply(let name):
      let feed = try await feeds.feed(named: name)
      guard let move = try await editor.apply(feed.id) else { throw presenter.notMoved(feed) }
      try emit(presenter.changed(move))
    case .revert(let name):
      let feed = try await feeds.feed(named: name)
      guard let move = try await editor.revert(feed.id) else { throw presenter.notAdopted(feed) }
      try emit(presenter.changed(move))
    }
  }
}

/// An operation on permanent redirects. A feed is given by id, URL, title or part of its title.
public enum FeedsMovesRequest: Hashable, Sendable {
  case list
  /// Makes the new address the feed's URL now.
  case apply(feed: String)
  /// Restores the URL that the feed had before its last adopted move.
  case revert(feed: String)
}

/// Formats moves as lines and changes as sentences.
struct FeedsMovesPresenter {
  func list(_ moves: [MoveEditor.Move]) -> Container<RecordList<MoveEditor.Move>> {
    .list(
      moves.map { move in
        let fields = [
          String(move.feed.id.rawValue), move.feed.title, WebAddress.redacted(move.from),
          WebAddress.redacted(move.to),
          move.isAdopted ? "adopted" : "followed, \(Plural.of(move.polls, "poll"))", move.time.rfc3339,
        ]
        return RecordLine(move, columns: fields)
      },
      nothing: "no feed has moved"
    )
  }

  func changed(_ move: MoveEditor.Move) -> Container<RecordList<MoveEditor.Move>> {
    let withheld =
      move.withholdsCredentials
      ? "; its user name, password, credential and headers are not sent there: set them again if they should be"
      : ""
    return .note(
      "\(move.feed.title): \(WebAddress.redacted(move.from)) → \(WebAddress.redacted(move.to))\(withheld)"
    )
  }

  func notMoved(_ feed: Feed) -> UserMessage {
    UserMessage(code: .notFound, text: "\(feed.title) has not moved")
  }

  func notAdopted(_ feed: Feed) -> UserMessage {
    UserMessage(code: .notFound, text: "\(feed.title) has no former URL to go back to")
  }
}
