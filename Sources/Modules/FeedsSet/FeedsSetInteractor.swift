public import NewsCore
import NewsToolbox

/// Shows and changes the settings of feeds.
public struct FeedsSetInteractor: Interactor {
  private let editor: FeedSettingsEditor
  private let presenter = FeedsSetPresenter()

  public init(editor: FeedSettingsEditor) { self.editor = editor }

  public func respond(to request: FeedsSetRequest, emit: @escaping Emit<TextLines>) async throws {
    switch request {
    case .show(let feed): try emit(presenter.present(try await editor.settings(of: feed)))
    case .showFolder(let folder):
      try emit(presenter.present(try await editor.settings(ofFolder: folder)))
    case .change(let feed, let url, let changes):
      try emit(presenter.changed(keepsSecretsBack: try await editor.change(feed, url: url, changes)))
    case .changeFolder(let folder, let changes):
      guard try await editor.change(folder: folder, changes) > 0 else {
        throw UserMessage(code: .notFound, text: "there is no feed in the folder '\(folder)'")
      }
      try emit(presenter.changed(keepsSecretsBack: false))
    }
  }
}

/// A request to show or change settings of feeds.
public enum FeedsSetRequest: Hashable, Sendable {
  /// Shows the settings of a feed, named by id, URL or title.
  case show(feed: String)
  /// Shows the settings that feeds inherit when they are put into a folder.
  case showFolder(String)
  /// Changes a feed's settings and, if `url` is given, its URL.
  case change(feed: String, url: String?, [FeedSettingChange])
  /// Changes the settings of every feed in a folder and its subfolders, and the settings that feeds
  /// inherit when they are put into the folder.
  case changeFolder(String, [FeedSettingChange])
}

/// Formats settings as they are typed: `timeout=30s`.
struct FeedsSetPresenter {
  func present(_ settings: FeedSettings) -> Container<TextLines> {
    let lines = FeedSetting.allCases.compactMap { setting in
      setting.text(in: settings).map { DisplayText(line: "\(setting.rawValue)=\($0)") }
    }
    return .ready(TextLines(lines: lines))
  }

  func changed(keepsSecretsBack: Bool) -> Container<TextLines> {
    let warning = DisplayText(
      "the new URL has another origin: credential, headers and client certificate are not sent there"
    )
    return .ready(TextLines(lines: [], warnings: keepsSecretsBack ? [warning] : []))
  }
}
