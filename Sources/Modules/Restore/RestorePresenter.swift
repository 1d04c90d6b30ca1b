import NewsCore
import NewsToolbox

/// Reports the number of restored items, and where a damaged file was kept.
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
