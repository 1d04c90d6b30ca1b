import NewsCore
import NewsToolbox

/// Feeds and folders in the form of Miniflux's API. Every feed is in a category; feeds without a folder are
/// in `All`.
enum MinifluxFeeds {
  static let noCategory: Int64 = 0

  static func category(of feed: Feed) -> Int64 { feed.folder.map { FeverIDs.group($0) } ?? noCategory }

  static func write(_ feed: Feed, _ json: inout JSONWriter) {
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
    json.field("disabled", false)
    json.key("icon")
    json.null()
    json.key("category")
    writeCategory(feed.folder, &json)
    json.endObject()
  }

  static func writeCategory(_ folder: String?, _ json: inout JSONWriter) {
    json.beginObject()
    json.field("id", folder.map { FeverIDs.group($0) } ?? noCategory)
    json.field("title", folder ?? "All")
    json.field("user_id", 1)
    json.endObject()
  }
}
