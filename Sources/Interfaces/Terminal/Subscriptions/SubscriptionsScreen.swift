import Modules
import NewsCore

/// The subscriptions: all, starred, saved searches, folders, feeds.
struct SubscriptionsScreen: ReaderScreen {
  let id: ScreenID
  var context: KeyContext { .subscriptions }
  private(set) var container: Container<SubscriptionsViewModel> = .loading()
  private(set) var rows: [SubscriptionRow] = []
  private(set) var cursor = LineCursor()
  private var folded: Set<String> = []
  private var onlyUnread = false
  private var generation = 0
  private var isLoading = false
  /// True if the store changed while the list was being read.
  private var isStale = false
  private let router = SubscriptionsRouter()

  /// The row to select as soon as it has been read.
  private var wanted: String?

  init(id: ScreenID, wanted: String? = nil) {
    self.id = id
    self.wanted = wanted
  }

  /// Selects a feed: at once if it is listed, else as soon as the list has been read again.
  mutating func want(_ feed: Feed.ID) {
    let row = SubscriptionRow.key(of: feed)
    if let index = rows.firstIndex(where: { $0.key == row }) {
      cursor.select(index, of: rows.count)
    } else {
      wanted = row
    }
  }

  var title: DisplayText {
    DisplayText(line: onlyUnread ? Wording.subscriptionsUnread : Wording.subscriptions)
  }

  var summary: DisplayText {
    guard let content = container.content else { return DisplayText(line: Wording.loading) }
    let unread = content.lines.reduce(0) { $0 + $1.unread }
    return DisplayText(line: Wording.unread(unread))
  }

  var failure: UserMessage? { container.failure }

  private var content: SubscriptionsViewModel { container.content ?? SubscriptionsViewModel() }

  var selected: SubscriptionRow? { rows.indices.contains(cursor.selected) ? rows[cursor.selected] : nil }

  var selectedFeed: SubscriptionLine? {
    guard case .feed(let index, _, _) = selected else { return nil }
    return content.lines[index]
  }

  // MARK: - Loading

  mutating func begin(_ core: inout ReaderCore) {
    generation += 1
    isLoading = true
    container = Container<SubscriptionsViewModel>.loading().after(container)
    core.effects.append(.load(id, generation: generation, .subscriptions))
  }

  mutating func refresh(_ changes: StoreChanges, _ core: inout ReaderCore) {
    if isLoading { isStale = true } else { begin(&core) }
  }

  mutating func take(_ content: LoadedContent, generation: Int, _ core: inout ReaderCore) {
    guard case .subscriptions(let answer) = content, generation == self.generation, answer.isLast else {
      return
    }
    isLoading = false
    container = answer.after(container)
    arrange(core)
    if isStale {
      isStale = false
      begin(&core)
    }
  }

  /// Makes the rows again and keeps the selected row at its place on the screen.
  private mutating func arrange(_ core: ReaderCore) {
    let key = wanted ?? selected?.key
    let distance = cursor.selected - cursor.top
    rows = SubscriptionRow.rows(of: content, folded: folded, onlyUnread: onlyUnread)
    let index = key.flatMap { key in rows.firstIndex { $0.key == key } }
    if index != nil { wanted = nil }
    cursor.select(index ?? cursor.selected, of: rows.count)
    cursor.keep(cursor.selected, at: distance, of: rows.count, height: core.area.rows)
    reveal(core)
  }

  private mutating func reveal(_ core: ReaderCore) {
    cursor.reveal(cursor.selected..<cursor.selected + 1, of: rows.count, height: core.area.rows)
  }

  mutating func resize(_ core: inout ReaderCore) { reveal(core) }

  mutating func dismissFailure() { container = container.dismissed }

  mutating func press(row: Int, isDouble: Bool, _ core: inout ReaderCore) {
    guard rows.indices.contains(cursor.top + row) else { return }
    cursor.select(cursor.top + row, of: rows.count)
    if isDouble { _ = perform(.open, nil, &core) }
  }

  // MARK: - Actions

