public import NewsCore

/// Lists the feeds and changes their names and places.
///
/// Assembled by a configurator:
/// ```
/// let output = try FeedOutput(format: format, fields: fields, terminal: terminal)
/// SubscriptionsInteractor(feeds: store, editing: store, presenter: SubscriptionsPresenter(output: output))
/// Screen(view: SubscriptionsView(output: output), output: standardOutput, messages: standardError)
/// ```
public struct SubscriptionsInteractor: Sendable {
  private let feeds: any FeedReading
  private let editing: any FeedEditing
  private let searches: (any SavedSearchKeeping)?
  private let presenter: SubscriptionsPresenter

  public init(
    feeds: any FeedReading,
    editing: any FeedEditing,
    searches: (any SavedSearchKeeping)? = nil,
    presenter: SubscriptionsPresenter
  ) {
    self.feeds = feeds
    self.editing = editing
    self.searches = searches
    self.presenter = presenter
  }

  /// Emits the feeds that the route selects; a complete list for people also has the saved searches, whose names are
  /// accepted wherever a feed's is.
  ///
  /// - Throws: What `emit` throws.
  public func list(
    _ route: SubscriptionsRoute = SubscriptionsRoute(),
    emit: Emit<SubscriptionsViewModel>
  ) async throws {
    try await run(emit) { () async throws(StoreError) in
      var selected = try await feeds.feeds()
      if !route.folders.isEmpty {
        var ids: Set<Feed.ID> = []
        for folder in route.folders {
          for feed in try FolderSelection.feeds(in: folder, of: selected) { ids.insert(feed.id) }
        }
        selected = selected.filter { ids.contains($0.id) }
      }
      if route.hasUnread { selected = selected.filter { $0.unreadCount > 0 } }
      if route.isFailing { selected = selected.filter(FailureReport.isFailing) }
      let searches = route.isComplete ? try await self.searches?.savedSearches() : nil
      return presenter.present(Self.sorted(selected, by: route.order), searches: searches ?? [])
    }
  }

  private static func sorted(_ feeds: [Feed], by order: SubscriptionsRoute.Order) -> [Feed] {
    /// Sorts by a key, feeds with equal keys by position.
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

  /// Removes the feeds that `names` mean, with their items: all of them or, where one cannot be told, none. A part of a
  /// title is refused, because what is removed cannot be brought back.
  ///
  /// - Throws: What `emit` throws.
  public func remove(_ names: [String], emit: Emit<SubscriptionsViewModel>) async throws {
    try await run(emit) { () async throws(StoreError) in
      var named: [Feed] = []
      for name in names {
        let feed = try await wholeNamed(name)
        if !named.contains(where: { $0.id == feed.id }) { named.append(feed) }
      }
      for feed in named { try await editing.remove(feed.id) }
      return presenter.present(.removed(named))
    }
  }

  private func wholeNamed(_ name: String) async throws(StoreError) -> Feed {
    let feed = try await feeds.feed(named: name)
    let isWhole =
      name == String(feed.id.rawValue) || name == feed.url || name.lowercased() == feed.title.lowercased()
    guard isWhole else {
      throw StoreError(
        code: .ambiguousFeed,
        message:
          "'\(name)' is only a part of the title '\(feed.title)'. To remove that feed and its items, name it by its id "
          + "(\(feed.id.rawValue)), URL or whole title"
      )
    }
    return feed
  }

  /// Gives the feed that `name` means another title; it may not be blank.
  ///
  /// - Throws: What `emit` throws.
  public func rename(_ name: String, to title: String, emit: Emit<SubscriptionsViewModel>) async throws {
    let title = DisplayText(line: title).trimmed.string
    guard !title.isEmpty else {
      return try emit(
        .failed(UserMessage(code: .usage, text: "The new title of '\(name)' is empty. Give it one."))
      )
    }
    try await run(emit) { () async throws(StoreError) in
      let feed = try await feeds.feed(named: name)
      try await editing.rename(feed.id, to: title)
      return presenter.present(.renamed(feed, to: title))
    }
  }

  /// Moves the feed that `name` means to the 1-based `position`; the others close up.
  ///
  /// - Throws: What `emit` throws.
  public func move(_ name: String, to position: Int, emit: Emit<SubscriptionsViewModel>) async throws {
    guard position >= 1 else {
      return try emit(
        .failed(UserMessage(code: .usage, text: "Positions count from 1; \(position) is none."))
      )
    }
    try await run(emit) { () async throws(StoreError) in
      let feed = try await feeds.feed(named: name)
      try await editing.move(feed.id, to: position)
      // Beyond the end means the end: tell where it really stands now.
      let moved = try await feeds.feeds().first { $0.id == feed.id } ?? feed
      return presenter.present(.moved(moved))
    }
  }

  /// Moves the feed that `name` means into a folder; blank: to the top level.
  ///
  /// - Throws: What `emit` throws.
  public func move(
    _ name: String,
    toFolder folder: String,
    emit: Emit<SubscriptionsViewModel>
  ) async throws {
    let folder = DisplayText(line: folder).trimmed.string
    try await run(emit) { () async throws(StoreError) in
      let feed = try await feeds.feed(named: name)
      try await editing.move(feed.id, toFolder: folder.isEmpty ? nil : folder)
      return presenter.present(.filed(feed, folder: folder.isEmpty ? nil : folder))
    }
  }

  private func run(
    _ emit: Emit<SubscriptionsViewModel>,
    _ change: () async throws(StoreError) -> SubscriptionsViewModel
  ) async throws {
    let content: SubscriptionsViewModel
    do {
      content = try await change()
    } catch {
      return try emit(presenter.present(error))
    }
    try emit(.ready(content))
  }
}
