import NewsCore
import NewsToolbox

/// Writes the lists of folders and feeds in Fever's format.
enum FeverLists {
  static func writeGroups(_ catalog: SyncCatalog, _ json: inout JSONWriter) {
    json.objects("groups", FeverGroups.groups(catalog), writesEmpty: true) { json, group in
      json.field("id", group.id)
      json.field("title", group.title)
    }
  }

  static func writeFeeds(
    _ catalog: SyncCatalog,
    _ icons: [Feed.ID: PictureReference],
    _ json: inout JSONWriter
  ) {
    json.objects("feeds", catalog.feeds, writesEmpty: true) { json, feed in
      json.field("id", feed.id.rawValue)
      json.field("favicon_id", icons[feed.id]?.id ?? 0)
      json.field("title", feed.visibleTitle)
      json.field("url", feed.visibleURL)
      json.field("site_url", feed.siteURL ?? "")
      json.field("is_spark", 0)
      json.field("last_updated_on_time", feed.fetchState.lastSuccess?.seconds ?? 0)
    }
  }

  /// Writes the ids of the feeds of each group.
  static func writeMembers(_ catalog: SyncCatalog, _ json: inout JSONWriter) {
    json.objects("feeds_groups", FeverGroups.groups(catalog), writesEmpty: true) { json, group in
      json.field("group_id", group.id)
      json.field("feed_ids", group.feeds.map { String($0.id.rawValue) }.joined(separator: ","))
    }
  }
}
