import NewsToolbox

/// An item in the form of Google Reader's API, which servers and exports of other readers share.
enum GreaderItem {
  /// Reads an item without its feed. `folders` are names of folders, which some servers also list as labels of each item.
  static func read(_ entry: JSONValue, folders: Set<String>) -> ImportedItem {
    var item = ParsedItem()
    item.title = entry["title"]?.string
    item.url = ["canonical", "alternate"].lazy.compactMap { entry[$0]?.array?.first?["href"]?.string }.first
    item.contentHTML = ["content", "summary"].lazy.compactMap { entry[$0]?["content"]?.string }.first
    item.published = entry["published"]?.looseInteger.flatMap(time)
    if let author = entry["author"]?.string, !author.isEmpty { item.authors = [Author(name: author)] }
    item.enclosures = (entry["enclosure"]?.array ?? []).compactMap { value in
      value["href"]?.string.map {
        Enclosure(url: $0, mimeType: value["type"]?.string, size: value["length"]?.looseInteger)
      }
    }
    var imported = ImportedItem(item: item)
    for case let category? in (entry["categories"]?.array ?? []).map(\.string) {
      guard category.hasPrefix(bytesOf: "user/"), let name = category.part(afterSlashes: 2) else {
        // FreshRSS lists the feed's own tags without a prefix.
        imported.item.tags.append(Category(term: category))
        continue
      }
      switch name {
      case "state/com.google/read": imported.isRead = true
      case "state/com.google/starred": imported.isStarred = true
      default:
        guard let label = name.hasPrefix(bytesOf: "label/") ? name.part(afterSlashes: 1) : nil,
          !folders.contains(label)
        else { continue }
        imported.labels.append(label)
      }
    }
    return imported
  }

  /// Feedly's times are in milliseconds.
  static func time(_ number: Int64) -> Timestamp? {
    let seconds = number > 99_999_999_999 ? number / 1000 : number
    return (0...253_402_300_799).contains(seconds) ? Timestamp(seconds: seconds) : nil
  }
}

extension String {
  /// The text after this many slashes; nil if there are fewer.
  fileprivate func part(afterSlashes count: Int) -> String? {
    var rest = self[...]
    for _ in 0..<count {
      guard let cut = String(rest).cut(atFirst: "/") else { return nil }
      rest = Substring(String(cut.after))
    }
    return String(rest)
  }
}
