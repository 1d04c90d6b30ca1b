import NewsCore
import NewsToolbox

/// Says what was restored, and where a damaged file is kept.
struct RestorePresenter: Presenting {
  typealias ViewModel = RestoreViewModel

  func begin() -> Container<RestoreViewModel> { .loading(Progress("restoring")) }

  func restoring(_ progress: StoreProgress) -> Container<RestoreViewModel> {
    .loading(Progress("restoring", pages: progress))
  }

  func present(_ restored: StoreRestore, _ route: RestoreRoute) -> Container<RestoreViewModel> {
    let items = Plural.of(restored.items, "item")
    var notes = restored.kept.map { ["the former file is kept as \($0)"] } ?? []
    notes.append("restored \(route.store) from \(route.backup): \(items)")
    return .ready(RestoreViewModel(notes: notes.map { DisplayText(line: $0) }))
  }
}
