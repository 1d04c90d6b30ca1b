import NewsCore
import NewsToolbox

/// Feeds in the form of Miniflux's API, with all members of its `Feed`: some clients fail at a missing one.
enum MinifluxFeeds {
  static func write(
    _ feed: Feed,
    _ folders: SyncFolders,
    icon: PictureReference?,
    _ json: inout JSONWriter
  ) {
    let state = feed.fetchState
    json.beginObject()
    json.field("id", feed.id.rawValue)
    json.field("user_id", 1)
    json.field("feed_url", feed.visibleURL)
    json.field("site_url", feed.siteURL ?? feed.visibleURL)
    json.field("title", feed.visibleTitle)
    json.field("checked_at", (state.lastFetched ?? Timestamp(seconds: 0)).rfc3339)
    json.field("next_check_at", (state.nextDue ?? Timestamp(seconds: 0)).rfc3339)
    json.field("parsing_error_count", state.failures)
    json.field("parsing_error_message", state.lastError.map { WebAddress.redacted($0) } ?? "")
    for name in texts { json.field(name, "") }
    for name in flags { json.field(name, false) }
    json.field("disabled", feed.settings.isPaused == true)
    json.field("hide_globally", feed.settings.isHidden == true)
    for name in numbers { json.field(name, 0) }
    json.key("category")
    MinifluxCategory(feed.folder, folders).write(&json)
    json.object("icon") { json in
      json.field("feed_id", feed.id.rawValue)
      // 0: the feed has no icon.
      json.field("icon_id", icon?.id ?? 0)
      json.field("external_icon_id", icon?.token ?? "")
    }
    json.endObject()
  }

  /// Settings of Miniflux that newsd does not have, or does not show.
  private static let texts: [StaticString] = [
    "description", "language", "etag_header", "last_modified_header", "scraper_rules", "rewrite_rules",
    "blocklist_rules", "keeplist_rules", "block_filter_entry_rules", "keep_filter_entry_rules",
    "urlrewrite_rules", "user_agent", "cookie", "username", "password", "apprise_service_urls", "webhook_url",
    "ntfy_topic", "proxy_url",
  ]
  private static let flags: [StaticString] = [
    "no_media_player", "ignore_http_cache", "allow_self_signed_certificates", "fetch_via_proxy",
    "disable_http2", "pushover_enabled", "ntfy_enabled", "crawler", "ignore_entry_updates",
  ]
  private static let numbers: [StaticString] = ["ntfy_priority", "pushover_priority"]
}

/// A folder in the form of Miniflux's API. Every feed is in a category; feeds without a folder are in `All`.
struct MinifluxCategory {
  let id: Int64
  let title: String
  /// The folder; nil: the category of feeds without a folder.
  let folder: String?

  init(_ folder: String?, _ folders: SyncFolders) {
    id = folder.map(folders.number) ?? FolderNumbers.none
    title = folder.map(folders.shown) ?? "All"
    self.folder = folder
  }

  /// Throws if there is no category with this id. Clients that remember earlier answers call the category of feeds
  /// without a folder 0.
  init(_ id: Int64, _ folders: SyncFolders, status: Int = 400) throws(BadRequest) {
    guard id != 0, id != FolderNumbers.none else {
      self.init(nil, folders)
      return
    }
    guard let folder = folders.names.first(where: { folders.number(of: $0) == id }) else {
      throw BadRequest("there is no category \(id)", status: status)
    }
    self.init(folder, folders)
  }

  static func all(_ folders: SyncFolders) -> [MinifluxCategory] {
    ([nil] + folders.names.map(Optional.some)).map { MinifluxCategory($0, folders) }
  }

  func feeds(_ catalog: SyncCatalog) -> [Feed] { catalog.feeds.filter { $0.folder == folder } }

  /// With `feeds`, writes their counts.
  func write(counting feeds: [Feed]? = nil, _ json: inout JSONWriter) {
    json.beginObject()
    json.field("id", id)
    json.field("title", title)
    json.field("user_id", 1)
    json.field("hide_globally", false)
    if let feeds {
      json.field("feed_count", feeds.count)
      json.field("total_unread", feeds.reduce(0) { $0 + $1.unreadCount })
    }
    json.endObject()
  }
}
