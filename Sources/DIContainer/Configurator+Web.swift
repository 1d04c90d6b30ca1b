import Modules
import NewsCore
import NewsFormats
import NewsText

// MARK: - Screens of the web account

extension Configurator {
  func runWebApps(_ route: WebAppsRoute) async throws -> Int32 {
    let module = WebAppsInteractor(account: try services.makeWebLogin())
    return try await show(module, route, as: presentation.recordShape.webApps())
  }

  func runWebSessions(_ route: WebSessionsRoute) async throws -> Int32 {
    let module = WebSessionsInteractor(account: try services.makeWebLogin())
    return try await show(module, route, as: presentation.recordShape.webSessions())
  }

  func runWebPassword(_ route: WebPasswordRoute) async throws -> Int32 {
    let module = WebPasswordInteractor(passwords: try services.makeWebLogin())
    return try await show(module, route, as: SilentView<WebPasswordViewModel>())
  }

  func runWebStatus(_ route: WebStatusRoute) async throws -> Int32 {
    let module = WebStatusInteractor(account: try services.makeWebLogin())
    return try await show(module, route, as: presentation.recordShape.webStatus())
  }
}
