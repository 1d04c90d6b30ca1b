import NewsCore

/// Selects feeds by folder.
enum FolderSelection {
  /// The feeds in the folder `name` and its subfolders. Case is ignored.
  ///
  /// - Throws: `noSuchFeed` if no feed matches; the message lists existing folders.
  static func feeds(in name: String, of feeds: [Feed]) throws(StoreError) -> [Feed] {
    let wanted = (FolderPath.cleaned(name) ?? "").lowercased()
    let found = feeds.filter { feed in
      feed.folder.map { FolderPath.isInside($0.lowercased(), wanted) } ?? false
    }
    guard found.isEmpty else { return found }
    let folders = Set(feeds.compactMap(\.folder))
    let known = folders.sorted().prefix(5).joined(separator: ", ")
    let hint = folders.isEmpty ? "" : "; the folders are \(known)\(folders.count > 5 ? ", …" : "")"
    throw StoreError(code: .noSuchFeed, message: "no feed is in a folder '\(name)'\(hint)")
  }
}
