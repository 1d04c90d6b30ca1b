import NewsCore
import NewsToolbox

/// Formats problems as lines. Fails if problems remain or data was lost.
struct CheckPresenter: Presenting {
  typealias ViewModel = CheckViewModel

  func begin(_ route: CheckRoute) -> Container<CheckViewModel> {
    .loading(route.repairs ? Progress("repairing") : Progress("checking"))
  }

  func checking(_ progress: StoreProgress, _ route: CheckRoute) -> Container<CheckViewModel> {
    .loading(
      Progress(
        route.repairs ? "repairing" : "checking",
        done: progress.done,
        total: progress.total,
        unit: "steps"
      )
    )
  }

  func present(_ repair: StoreRepair, _ route: CheckRoute) -> Container<CheckViewModel> {
    let left = repair.remaining
    let repaired = repair.found.filter { !left.contains($0) }
      .map { CheckedProblem(problem: $0, outcome: .repaired) }
    let open = left.map { CheckedProblem(problem: $0, outcome: $0.isRepairable ? .repairable : .lost) }
    let lines = (repaired + open).map {
      RecordLine(
        record: $0,
        text: DisplayText.columns([$0.problem.kind.rawValue, $0.outcome.rawValue, $0.problem.message])
      )
    }
    var notes = repair.notes.map { DisplayText(line: $0) }
    if let now = repair.itemsAfter {
      let before =
        repair.itemsBefore.map { "\($0) items before" } ?? "the number of items before cannot be read"
      notes.append(DisplayText(line: "\(now) items now, \(before)"))
    }
    guard !left.isEmpty else {
      guard !repair.hasLosses else {
        return .failed(
          UserMessage(
            code: .badData,
            text:
              "\(route.store) is repaired, but lost data; to replace it with a backup, use 'newsd restore FILE'"
          ),
          keeping: CheckViewModel(lines: lines, notes: notes)
        )
      }
      notes.append(DisplayText(line: "\(route.store): all is well"))
      return .ready(CheckViewModel(lines: lines, notes: notes))
    }
    let hint =
      left.contains(where: \.isRepairable) && !route.repairs
      ? "'newsd check --repair' repairs what can be repaired"
      : "replace it with a backup: with 'newsd restore FILE', or on PostgreSQL with pg_restore"
    let count = Plural.of(left.count, "problem")
    return .failed(
      UserMessage(code: .io, text: "\(route.store) has \(count); \(hint)"),
      keeping: CheckViewModel(lines: lines, notes: notes)
    )
  }
}
