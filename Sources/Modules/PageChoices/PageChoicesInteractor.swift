public import NewsCore
import NewsToolbox

/// Reads and keeps the settings that are made on the page for all browsers.
public struct PageChoicesInteractor: Interactor {
  private let keeper: any PageChoiceKeeping & QuotaKeeping
  /// What the configuration fixes, which the page cannot change.
  private let fixed: PageChoices

  public init(keeper: any PageChoiceKeeping & QuotaKeeping, fixed: PageChoices) {
    self.keeper = keeper
    self.fixed = fixed
  }

  /// Keeps the settings; nil: only reads them.
  public func respond(to change: PageChoices?, emit: @escaping Emit<PageChoicesViewModel>) async throws {
    var own = try await keeper.pageChoices()
    if let change {
      if let key = change.fixedKey(fixed, changing: own) {
        throw UserMessage(
          code: .usage,
          text: "\(key) of the configuration fixes this setting; change it there"
        )
      }
      for (limit, most) in [(change.retention.days, 100_000), (change.retention.items, 100_000_000)] {
        guard let limit, !(1...most).contains(limit) else { continue }
        throw UserMessage(
          code: .usage,
          text: "a limit on the items is a number from 1 to \(most), not \(limit)"
        )
      }
      if let zone = change.zone, !PageChoices.isZone(zone) {
        throw UserMessage(
          code: .usage,
          text: "'\(zone)' is not the name of a time zone; names are like Europe/Berlin"
        )
      }
      try await keeper.keep(change)
      own = change
    }
    var content = PageChoicesViewModel(own: own, fixed: fixed)
    content.quota = try await keeper.quota()
    try emit(.ready(content))
  }
}

/// The settings of the page, and what the configuration fixes.
public struct PageChoicesViewModel: ScreenContent {
  /// What was chosen on the page.
  public var own: PageChoices
  /// What the configuration fixes; nil: the page sets it.
  public var fixed: PageChoices
  /// What applies.
  public var settings: PageChoices { own.overridden(by: fixed) }
  /// The limits that the administrator has set, and what is in use.
  public var quota = StoreQuota()
  public var rowCount: Int { 1 }

  public init(own: PageChoices = PageChoices(), fixed: PageChoices = PageChoices()) {
    self.own = own
    self.fixed = fixed
  }
}
