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
  }

  var unread = 0
  var entries: [Entry] = []
  var searches: [Entry] = []
  var feedCount = 0
  /// Feeds that are not shown, because they have no unread items or because there are too many.
  var hiddenFeeds = 0

  /// The folders at the top.
  var folders: [Entry] { entries.filter { !$0.entries.isEmpty } }

  /// The feeds that are shown.
  var feeds: [Feed.ID] { Self.feeds(of: entries) }

  /// With more feeds than this, only those with unread items are shown.
  static let manyFeeds = 80
  /// Maximum number of feeds shown.
  static let feedLimit = 200

  init() {}

  /// The navigation for the feeds that are shown, a part of all.
  init(_ content: SubscriptionsViewModel) {
    let router = SubscriptionsRouter()
    unread = content.totals?.unread ?? 0
    feedCount = content.totals?.feeds ?? content.lines.count
    hiddenFeeds = feedCount - content.lines.count
    for feed in content.lines {
      guard let address = ListAddress(router.list(of: feed.id)) else { continue }
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
      let levels = feed.folderPath.map { $0.split(ascii: "/").map { String($0) } } ?? []
      Self.insert(entry, below: levels[...], of: "", into: &entries)
    }
    searches = content.saved.map {
      Entry(title: DisplayText(line: $0.name).string, address: ListAddress(.saved($0.name)), unread: 0)
    }
  }
}

extension Navigation {
  /// Sorts the tree by name, folders before feeds.
  mutating func sortByName() { entries = Self.sorted(entries) }

  private static func sorted(_ entries: [Entry]) -> [Entry] {
    entries.map { entry in
      var entry = entry
      entry.entries = sorted(entry.entries)
      return entry
    }.sorted { first, second in
      let (isFolder, name) = (!first.entries.isEmpty, first.title.lowercased())
      let (other, otherName) = (!second.entries.isEmpty, second.title.lowercased())
      return isFolder == other ? name < otherName : isFolder
    }
  }

  /// Number of levels that are shown as such; the names of deeper ones stay together.
  private static let deepest = 12

  /// Inserts a feed below its folders, and adds its unread items to theirs. `path` is the folder of `entries`.
  private static func insert(
    _ entry: Entry,
    below levels: ArraySlice<String>,
    of path: String,
    into entries: inout [Entry],
    depth: Int = 1
  ) {
    guard let first = levels.first else { return entries.append(entry) }
    let name = depth < deepest ? first : levels.joined(separator: "/")
    let folder = path.isEmpty ? name : path + "/" + name
    let address = ListAddress(.folder(folder))
    let known = entries.firstIndex { $0.address.selection == address.selection }
    let place = known ?? entries.count
    if known == nil {
      entries.append(Entry(title: DisplayText(line: name).string, address: address, unread: 0))
    }
    entries[place].unread += entry.unread
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

  /// The current navigation, or the last one if the store cannot be read.
  func navigation() async -> Navigation {
    var navigation = await feeds()
    let counts = await searches.counts(of: navigation.searches.map(\.address))
    for index in navigation.searches.indices {
      navigation.searches[index].unread = counts[navigation.searches[index].address] ?? 0
    }
    return navigation
  }

  /// The last counts of saved searches.
  var searchCounts: [ListAddress: Int] { searches.latest }

  /// The navigation without the counts of the searches.
  private func feeds() async -> Navigation {
    let old = kept.withLock { $0 }
    guard let change = try? await modules.latestChange() else { return old?.navigation ?? Navigation() }
    let now = clock.now()
    if let old, old.change == change, (0...Self.longestKeeping).contains(now - old.time) {
      return old.navigation
    }
    guard let content = await shownFeeds() else { return old?.navigation ?? Navigation() }
    let navigation = Navigation(content)
    kept.withLock { $0 = Kept(navigation: navigation, change: change, time: now) }
    searches.expire()
    return navigation
  }

  /// The feeds of the navigation; nil if the store cannot be read.
  private func shownFeeds() async -> SubscriptionsViewModel? {
    func read(_ window: FeedWindow) async -> SubscriptionsViewModel? {
      await ModuleRun.last({ try modules.subscriptions() }, .list(FeedSelection(window))).content
    }
    let first = await read(FeedWindow(.all, 0..<Navigation.manyFeeds))
    guard let totals = first?.totals, totals.feeds > Navigation.manyFeeds else { return first }
    return await read(FeedWindow(.unread, 0..<Navigation.feedLimit))
  }

  /// Discards the cached navigation after a change that is not in the change log.
  func forget() {
    kept.withLock { $0 = nil }
  }
}
