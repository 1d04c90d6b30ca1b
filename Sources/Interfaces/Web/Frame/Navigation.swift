import Modules
import NewsCore
import NewsToolbox
import Synchronization

/// The navigation beside every page: folders, feeds and saved searches with their unread counts.
struct Navigation: Sendable {
  struct Entry: Sendable {
    var title: String
    var address: ListAddress
    var unread: Int
    /// What is special about a feed: it fails, is gone, paused or hidden; nil: nothing.
    var state: String?
    var isFailing = false
    /// The folders and feeds in a folder.
    var entries: [Entry] = []

    var isFolder: Bool {
      if case .folder = address.selection { true } else { false }
    }
  }

  var unread = 0
  var entries: [Entry] = []
  var searches: [Entry] = []
  var feedCount = 0
  /// Feeds that are not shown, because there are too many.
  var hiddenFeeds = 0

  /// The folders at the top.
  var folders: [Entry] { entries.filter(\.isFolder) }

  /// The feeds that are shown.
  var feeds: [Feed.ID] { Self.feeds(of: entries) }

  /// Maximum number of feeds shown. If there are more, these are feeds with unread items, feeds that fail, and the current one.
  static let feedLimit = 1000

  init() {}

  /// The navigation for the feeds that are shown, a part of all.
  init(_ content: SubscriptionsViewModel) {
    unread = content.totals?.unread ?? 0
    feedCount = content.totals?.feeds ?? content.lines.count
    hiddenFeeds = feedCount
    for feed in content.lines { add(feed) }
    searches = content.saved.map {
      Entry(title: DisplayText(line: $0.name).string, address: ListAddress(.saved($0.name)), unread: 0)
    }
  }
}

extension Navigation {
  /// Adds a feed at the end of its folder.
  mutating func add(_ feed: SubscriptionLine) {
    guard let address = ListAddress(SubscriptionsRouter().list(of: feed.id)) else { return }
    var entry = Entry(title: feed.title.string, address: address, unread: feed.unread)
    let health: String? =
      switch feed.health {
      case .paused: Wording.paused
      case .failing: Wording.fails
      case .gone: Wording.gone
      case .good, .new: nil
      }
    let states = [health, feed.isHidden ? Wording.hidden : nil].compactMap(\.self)
    entry.state = states.isEmpty ? nil : states.joined(separator: ", ")
    entry.isFailing = feed.isFailing
    Self.insert(entry, below: Self.levels(of: feed.folderPath ?? "")[...], of: "", into: &entries)
    hiddenFeeds -= 1
  }

  /// Adds a folder, none of whose feeds is shown.
  mutating func add(folder: String) {
    Self.insert(nil, below: Self.levels(of: folder)[...], of: "", into: &entries)
  }

  private static func levels(of folder: String) -> [String] { folder.split(ascii: "/").map { String($0) } }

  /// True if the list of an entry is this one.
  func contains(_ selection: ListAddress.Selection) -> Bool { Self.contains(entries, selection) }

  private static func contains(_ entries: [Entry], _ selection: ListAddress.Selection) -> Bool {
    entries.contains { $0.address.selection == selection || contains($0.entries, selection) }
  }

  /// Sorts the tree by name, folders before feeds.
  mutating func sortByName() { entries = Self.sorted(entries) }

  private static func sorted(_ entries: [Entry]) -> [Entry] {
    entries.map { entry -> (entry: Entry, name: String) in
      var entry = entry
      entry.entries = sorted(entry.entries)
      return (entry: entry, name: entry.title.lowercased())
    }.sorted { first, second in
      let isFolder = first.entry.isFolder
      return isFolder == second.entry.isFolder ? first.name < second.name : isFolder
    }.map { $0.entry }
  }

  /// Number of levels that are shown as such; the names of deeper ones stay together.
  private static let deepest = 12

  /// Inserts a feed below its folders, and adds its unread items to theirs. `path` is the folder of `entries`. Nil: inserts only
  /// the folders.
  private static func insert(
    _ entry: Entry?,
    below levels: ArraySlice<String>,
    of path: String,
    into entries: inout [Entry],
    depth: Int = 1
  ) {
    guard let first = levels.first else {
      if let entry { entries.append(entry) }
      return
    }
    let name = depth < deepest ? first : levels.joined(separator: "/")
    let folder = path.isEmpty ? name : path + "/" + name
    let address = ListAddress(.folder(folder))
    // The feeds of a folder mostly follow each other.
    let known = entries.lastIndex { $0.address.selection == address.selection }
    let place = known ?? entries.count
    if known == nil {
      entries.append(Entry(title: DisplayText(line: name).string, address: address, unread: 0))
    }
    entries[place].unread += entry?.unread ?? 0
    let rest = depth < deepest ? levels.dropFirst() : []
    insert(entry, below: rest, of: folder, into: &entries[place].entries, depth: depth + 1)
  }

