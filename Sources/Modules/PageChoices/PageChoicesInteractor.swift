public import NewsCore
import NewsToolbox

/// Reads and keeps the settings that are made on the page for all browsers.
public struct PageChoicesInteractor: Interactor {
  private let keeper: any PageChoiceKeeping & QuotaKeeping
  /// The limits of the configuration, which the page cannot change.
  private let fixed: RetentionPolicy

  public init(keeper: any PageChoiceKeeping & QuotaKeeping, fixed: RetentionPolicy) {
    self.keeper = keeper
    self.fixed = fixed
  }

  /// Keeps the settings; nil: only reads them.
  public func respond(to change: PageChoices?, emit: @escaping Emit<PageChoicesViewModel>) async throws {
    if let change {
      for (limit, most) in [(change.retention.days, 100_000), (change.retention.items, 100_000_000)] {
        guard let limit, !(1...most).contains(limit) else { continue }
        throw UserMessage(
          code: .usage,
          text: "a limit on the items is a number from 1 to \(most), not \(limit)"
        )
      }
      if let zone = change.zone, !Self.isZone(zone) {
        throw UserMessage(
          code: .usage,
          text: "'\(zone)' is not the name of a time zone; names are like Europe/Berlin"
        )
      }
      try await keeper.keep(change)
    }
    let settings = if let change { change } else { try await keeper.pageChoices() }
    var content = PageChoicesViewModel(settings: settings, fixed: fixed)
    content.quota = try await keeper.quota()
    try emit(.ready(content))
  }
}

extension PageChoicesInteractor {
  /// True for a text with the form of a name in the time zone database: parts of letters, digits and signs.
  private static func isZone(_ name: String) -> Bool {
    let signs = Array("_+-/".utf8)
    return (1...64).contains(name.utf8.count) && !name.hasPrefix(bytesOf: "/")
      && name.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || signs.contains($0) }
  }
}

/// The settings of the page, and what the configuration fixes.
public struct PageChoicesViewModel: ScreenContent {
  public var settings: PageChoices
  /// The limits of the configuration; nil: the page sets them.
  public var fixed: RetentionPolicy
  /// The limits that the administrator has set, and what is in use.
  public var quota = StoreQuota()
  public var rowCount: Int { 1 }

  public init(settings: PageChoices, fixed: RetentionPolicy) {
    self.settings = settings
    self.fixed = fixed
  }
}