  mutating func perform(_ action: ReaderAction, _ count: Int?, _ core: inout ReaderCore) -> Bool {
    if cursor.move(action, count, of: rows.count, height: core.area.rows) != nil {
      reveal(core)
      return true
    }
    switch action {
    case .open: if let route = selected.flatMap(route) { core.navigation.append(.open(route)) }
    case .nextUnread: seek(isBackwards: false, &core)
    case .previousUnread: seek(isBackwards: true, &core)
    case .foldFolder: fold(core)
    case .toggleUnread:
      onlyUnread.toggle()
      arrange(core)
    case .browse: core.browse(selectedFeed?.url)
    case .copyLink: core.copy(selectedFeed.map { WebAddress.redacted($0.feedURL) })
    case .refresh:
      guard let feed = selectedFeed else { return false }
      core.refresh(router.refresh(feed.id))
    case .add: core.ask(.add, DisplayText(line: Wording.addTheFeedOrPage))
    case .rename, .move, .remove, .settings:
      if case .search(let search) = selected, action == .remove {
        core.ask(.forget(search.name), DisplayText(line: Wording.askToRemoveTheSearch(search.name)))
      } else if let feed = selectedFeed {
        edit(feed, action, &core)
      } else {
        core.tell(Wording.selectAFeedFirst)
      }
    case .markAllRead:
      if let filter = selected.flatMap(filter) { core.mark(MarkRoute(.selected(filter), .read)) }
    default: return false
    }
    return true
  }

  private func edit(_ feed: SubscriptionLine, _ action: ReaderAction, _ core: inout ReaderCore) {
    let title = feed.title.string
    switch action {
    case .rename: core.ask(.rename(feed.id), DisplayText(line: Wording.newTitle), title)
    case .move: core.ask(.move(feed.id), DisplayText(line: Wording.folderEmptyNone), feed.folderPath ?? "")
    case .remove:
      let items = Wording.items(feed.items)
      let question = DisplayText(line: Wording.askToRemoveTheFeed(title, items))
      core.ask(.remove(feed.id), question)
    default: core.ask(.command, DisplayText(":"), "feeds set \(feed.id.rawValue) ")
    }
  }

  private func route(_ row: SubscriptionRow) -> Route? {
    switch row {
    case .all: router.all
    case .starred: router.starred
    case .search(let search): router.list(of: search)
    case .folder(let folder, _): router.list(of: folder)
    case .feed(_, let id, _): router.list(of: id)
    }
  }

  /// Returns the filter that selects the items of a row; nil if the row is neither a list nor a saved search.
  private func filter(_ row: SubscriptionRow) -> ItemFilter? {
    guard let route = route(row) else { return nil }
    switch route {
    case .list(let list): return list.filter
    case .search:
      if case .search(let search) = row { return ItemFilter(feeds: [search.name]) }
      return nil
    default: return nil
    }
  }

  private mutating func seek(isBackwards: Bool, _ core: inout ReaderCore) {
    func hasUnread(_ row: SubscriptionRow) -> Bool {
      guard case .feed(let index, _, _) = row else { return false }
      return content.lines[index].unread > 0
    }
    let below = Array(rows.indices.drop { $0 <= cursor.selected })
    let above = Array(rows.indices.prefix { $0 < cursor.selected })
    let order = isBackwards ? above.reversed() + below.reversed() : below + above
    guard let found = order.first(where: { hasUnread(rows[$0]) }) else {
      return core.tell(Wording.noItemIsUnread)
    }
    cursor.select(found, of: rows.count)
    reveal(core)
  }

  /// Collapses or expands the selected folder, or the folder of the selected feed.
  private mutating func fold(_ core: ReaderCore) {
    let name: String? =
      switch selected {
      case .folder(let folder, _): folder.name
      case .feed(let index, _, _): content.lines[index].folderPath
      default: nil
      }
    guard let name else { return }
    if folded.remove(name) == nil { folded.insert(name) }
    if let index = rows.firstIndex(where: { $0.key == "folder \(name)" }) {
      cursor.select(index, of: rows.count)
    }
    arrange(core)
  }

  func draw(on grid: inout ScreenGrid, in area: ScreenArea, _ core: ReaderCore) {
    SubscriptionsView().draw(container, rows, cursor, on: &grid, in: area)
    if let content = container.content, content.lines.isEmpty {
      SubscriptionsView().drawWelcome(core.options.keys, below: rows.count, on: &grid, in: area)
    }
  }
}
