public import NewsCore

/// Shows and changes the settings of feeds.
public struct FeedSettingsInteractor: Interactor {
  private let editor: FeedSettingsEditor
  private let presenter = FeedSettingsPresenter()

  public init(editor: FeedSettingsEditor) {
    self.editor = editor
  }

  public func respond(to route: FeedSettingsRoute, emit: @escaping Emit<FeedSettingsViewModel>) async throws {
    switch route {
    case .show(let feed): try emit(presenter.present(try await editor.settings(of: feed)))
    case .showFolder(let folder):
      try emit(presenter.present(try await editor.settings(ofFolder: folder)))
    case .change(let feed, let url, let changes):
      try emit(presenter.changed(keepsSecretsBack: try await editor.change(feed, url: url, changes)))
    case .changeFolder(let folder, let changes):
      let count = try await editor.change(folder: folder, changes)
      try emit(count == 0 ? presenter.noFeeds(in: folder) : presenter.changed())
    }
  }
}
