public import NewsCore
import NewsToolbox

/// The operations of sync clients of every protocol: read streams, mark and label items, change
/// subscriptions.
public struct SyncStreams: Sendable {
  /// The ports that syncing needs from the store.
  public typealias Store = FeedKeeping & ItemReading & ItemMarking & ChangeReading

  public let store: any Store
  private let makeAdder: @Sendable () throws(StoreError) -> FeedAdder
  private let transfer: SubscriptionTransfer
  public let clock: any WallClock

  /// `makeAdder` is called when a client subscribes.
  public init(
    store: any Store,
    transfer: SubscriptionTransfer,
    clock: any WallClock,
    makeAdder: @escaping @Sendable () throws(StoreError) -> FeedAdder
  ) {
    self.store = store
    self.transfer = transfer
    self.clock = clock
    self.makeAdder = makeAdder
  }

  public func catalog() async throws(StoreError) -> SyncCatalog {
    SyncCatalog(feeds: try await store.feeds(), labels: try await store.itemLabels())
  }

  // MARK: Items

  /// Changes items, and returns the ids that match no item. Throws `badQuery` for a new label that is empty, too long
  /// or the name of a folder, because clients could not distinguish the two.
  @discardableResult
  public func edit(_ ids: [NewsItem.ID], _ edit: StreamEdit) async throws(StoreError) -> [NewsItem.ID] {
    if !edit.addedLabels.isEmpty {
      let folders = try await catalog().folders
      for label in edit.addedLabels { try check(label: label, folders) }
    }
    return try await store.edit(ids, edit)
  }

  private func check(label: String, _ folders: [String]) throws(StoreError) {
    try ItemLabel.check(label)
    guard !folders.contains(label) else {
      throw StoreError(code: .badQuery, message: "'\(label)' is a folder; give the label another name")
    }
  }

  // MARK: Subscriptions

  /// Subscribes to a feed or to the first feed that a page names, or returns the feed that has this address already.
  ///
  /// Only web addresses are accepted: `file:` and `exec:` would let a client with an app password read files and run
  /// programs. A user typed the address into the client, so it may be local unless `isPublicOnly`.
  public func subscribe(
    to address: String,
    title: String? = nil,
    folder: String? = nil,
    isPublicOnly: Bool = false
  ) async throws -> (feed: Feed, isNew: Bool) {
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
    let folder = try await checked(folder: folder)
    do {
      let choices = FeedAdditionOptions(title: title, folder: folder, pick: 1, isPublicOnly: isPublicOnly)
      switch try await makeAdder().add(url, choices) {
      case .added(let feed, _), .addedUnreached(let feed, _): return (feed, true)
      case .choices(let page, _):
        throw FeedAdditionError(code: .notAFeed, message: "\(WebAddress.redacted(page)) has several feeds")
      }
    } catch let error as FeedAdditionError {
      guard case .duplicate(let feed) = error.code else { throw error }
      if let title, !title.isEmpty { try await store.rename(feed.id, to: title) }
      if let folder { try await store.move(feed.id, toFolder: folder) }
      return (feed, false)
    }
  }

  /// Moves a feed into a folder; nil or empty: to the top level.
  public func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError) {
    try await store.move(id, toFolder: try await checked(folder: folder))
  }

  /// Renames a folder together with its subfolders, or a label. With nil, removes a label, or takes the feeds
  /// of a folder out of it. Throws `badQuery` if there is neither, or if the new name belongs to the other
  /// kind.
  public func renameFolderOrLabel(_ name: String, to new: String?) async throws(StoreError) {
    let catalog = try await catalog()
    switch catalog.stream(folderOrLabel: name) {
    case .feeds:
      try await store.moveFolder(name, to: try await checked(folder: new))
    case .label:
      if let new { try check(label: new, catalog.folders) }
      try await store.relabel(name, to: new)
    default:
      throw StoreError(code: .badQuery, message: "there is no folder or label '\(name)'")
    }
  }

  private func checked(folder: String?) async throws(StoreError) -> String? {
    guard let folder, !folder.isEmpty else { return nil }
    guard folder.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw StoreError(code: .badQuery, message: "a folder's name must not contain control characters")
    }
    guard try await !store.itemLabels().contains(where: { $0.name == folder }) else {
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
