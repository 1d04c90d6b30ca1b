public import NewsToolbox

/// A file with items in the form of Google Reader's API: exports of FreshRSS, Inoreader, Google Takeout and newsd, and
/// streams of Feedly's API.
public enum StreamDocument {
  /// Returns nil for a value that is neither an object with items nor an array of them. HTML is not sanitized, and
  /// references in titles are not decoded.
  public static func read(_ document: JSONValue) -> ForeignDocument? {
    guard let entries = document["items"]?.array ?? document.array else { return nil }
    let stream = document["id"]?.string ?? ""
    // Google Takeout and Feedly name the stream; FreshRSS names each item's states.
    let isStarred =
      stream.hasSuffix(bytesOf: "/state/com.google/starred") || stream.hasSuffix(bytesOf: "/tag/global.saved")
    var result = ForeignDocument()
    for entry in entries where entry.members != nil {
      guard let feed = feed(entry["origin"]) else {
        result.withoutFeed += 1
        continue
      }
      var imported = GreaderItem.read(entry, folders: [])
      imported.isStarred = imported.isStarred || isStarred
      let guid = entry["guid"]?.string ?? entry["originId"]?.string
      imported.item.id = guid == imported.item.url ? nil : guid
      readFeedly(entry, &imported)
      result.add(imported, to: feed)
    }
    return result
  }

  /// The address is `feedUrl` in FreshRSS's exports, and part of the stream's id elsewhere.
  private static func feed(_ origin: JSONValue?) -> NewFeed? {
    guard let origin else { return nil }
    let id = origin["streamId"]?.string ?? ""
    let url =
      origin["feedUrl"]?.string ?? (id.hasPrefix(bytesOf: "feed/http") ? String(id.dropFirst(5)) : nil)
    guard let url, !url.isEmpty else { return nil }
    return NewFeed(url: url, title: origin["title"]?.string, siteURL: origin["htmlUrl"]?.string)
  }

  /// Feedly (developer.feedly.com, entries) has its states as members and tags.
  private static func readFeedly(_ entry: JSONValue, _ imported: inout ImportedItem) {
    if entry["unread"]?.bool == false { imported.isRead = true }
    imported.item.url = imported.item.url ?? entry["canonicalUrl"]?.string
    imported.item.tags += (entry["keywords"]?.array ?? []).compactMap(\.string).map { Category(term: $0) }
    for tag in entry["tags"]?.array ?? [] {
      guard let id = tag["id"]?.string else { continue }
      if id.hasSuffix(bytesOf: "/global.saved") {
        imported.isStarred = true
      } else if id.hasSuffix(bytesOf: "/global.read") {
        imported.isRead = true
      } else if let label = tag["label"]?.string {
        imported.labels.append(label)
      }
    }
  }
}