  /// The feeds of entries and of the folders among them.
  fileprivate static func feeds(of entries: [Entry]) -> [Feed.ID] {
    entries.flatMap { entry -> [Feed.ID] in
      if case .feed(let id) = entry.address.selection { return [id] }
      return feeds(of: entry.entries)
    }
  }
}

/// Caches the navigation until the store changes, so that not every page reads thousands of feeds.
final class Navigator: Sendable {
  private struct Kept {
    var navigation: Navigation
    /// False: its feeds were not read.
    var hasFeeds: Bool
    var change: Int64
    var time: Timestamp
  }

  private let modules: any WebModules
  private let clock: any WallClock
  private let searches: SearchCounter
  private let kept = Mutex<Kept?>(nil)
  /// Maximum age of the cache in seconds: the change log does not tell that another process has saved a
  /// search.
  private static let longestKeeping: Int64 = 10

  /// `turns` are those of the account; nil: it is alone.
  init(modules: any WebModules, clock: any WallClock, turns: TaskTurns?) {
    self.modules = modules
    self.clock = clock
    searches = SearchCounter(modules: modules, turns: turns)
  }

  /// The current navigation, or the last one if the store cannot be read. It has the feed or folder of the list `current`, also
  /// if there are too many to show all. `hasFeeds`: false if its numbers and searches are enough: marks and parts of pages do
  /// not wait for the feeds.
  func navigation(of current: ListAddress? = nil, hasFeeds: Bool = true) async -> Navigation {
    var navigation = await latest(hasFeeds: hasFeeds)
    if hasFeeds, navigation.hiddenFeeds > 0, let current, !navigation.contains(current.selection) {
      await add(current.selection, to: &navigation)
    }
    let counts = await searches.counts(of: navigation.searches.map(\.address))
    for index in navigation.searches.indices {
      navigation.searches[index].unread = counts[navigation.searches[index].address] ?? 0
    }
    return navigation
  }

  /// The last counts of saved searches.
  var searchCounts: [ListAddress: Int] { searches.latest }

  /// The navigation without the counts of the searches.
  private func latest(hasFeeds: Bool) async -> Navigation {
    let old = kept.withLock { $0 }
    guard let change = try? await modules.latestChange() else { return old?.navigation ?? Navigation() }
    let now = clock.now()
    let isOld = old.map { $0.change != change || !(0...Self.longestKeeping).contains(now - $0.time) } ?? true
    if let old, !isOld, old.hasFeeds || !hasFeeds { return old.navigation }
    guard var content = await read(FeedWindow(.all, 0..<0)) else { return old?.navigation ?? Navigation() }
    if hasFeeds {
      let isWhole = content.totals.map { $0.feeds <= Navigation.feedLimit } ?? true
      let window = FeedWindow(isWhole ? .all : .unreadOrFailing, 0..<Navigation.feedLimit)
      guard let whole = await read(window) else { return old?.navigation ?? Navigation() }
      content = whole
    }
    var navigation = Navigation(content)
    if !hasFeeds, let old {
      // A page shows the former ones if the store cannot be read then.
      navigation.entries = old.navigation.entries
      navigation.hiddenFeeds = old.navigation.hiddenFeeds
    }
    let new = Kept(navigation: navigation, hasFeeds: hasFeeds, change: change, time: now)
    kept.withLock { $0 = new }
    if isOld { searches.expire() }
    return navigation
  }

  /// Adds the feed or folder of a list, if there is one.
  private func add(_ selection: ListAddress.Selection, to navigation: inout Navigation) async {
    switch selection {
    case .feed(let id):
      if let feed = await read(FeedWindow(.feed(id)))?.lines.first { navigation.add(feed) }
    case .folder(let name):
      let all = await read(FeedWindow(.all, 0..<0), namesFolders: true)
      if all?.folderNames.contains(name) == true { navigation.add(folder: name) }
    default: break
    }
  }

  /// Feeds, and the numbers of all; nil if the store cannot be read.
  private func read(_ window: FeedWindow, namesFolders: Bool = false) async -> SubscriptionsViewModel? {
    let selection = FeedSelection(window, namesFolders: namesFolders)
    return await ModuleRun.last({ try modules.subscriptions() }, .list(selection)).content
  }

  /// Leaves the cached navigation only to pages that cannot read the store, after a change that is not in the change log.
  func forget() {
    kept.withLock { $0?.change = -1 }
  }
}
