import Modules
import NewsCore
import NewsFormats
import NewsText

// MARK: - Screens of the web account

extension Configurator {
  func runWebApps(_ route: WebAppsRoute) async throws -> ExitStatus {
    let module = WebAppsInteractor(account: try services.makeWebLogin())
    return try await show(module, route, as: presentation.recordShape.webApps())
  }

  func runWebSessions(_ route: WebSessionsRoute) async throws -> ExitStatus {
    let module = WebSessionsInteractor(account: try services.makeWebLogin())
    return try await show(module, route, as: presentation.recordShape.webSessions())
  }

  func runWebPassword(_ route: WebPasswordRoute) async throws -> ExitStatus {
    let module = WebPasswordInteractor(passwords: try services.makeWebLogin())
    return try await show(module, route, as: SilentView<WebPasswordViewModel>())
  }

  func runWebStatus(_ route: WebStatusRoute) async throws -> ExitStatus {
    let module = WebStatusInteractor(account: try services.makeWebLogin())
    return try await show(module, route, as: presentation.recordShape.webStatus())
  }
}
