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
      return .failed(message(of: error), keeping: kept.withLock { $0.content })
    }
    let last = kept.withLock { $0 }
    return last.failure.map { .failed(shown($0), keeping: last.content) } ?? last
  }

  /// The message that the page shows of an error.
  static func message(of error: any Error) -> UserMessage {
    UserMessage(reporting: error).map(shown) ?? UserMessage(code: .internalError, text: Wording.thePageFailed)
  }

  /// The message without what is only for the owner of the machine.
  static func shown(_ message: UserMessage) -> UserMessage {
    UserMessage(code: message.code, text: message.clientText)
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
      return message(of: error)
    }
    return failure.withLock { $0 }.map(shown)
  }
}
