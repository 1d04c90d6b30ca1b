import NewsHTTP
import NewsCore
import NewsToolbox

/// The account in the form of Miniflux's API, with all members of its `User`: some clients fail at a missing one.
struct MinifluxUser {
  private let name: String
  private let lastLogin: Timestamp

  init(_ name: String, _ app: AppPassword?, _ clock: any WallClock) {
    self.name = name
    // Some clients require a time.
    lastLogin = app?.lastUsed ?? app?.made ?? clock.now()
  }

  func write(_ json: inout JSONWriter) {
    json.beginObject()
    json.field("id", 1)
    json.field("username", name)
    json.field("is_admin", false)
    json.field("theme", "system_serif")
    json.field("language", "en_US")
    json.field("timezone", "UTC")
    json.field("entry_sorting_direction", "desc")
    json.field("entry_sorting_order", "published_at")
    json.field("entries_per_page", 100)
    json.field("gesture_nav", "tap")
    json.field("last_login_at", lastLogin.rfc3339)
    json.field("display_mode", "standalone")
    json.field("default_reading_speed", 265)
    json.field("cjk_reading_speed", 500)
    json.field("default_home_page", "unread")
    json.field("categories_sorting_order", "unread_count")
    json.field("media_playback_rate", 1)
    for name in Self.texts { json.field(name, "") }
    for (name, flag) in Self.flags { json.field(name, flag) }
    json.endObject()
  }

  private static let texts: [StaticString] = [
    "stylesheet", "custom_js", "external_font_hosts", "google_id", "openid_connect_id",
    "block_filter_entry_rules", "keep_filter_entry_rules",
  ]
  private static let flags: [(StaticString, Bool)] = [
    ("mark_read_on_view", true), ("mark_read_on_media_player_completion", false),
    ("always_open_external_links", false), ("open_external_links_in_new_tab", true),
    ("keyboard_shortcuts", true), ("show_reading_time", true), ("entry_swipe", true),
  ]

  /// The version of Miniflux whose API newsd implements. Clients turn features on by it.
  static let version = "2.3.0"

  /// `version`: what Miniflux says of its build, with neutral values.
  static var build: HTTPReply {
    SyncReply.object { json in
      json.field("version", version)
      json.field("commit", "")
      json.field("build_date", "")
      json.field("go_version", "")
      json.field("compiler", "")
      json.field("arch", "")
      json.field("os", "linux")
    }
  }
}
