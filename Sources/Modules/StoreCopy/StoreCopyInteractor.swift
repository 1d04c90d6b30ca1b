public import NewsCore

/// Copies everything that one store holds into another, empty one.
public struct StoreCopyInteractor: Interactor {
  /// A store and its name in messages.
  public typealias Opened = (store: any StoreCopying, name: String)

  private let source: Opened
  private let target: Opened
  private let presenter = StoreCopyPresenter()

  public init(from source: Opened, to target: Opened) {
    self.source = source
    self.target = target
  }

  public func respond(to request: StoreCopyRoute, emit: @escaping Emit<StoreCopyViewModel>) async throws {
    let presenter = presenter
    let report = try await StoreCopy().copy(from: source.store, to: target.store) {
      try emit(presenter.copying($0, of: $1))
    }
    try emit(presenter.copied(report, to: target.name))
  }
}
