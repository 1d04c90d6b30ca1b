public import NewsCore

/// A feed or a folder as an entry of the tree of subscriptions. A folder is named by its path.
public enum TreeEntry: Hashable, Sendable {
  case feed(Feed.ID)
  case folder(String)
}

/// The new place of an entry of the tree.
public enum TreePlace: Hashable, Sendable {
  /// One place up or down among the entries of its folder.
  case up, down
  /// Beside an entry. A feed also moves to the folder of that entry.
  case before(TreeEntry), after(TreeEntry)
}

/// The feeds as a tree of folders in the user's order: a folder has the place of its first feed.
struct SubscriptionTree {
  /// The folders of feeds; an empty text is the top level.
  private var folders: [Feed.ID: String] = [:]
  /// The entries of each folder.
  private var entries: [String: [TreeEntry]] = [:]

  init(_ feeds: [Feed]) {
    for feed in feeds {
      var parent = ""
      for folder in feed.folder.map(FolderPath.chain) ?? [] {
        if entries[folder] == nil {
          entries[folder] = []
          entries[parent, default: []].append(.folder(folder))
        }
        parent = folder
      }
      entries[parent, default: []].append(.feed(feed.id))
      folders[feed.id] = parent
    }
  }

  /// Returns the folder of an entry, or nil if the tree has no such entry.
  func folder(of entry: TreeEntry) -> String? {
    switch entry {
    case .feed(let id): return folders[id]
    case .folder(let path):
      guard entries[path] != nil else { return nil }
      return FolderPath.chain(of: path).dropLast().last ?? ""
    }
  }

  /// Returns the feeds in the order of the tree after an entry was moved within its folder; nil: it cannot be moved there.
  func order(moving entry: TreeEntry, to place: TreePlace) -> [Feed.ID]? {
    guard let folder = folder(of: entry), var siblings = entries[folder],
      let index = siblings.firstIndex(of: entry)
    else { return nil }
    siblings.remove(at: index)
    let target: Int? =
      switch place {
      case .up: index - 1
      case .down: index + 1
      case .before(let other): siblings.firstIndex(of: other)
      case .after(let other): siblings.firstIndex(of: other).map { $0 + 1 }
      }
    guard let target, (0...siblings.count).contains(target) else { return nil }
    siblings.insert(entry, at: target)
    var tree = self
    tree.entries[folder] = siblings
    return tree.feeds(in: "")
  }

  private func feeds(in folder: String) -> [Feed.ID] {
    (entries[folder] ?? []).flatMap { entry -> [Feed.ID] in
      switch entry {
      case .feed(let id): [id]
      case .folder(let path): feeds(in: path)
      }
    }
  }
}
