/// The logic of a module: takes a request, calls use cases, and emits the containers that its presenter makes.
///
/// An interactor does not depend on an interface: the same one serves a command, a terminal screen and a web page.
public protocol Interactor<Request, ViewModel>: Sendable {
  /// The request; usually the route's payload.
  associatedtype Request: Sendable
  associatedtype ViewModel: ScreenContent

  /// Emits containers until one is ready or failed. `run` emits thrown errors of the use cases as failures.
  func respond(to request: Request, emit: @escaping Emit<ViewModel>) async throws
}

extension Interactor {
  /// Runs the module: emits its containers, and an error of Core or a `UserMessage` as the last one. Throws
  /// any other error, such as a closed output.
  public func run(_ request: Request, emit: @escaping Emit<ViewModel>) async throws {
    do {
      try await respond(to: request, emit: emit)
    } catch {
      guard let message = UserMessage(reporting: error) else { throw error }
      try emit(.failed(message))
    }
  }
}
