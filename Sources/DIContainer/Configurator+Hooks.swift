import Modules
import NewsFormats
import NewsText

// MARK: - Screens of hooks

extension Configurator {
  func runHooks(_ route: HooksRoute) async throws -> ExitStatus {
    let module = HooksInteractor(
      configured: services.settings.hooks,
      store: try services.store(),
      runner: try services.makeHookRunner(),
      filters: try filters(),
      clock: services.clock,
      presenter: HooksPresenter(times: presentation.terminal.times)
    )
    let status = try await show(module, route, as: presentation.recordShape.hooks())
    await services.shutdown()
    return status
  }

  func runHookFailures() async throws -> ExitStatus {
    let module = HookFailuresInteractor(
      store: try services.store(),
      presenter: HookFailuresPresenter(times: presentation.terminal.times)
    )
    return try await show(module, (), as: presentation.recordShape.hookFailures())
  }
}
