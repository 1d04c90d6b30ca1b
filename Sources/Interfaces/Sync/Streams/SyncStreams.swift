public import NewsCore
import Synchronization

/// The operations of sync clients of every protocol: read streams, mark and label items, change
/// subscriptions.
public struct SyncStreams: Sendable {
  /// The ports that syncing needs from the store.
  public typealias Store = FeedKeeping & ItemReading & ItemMarking & ChangeReading & DefinitionKeeping
    & EnclosureKeeping

  public let store: any Store
  private let transfer: SubscriptionTransfer
  public let clock: any WallClock
  /// The icons of feeds.
  public let icons: FeedIcons
  let network: SyncNetwork
  private let separator: FolderSeparator

  public init(
    store: any Store,
    transfer: SubscriptionTransfer,
    clock: any WallClock,
    icons: FeedIcons,
    network: SyncNetwork,
    separator: FolderSeparator = FolderSeparator()
  ) {
    self.store = store
    self.transfer = transfer
    self.clock = clock
    self.icons = icons
    self.network = network
    self.separator = separator
  }

  /// The catalog of this moment. Answers about single items need only `folders`: a catalog has all feeds.
  public func catalog() async throws(StoreError) -> SyncCatalog {
    SyncCatalog(try await store.streamNames(), separator)
  }

  /// The catalog, if a request names anything in it; else an empty one, which costs no reading.
  func catalog(if isNeeded: Bool) async throws(StoreError) -> SyncCatalog {
    isNeeded ? try await catalog() : SyncCatalog(StreamNames(), separator)
  }

  /// The folders of this moment.
  func folders() async throws(StoreError) -> SyncFolders {
    let found = try await store.streamFolders()
    return SyncFolders(ofFeeds: found.ofFeeds, made: found.made, separator)
  }

  /// The name of a folder as clients see it.
  func shown(_ folder: String) -> String { separator.shown(folder) }

  /// The catalog with the icons of the feeds.
  func catalogWithIcons() async throws(StoreError) -> SyncCatalog {
    var catalog = try await catalog()
    catalog.icons = await icons.found(catalog.feeds.map(\.id))
    return catalog
  }

  // MARK: Items

  /// Returns the items of a folder, label or saved search; nil if there is none of this name.
  func items(named name: String, _ catalog: SyncCatalog) async throws -> ItemStream? {
    switch catalog.stream(named: name) {
    case .folder(let folder): .feeds(catalog.feeds(in: folder).map(\.id))
    case .label(let label): .label(label)
    case .search(let search): .items(try await ids(.saved(search.stored)))
    case nil: nil
    }
  }

  /// Returns the ids of all items that a query selects.
  func ids(_ query: Query) async throws -> [NewsItem.ID] {
    let ids = Mutex<[NewsItem.ID]>([])
    try await store.forEachBatch(ItemRequest(query: query, parts: []), of: 1000) { batch in
      ids.withLock { $0 += batch.lazy.map(\.item.id) }
      return true
    }
    return ids.withLock { $0 }
  }

  /// Changes items, and returns the ids that match no item. Throws `badQuery` for a new label that is empty, too long
  /// or the name of a folder or saved search, because clients could not distinguish them.
  @discardableResult
  public func edit(_ ids: [NewsItem.ID], _ edit: StreamEdit) async throws(StoreError) -> [NewsItem.ID] {
    if !edit.addedLabels.isEmpty || !edit.removedLabels.isEmpty {
      let catalog = try await catalog()
      for label in edit.addedLabels { try check(label: label, catalog) }
      for label in edit.removedLabels {
        if case .search = catalog.stream(named: label) { throw Self.isSearch(label) }
      }
    }
    return try await store.edit(ids, edit)
  }

  private func check(label: String, _ catalog: SyncCatalog) throws(StoreError) {
    switch catalog.stream(named: label) {
    case .folder:
      throw StoreError(code: .badQuery, message: "'\(label)' is a folder; give the label another name")
    case .search: throw Self.isSearch(label)
    case .label, nil: break
    }
  }

  private static func isSearch(_ name: String) -> StoreError {
    StoreError(
      code: .badQuery,
      message: "'\(name)' is a saved search: its query decides which items it has"
    )
  }

  // MARK: Subscriptions

  /// The result of a subscription.
  enum Subscription: Sendable {
    case feed(Feed, isNew: Bool)
    /// The page names several feeds; nothing was added.
    case choices([DiscoveredFeed])
  }

  /// Subscribes to a feed or to the first feed that a page names, or returns the feed that has this address already.
  public func subscribe(
    to address: String,
    title: String? = nil,
    folder: String? = nil
  ) async throws -> (feed: Feed, isNew: Bool) {
    let choices = FeedAdditionOptions(title: title, folder: folder, pick: 1)
    guard case .feed(let feed, let isNew) = try await subscribe(to: address, choices) else {
      throw FeedAdditionError(
        code: .notAFeed,
        message: "\(WebAddress.redacted(address)) has several feeds"
      )
    }
    return (feed, isNew)
  }

