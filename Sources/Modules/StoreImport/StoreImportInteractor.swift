public import NewsCore

/// Imports exports of newsd and the files of other readers.
public struct StoreImportInteractor: Interactor {
  private let items: ItemImport
  private let open: @Sendable (String) throws(FileError) -> any LineReading
  private let presenter = StoreImportPresenter()

  /// `open` opens a file; `-` is standard input.
  public init(items: ItemImport, open: @escaping @Sendable (String) throws(FileError) -> any LineReading) {
    self.items = items
    self.open = open
  }

  public func respond(to route: StoreImportRoute, emit: @escaping Emit<StoreImportViewModel>) async throws {
    try emit(presenter.begin())
    let presenter = presenter
    let report = try await items.run(
      try open(route.path),
      path: route.path,
      feed: route.feed,
      isTrusted: route.isTrusted
    ) { try? emit(presenter.importing(lines: $0)) }
    try emit(presenter.present(report))
  }
}
