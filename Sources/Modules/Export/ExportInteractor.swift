public import NewsCore
import NewsToolbox

/// Writes everything that the store holds as JSON Lines.
public struct ExportInteractor: Interactor {
  private let store: any StoreExporting

  public init(store: any StoreExporting) {
    self.store = store
  }

  public func respond(to request: Void, emit: @escaping Emit<DocumentContent>) async throws {
    let lines = ConcurrentCounter()
    try await store.exportAll { bytes in
      lines.add(bytes.lineCount)
      let progress = Progress("exporting", done: lines.value, unit: "lines")
      try emit(.loading(progress, keeping: DocumentContent(bytes: bytes)))
    }
    try emit(.ready(DocumentContent()))
  }
}
