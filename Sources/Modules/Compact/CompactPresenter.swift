import NewsCore

/// Reports the size of the store before and after.
struct CompactPresenter: Presenting {
  typealias ViewModel = CompactViewModel

  func begin() -> Container<CompactViewModel> { .loading(Progress("compacting")) }

  func compacting(_ progress: StoreProgress) -> Container<CompactViewModel> {
    .loading(Progress("compacting", done: progress.done, total: progress.total, unit: "steps"))
  }

  func present(_ path: String, before: Int64, after: Int64) -> Container<CompactViewModel> {
    let note = DisplayText(line: "\(path): \(before / 1024) KiB before, \(after / 1024) KiB now")
    return .ready(CompactViewModel(notes: [note]))
  }
}
