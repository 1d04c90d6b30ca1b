import Modules
import NewsCore
import Synchronization

/// Runs modules for a page, which shows the container that the run ends with.
enum ModuleRun {
  /// Runs a module to its end. A store that cannot be opened is a failure like others. The result has the
  /// content of an earlier container if the last one has none.
  static func last<Request, Content: Sendable>(
    _ make: () throws -> any Interactor<Request, Content>,
    _ request: Request
  ) async -> Container<Content> {
    let kept = Mutex(Container<Content>.loading())
    do {
      let module = try make()
      try await module.run(request) { container in
        kept.withLock { $0 = container.after($0) }
      }
    } catch {
      let message =
        UserMessage(reporting: error) ?? UserMessage(code: .internalError, text: "the page failed: \(error)")
      return .failed(message, keeping: kept.withLock { $0.content })
    }
    return kept.withLock { $0 }
  }

  /// Runs a module whose containers each have the next part of a long result. Returns the failure that ended
  /// the run; nil: the result is complete.
  @discardableResult
  static func all<Request, Content: Sendable>(
    _ make: () throws -> any Interactor<Request, Content>,
    _ request: Request,
    take: @escaping @Sendable (Content) -> Void
  ) async -> UserMessage? {
    let failure = Mutex<UserMessage?>(nil)
    do {
      let module = try make()
      try await module.run(request) { container in
        if let content = container.content { take(content) }
        if let message = container.failure { failure.withLock { $0 = message } }
      }
    } catch {
      return UserMessage(reporting: error)
        ?? UserMessage(code: .internalError, text: "the page failed: \(error)")
    }
    return failure.withLock { $0 }
  }
}
