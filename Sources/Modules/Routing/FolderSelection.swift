import NewsCore

/// Selects feeds by folder.
enum FolderSelection {
  /// The feeds in the folder `name` and its subfolders. Case is ignored. Throws `noSuchFeed` if there is
  /// none; the message lists existing folders.
  static func feeds(in name: String, of feeds: [Feed]) throws(StoreError) -> [Feed] {
    let wanted = wanted(name)
    let found = feeds.filter { feed in
      feed.folder.map { FolderPath.isInside($0.lowercased(), wanted) } ?? false
    }
    if found.isEmpty { try check(name, isIn: feeds.compactMap(\.folder)) }
    return found
  }

  private static func wanted(_ name: String) -> String { (FolderPath.cleaned(name) ?? "").lowercased() }

  /// Throws `noSuchFeed` if no folder of feeds is `name` or inside it; the message lists existing folders.
  static func check(_ name: String, isIn folders: [String]) throws(StoreError) {
    let wanted = wanted(name)
    guard !folders.contains(where: { FolderPath.isInside($0.lowercased(), wanted) }) else { return }
    let folders = Set(folders)
    let known = folders.sorted().prefix(5).joined(separator: ", ")
    let hint = folders.isEmpty ? "" : "; the folders are \(known)\(folders.count > 5 ? ", …" : "")"
    throw StoreError(code: .noSuchFeed, message: "no feed is in a folder '\(name)'\(hint)")
  }
}
