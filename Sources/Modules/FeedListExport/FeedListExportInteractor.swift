public import NewsCore
import NewsToolbox

/// Writes the subscriptions as OPML.
public struct FeedListExportInteractor: Interactor {
  private let transfer: SubscriptionTransfer
  private let presenter = DocumentPresenter()

  private static func warnings(_ count: Int) -> [DisplayText] {
    guard count > 0 else { return [] }
    let feeds = Plural.of(count, "feed")
    return [DisplayText(line: "left out the secrets of \(feeds); --secrets writes them")]
  }

  public init(transfer: SubscriptionTransfer) {
    self.transfer = transfer
  }

  /// Writes the subscriptions as OPML; `includesSecrets` adds passwords, headers and the locations of credentials.
  public func respond(to includesSecrets: Bool, emit: @escaping Emit<DocumentContent>) async throws {
    let list = try await transfer.exportOPML(includesSecrets: includesSecrets)
    try emit(presenter.present(Array(list.text.utf8), warnings: Self.warnings(list.withoutSecrets)))
    try emit(presenter.end())
  }
}
