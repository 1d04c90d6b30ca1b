public import NewsCore

/// Subscribes to the feeds of a list.
public struct FeedListImportInteractor: Interactor {
  private let transfer: SubscriptionTransfer
  private let presenter = FeedListImportPresenter()

  public init(transfer: SubscriptionTransfer) {
    self.transfer = transfer
  }

  public func respond(to route: FeedListImportRoute, emit: @escaping Emit<FeedListImportViewModel>)
    async throws
  {
    try emit(.loading(Progress("importing")))
    let report = try await transfer.importList(
      route.list,
      folder: route.folder,
      isTrusted: route.isTrusted,
      isDryRun: route.isDryRun
    )
    try emit(presenter.present(report, isDryRun: route.isDryRun))
  }
}
