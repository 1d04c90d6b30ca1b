/// Describes the command line.
public protocol CommandReference: Sendable {
  func text(_ route: ReferenceRoute) throws -> String
}

/// Shows help, the manual and completion scripts.
public struct ReferenceInteractor: Interactor {
  private let reference: any CommandReference
  private let presenter = DocumentPresenter()

  public init(reference: any CommandReference) {
    self.reference = reference
  }

  public func respond(to route: ReferenceRoute, emit: @escaping Emit<DocumentContent>) async throws {
    try emit(presenter.present(Array(try reference.text(route).utf8)))
    try emit(presenter.end())
  }
}
