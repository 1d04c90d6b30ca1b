import DIContainer
import NewsCore
import Synchronization

/// Holds a value that the daemon replaces while its services run: the settings and the services of the configuration
/// that was loaded last, or the scheduler, which is replaced when the store's file was replaced.
final class Replaceable<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  var current: Value {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

extension Settings {
  /// The keys whose values differ from those at the daemon's start and take effect only after a restart.
  func keysThatNeedRestart(since start: Settings) -> [String] {
    let changes: [(key: String, isChanged: Bool)] = [
      ("store", store != start.store),
      ("accounts.dir", accounts.directory != start.accounts.directory),
      ("accounts.store", accounts.server != start.accounts.server),
      ("node.name", nodeName != start.nodeName),
      ("network.concurrency", network.concurrency != start.network.concurrency),
      ("network.per_site", network.perSite != start.network.perSite),
      ("network.body_budget", network.bodyBudget != start.network.bodyBudget),
      ("websub.callback", webSub.callback != start.webSub.callback),
      ("websub.listen", webSub.listen != start.webSub.listen),
      ("web.listen", web.listen != start.web.listen),
      ("web.url", web.url != start.web.url),
      ("web.user", web.user != start.web.user),
      ("web.stylesheet", web.stylesheet != start.web.stylesheet),
      ("web.password_file", web.passwordFile != start.web.passwordFile),
      ("web.log_in", web.ways != start.web.ways),
      ("web.auth_header", web.authHeader != start.web.authHeader),
      ("oidc", openID != start.openID),
      ("web.trusted_proxies", web.trustedProxies != start.web.trustedProxies),
      ("web.connections", web.connections != start.web.connections),
      ("web.metrics", web.metrics != start.web.metrics),
      ("web.mcp", web.mcp != start.web.mcp),
      ("web.apis", web.apis != start.web.apis),
      ("web.folder_separator", web.folderSeparator != start.web.folderSeparator),
      ("web.media", web.media != start.web.media),
      ("web.page", web.page != start.web.page),
      ("web.start_page", web.choices.start != start.web.choices.start),
      ("web.mark_read", web.choices.marking != start.web.choices.marking),
      ("web.mark_scrolled", web.choices.marksScrolled != start.web.choices.marksScrolled),
      ("web.oldest_first", web.choices.showsOldestFirst != start.web.choices.showsOldestFirst),
      ("web.sort_tree", web.choices.sortsTree != start.web.choices.sortsTree),
      ("web.time_zone", web.choices.zone != start.web.choices.zone),
      ("log.format", log.format != start.log.format),
    ]
    return changes.filter(\.isChanged).map(\.key)
  }
}
