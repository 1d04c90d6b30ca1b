import NewsService

/// Makes every service once, when it is first asked for.
public final class ServiceContainer: Sendable {
  public init(settings: Settings, environment: [String: String]) {}
}
