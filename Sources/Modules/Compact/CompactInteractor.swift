public import NewsCore

/// Returns unused space in the store to the file system.
public struct CompactInteractor: Interactor {
  private let store: any StoreMaintaining

  public init(store: any StoreMaintaining) { self.store = store }

  /// Compacts the store. The note on the result shows `path` as its name.
  public func respond(to path: String, emit: @escaping Emit<Outcome>) async throws {
    try emit(.loading(Progress("compacting")))
    let sizes = try await store.compact {
      try? emit(.loading(Progress("compacting", done: $0.done, total: $0.total, unit: "steps")))
    }
    try emit(.outcome("\(path): \(sizes.before / 1024) KiB before, \(sizes.after / 1024) KiB now"))
  }
}
