import NewsCore
import NewsToolbox

/// Formats moves as lines and changes as sentences.
struct MovesPresenter: Presenting {
  typealias ViewModel = MovesViewModel

  func list(_ moves: [MoveEditor.Move]) -> Container<MovesViewModel> {
    .ready(
      MovesViewModel(
        lines: moves.map { move in
          let polls = Plural.of(move.polls, "poll")
          let fields = [
            String(move.feed.id.rawValue), move.feed.title, WebAddress.redacted(move.from),
            WebAddress.redacted(move.to), move.isAdopted ? "adopted" : "followed, \(polls)",
            move.time.rfc3339,
          ]
          return RecordLine(record: move, text: DisplayText.columns(fields))
        }
      )
    )
  }

  func changed(_ move: MoveEditor.Move) -> Container<MovesViewModel> {
    let text = "\(move.feed.title): \(WebAddress.redacted(move.from)) → \(WebAddress.redacted(move.to))"
    return .ready(MovesViewModel(notes: [DisplayText(line: text)]))
  }

  func notMoved(_ feed: Feed) -> Container<MovesViewModel> {
    present(UserMessage(code: .notFound, text: "\(feed.title) has not moved"))
  }

  func notAdopted(_ feed: Feed) -> Container<MovesViewModel> {
    present(UserMessage(code: .notFound, text: "\(feed.title) has no former URL to go back to"))
  }
}
