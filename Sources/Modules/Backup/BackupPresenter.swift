import NewsCore

/// Reports the path of the copy.
struct BackupPresenter: Presenting {
  typealias ViewModel = BackupViewModel

  func begin() -> Container<BackupViewModel> { .loading(Progress("copying")) }

  func copying(_ progress: StoreProgress) -> Container<BackupViewModel> {
    .loading(Progress("copying", pages: progress))
  }

  func copied(to path: String) -> Container<BackupViewModel> {
    .ready(BackupViewModel(notes: [DisplayText(line: "copied to \(path)")]))
  }
}
