public import NewsCore

/// Copies the store to a new file.
public struct BackupInteractor: Interactor {
  private let store: any StoreMaintaining
  /// The media stores to copy from and to; nil: pictures are not copied.
  public var media: (from: any MediaKeeping, to: any MediaKeeping)?

  public init(store: any StoreMaintaining) { self.store = store }

  /// Copies the store to `path`, where no file may exist yet.
  public func respond(to path: String, emit: @escaping Emit<Outcome>) async throws {
    try emit(.loading(Progress("copying")))
    try await store.backup(to: path) { try? emit(.loading(Progress("copying", pages: $0))) }
    if let media { try await media.from.copy(to: media.to) }
    try emit(.outcome("copied to \(path)"))
  }
}
