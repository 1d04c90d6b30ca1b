import NewsToolbox
public import NewsCore

/// Replaces the store with a backup.
public struct RestoreInteractor: Interactor {
  private let store: any StoreMaintaining
  private let account: RestoredAccount?

  /// `account` owns the store; nil if newsd has no accounts.
  public init(store: any StoreMaintaining, account: RestoredAccount? = nil) {
    self.store = store
    self.account = account
  }

  /// Replaces the content of the store at the path `store` with that of the file `backup`.
  public func respond(
    to request: (store: String, backup: String),
    emit: @escaping Emit<Outcome>
  ) async throws {
    try emit(.loading(Progress("restoring")))
    let restored = try await store.restore(from: request.backup, into: account) {
      try? emit(.loading(Progress("restoring", pages: $0)))
    }
    let kept = restored.kept.map { ["the former file is kept as \($0)"] } ?? []
    let items = Plural.of(restored.items, "item")
    try emit(.ready(Outcome(kept + ["restored \(request.store) from \(request.backup): \(items)"])))
  }
}