  /// Subscribes to a feed or to a feed of a page, or returns the feed that has this address already.
  ///
  /// Only web addresses are accepted: `file:` and `exec:` would let a client with an app password read files and run
  /// programs. A user typed the address into the client, so it may be local unless `choices` say otherwise.
  func subscribe(to address: String, _ choices: FeedAdditionOptions) async throws -> Subscription {
    let url: String
    do {
      url = try TypedAddress.url(address)
    } catch {
      throw FeedAdditionError(code: .badURL, message: error.message)
    }
    guard WebAddress.isWeb(url) else {
      throw FeedAdditionError(
        code: .badURL,
        message: "only http and https addresses can be subscribed to through the web; use 'newsd feeds add'"
      )
    }
    var choices = choices
    choices.folder = try await checked(folder: choices.folder)
    do {
      switch try await network.makeAdder().add(url, choices) {
      case .added(let feed, _), .addedUnreached(let feed, _): return .feed(feed, isNew: true)
      case .choices(_, let found): return .choices(found)
      }
    } catch let error as FeedAdditionError {
      guard case .duplicate(let feed) = error.code else { throw error }
      if let title = choices.title, !title.isEmpty { try await store.rename(feed.id, to: title) }
      if let folder = choices.folder { try await store.move(feed.id, toFolder: folder) }
      return .feed(feed, isNew: false)
    }
  }

  /// Moves a feed into a folder; nil or empty: to the top level.
  public func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError) {
    try await store.move(id, toFolder: try await checked(folder: folder))
  }

  /// Makes a folder that exists without a feed, and returns its name. Throws `BadRequest` if the name is taken.
  func makeFolder(_ name: String) async throws -> String {
    let folder = try await newFolder(name, try await catalog())
    try await store.makeFolder(MadeFolder(name: folder))
    return folder
  }

  /// Renames a folder together with its subfolders, and returns its new name. Throws `BadRequest` if that is taken.
  func renameFolder(_ folder: String, to name: String, _ catalog: SyncCatalog) async throws
    -> String
  {
    let new = try await newFolder(name, catalog)
    try await store.moveFolder(folder, to: new)
    try await store.makeFolder(MadeFolder(name: new, number: catalog.paths.number(of: folder)))
    return new
  }

  private func newFolder(_ name: String, _ catalog: SyncCatalog) async throws -> String {
    guard let folder = try await checked(folder: name).flatMap(FolderPath.cleaned) else {
      throw StoreError(code: .badQuery, message: "a folder must have a name")
    }
    // Clients compare this message of Miniflux.
    guard !catalog.folders.contains(folder) else { throw BadRequest("This category already exists.") }
    return folder
  }

  /// Renames a folder together with its subfolders, or a label. With nil, removes a label, or takes the feeds
  /// of a folder out of it. Throws `badQuery` if there is neither, or if the new name belongs to the other
  /// kind.
  public func renameFolderOrLabel(_ name: String, to new: String?) async throws(StoreError) {
    let catalog = try await catalog()
    switch catalog.stream(named: name) {
    case .folder(let folder): try await store.moveFolder(folder, to: try await checked(folder: new))
    case .label:
      if let new { try check(label: new, catalog) }
      try await store.relabel(name, to: new)
    case .search: throw Self.isSearch(name)
    case nil: throw StoreError(code: .badQuery, message: "there is no folder or label '\(name)'")
    }
  }

  /// Returns the path of the folder that a client names.
  private func checked(folder: String?) async throws(StoreError) -> String? {
    guard let folder = folder.map(separator.stored), !folder.isEmpty else { return nil }
    guard folder.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw StoreError(code: .badQuery, message: "a folder's name must not contain control characters")
    }
    guard try await !store.labelNames().contains(folder) else {
      throw StoreError(code: .badQuery, message: "'\(folder)' is a label; give the folder another name")
    }
    return folder
  }

  // MARK: Lists

  /// Subscribes to the feeds of a list without trusting it, and returns the number of feeds that the list
  /// names. Throws `FeedParseError` if it is not a list or names no feed.
  public func importList(_ bytes: [UInt8]) async throws -> Int {
    let report = try await transfer.importList(bytes)
    let count = report.added.count + report.duplicates.count
    guard count > 0 else {
      throw FeedParseError(code: .notAFeed, message: "the list names no feed")
    }
    return count
  }

  /// Returns the subscriptions as OPML, without secrets.
  public func exportList() async throws(StoreError) -> String {
    try await transfer.exportOPML().text
  }
}
