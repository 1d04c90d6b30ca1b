import Modules
import Synchronization

/// Runs modules for interfaces that show nothing before the end.
enum ModuleRunning {
  /// Runs a module and returns the contents of its containers, in order. Throws the module's failure, unless
  /// there is content; then the result contains the failure.
  static func contents<Module: Interactor>(
    of module: Module,
    _ request: Module.Request
  ) async throws -> (contents: [Module.ViewModel], failure: UserMessage?) {
    let kept = Mutex<(contents: [Module.ViewModel], failure: UserMessage?)>(([], nil))
    try await module.run(request) { container in
      kept.withLock { kept in
        if let content = container.content { kept.contents.append(content) }
        kept.failure = container.failure
      }
    }
    let result = kept.withLock { $0 }
    if let failure = result.failure, result.contents.isEmpty { throw failure }
    return result
  }
}
