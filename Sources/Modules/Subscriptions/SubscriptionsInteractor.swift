public import NewsCore

/// Lists the feeds, renames, moves and removes them.
public struct SubscriptionsInteractor: Interactor {
  private let feeds: any FeedKeeping
  private let searches: (any DefinitionKeeping)?
  private let presenter: SubscriptionsPresenter

  public init(
    feeds: any FeedKeeping,
    searches: (any DefinitionKeeping)? = nil,
    presenter: SubscriptionsPresenter
  ) {
    self.feeds = feeds
    self.searches = searches
    self.presenter = presenter
  }

  public func respond(to route: SubscriptionsRoute, emit: @escaping Emit<SubscriptionsViewModel>) async throws
  {
    switch route {
    case .list(let selection): try emit(try await list(selection))
    case .remove(let names): try emit(try await remove(names))
    case .rename(let name, let title): try emit(try await rename(name, to: title))
    case .move(let name, let folder, let position): try emit(try await move(name, folder, position))
    case .moveFeeds(let ids, let folder):
      let folder = DisplayText(line: folder).trimmed.string
      for id in ids { try await feeds.move(id, toFolder: folder.isEmpty ? nil : folder) }
      try emit(presenter.moved(ids.count, to: folder))
    case .arrange(let entry, let place): try emit(try await arrange(entry, place))
    case .moveFolder(let folder, let name): try emit(try await moveFolder(folder, to: name))
    }
  }

  private func list(
    _ selection: FeedSelection
  ) async throws(StoreError) -> Container<SubscriptionsViewModel> {
    if let window = selection.window { return try await part(window, namesFolders: selection.namesFolders) }
    var selected = try await feeds.feeds()
    if !selection.folders.isEmpty {
      var ids: Set<Feed.ID> = []
      for folder in selection.folders {
        for feed in try FolderSelection.feeds(in: folder, of: selected) { ids.insert(feed.id) }
      }
      selected = selected.filter { ids.contains($0.id) }
    }
    if selection.hasUnread { selected = selected.filter { $0.unreadCount > 0 } }
    if selection.isFailing { selected = selected.filter(FailureReport.isFailing) }
    // A complete list includes saved searches, because their names are accepted wherever a feed's name is.
    let searches = selection.isComplete ? try await self.searches?.savedSearches() : nil
    return presenter.list(
      Self.sorted(selected, by: selection.order),
      searches: searches ?? [],
      isComplete: selection.isComplete
    )
  }

  private func part(
    _ window: FeedWindow,
    namesFolders: Bool
  ) async throws(StoreError) -> Container<SubscriptionsViewModel> {
    let (part, totals) = try await feeds.feeds(window)
    return presenter.part(
      part,
      totals,
      searches: try await searches?.savedSearches() ?? [],
      folders: namesFolders ? try await feeds.folders() : []
    )
  }

  private static func sorted(_ feeds: [Feed], by order: FeedSelection.Order) -> [Feed] {
    /// Sorts by a key; feeds with equal keys by position.
    func sorted<Key: Comparable>(by key: (Feed) -> Key) -> [Feed] {
      feeds.sorted { (key($0), $0.position) < (key($1), $1.position) }
    }
    return switch order {
    case .position: feeds
    case .title: sorted { $0.title.lowercased() }
    case .unread: sorted { -$0.unreadCount }
    case .last: sorted { -($0.fetchState.lastFetched?.seconds ?? .min + 1) }
    case .failures: sorted { -$0.fetchState.failures }
    }
  }

  /// Removes all named feeds, or none if one name is unknown or only part of a title: a removal cannot be undone.
  private func remove(_ names: [String]) async throws(StoreError) -> Container<SubscriptionsViewModel> {
    var named: [Feed] = []
    for name in names {
      let feed = try await feeds.feed(named: name)
      guard feed.isCalled(name) else { return presenter.ambiguous(name, feed) }
      if !named.contains(where: { $0.id == feed.id }) { named.append(feed) }
    }
    for feed in named { try await feeds.remove(feed.id) }
    return presenter.removed(named)
  }

  private func rename(
    _ name: String,
    to title: String
  ) async throws(StoreError) -> Container<SubscriptionsViewModel> {
    let title = DisplayText(line: title).trimmed.string
    guard !title.isEmpty else { return presenter.emptyTitle(name) }
    let feed = try await feeds.feed(named: name)
    try await feeds.rename(feed.id, to: title)
    return presenter.renamed(feed, to: title)
  }

  private func arrange(
    _ entry: TreeEntry,
    _ place: TreePlace
  ) async throws(StoreError) -> Container<SubscriptionsViewModel> {
    var all = try await feeds.feeds()
    if case .feed(let id) = entry, let index = all.firstIndex(where: { $0.id == id }) {
      let tree = SubscriptionTree(all)
      let folder: String? =
        switch place {
        case .up, .down: nil
        case .before(let other), .after(let other): tree.folder(of: other)
        }
      if let folder, folder != tree.folder(of: entry) {
        all[index].folder = folder.isEmpty ? nil : folder
        try await feeds.move(id, toFolder: all[index].folder)
      }
    }
    guard let order = SubscriptionTree(all).order(moving: entry, to: place) else {
      return presenter.notArranged()
    }
    try await feeds.arrange(order)
    return presenter.arranged()
  }

  private func moveFolder(
    _ folder: String,
    to name: String
  ) async throws(StoreError) -> Container<SubscriptionsViewModel> {
    let name = DisplayText(line: name).trimmed.string
    try await feeds.moveFolder(folder, to: name.isEmpty ? nil : name)
    return presenter.movedFolder(folder, to: name)
  }

  private func move(
    _ name: String,
    _ folder: String?,
    _ position: Int?
  ) async throws(StoreError) -> Container<SubscriptionsViewModel> {
    if let position, position < 1 { return presenter.badPosition(position) }
    let feed = try await feeds.feed(named: name)
    if let folder {
      let folder = DisplayText(line: folder).trimmed.string
      try await feeds.move(feed.id, toFolder: folder.isEmpty ? nil : folder)
    }
    if let position { try await feeds.move(feed.id, to: position) }
    // A position beyond the end means the last one: report the feed's actual position.
    let moved = try await feeds.feeds().first { $0.id == feed.id } ?? feed
    return presenter.moved(moved, folder: folder != nil, position: position != nil)
  }
}
