import NewsToolbox
public import NewsCore

/// Writes the subscriptions as OPML.
public struct FeedsExportInteractor: Interactor {
  private let transfer: SubscriptionTransfer

  public init(transfer: SubscriptionTransfer) { self.transfer = transfer }

  /// Writes the subscriptions as OPML; `includesSecrets` adds passwords, headers and the locations of credentials.
  public func respond(to includesSecrets: Bool, emit: @escaping Emit<DocumentContent>) async throws {
    let list = try await transfer.exportOPML(includesSecrets: includesSecrets)
    let feeds = Plural.of(list.withoutSecrets, "feed")
    let warning = DisplayText(line: "left out the secrets of \(feeds); --secrets writes them")
    let warnings = list.withoutSecrets > 0 ? [warning] : []
    try emit(.loading(keeping: DocumentContent(bytes: Array(list.text.utf8), warnings: warnings)))
    try emit(.ready(DocumentContent()))
  }
}
