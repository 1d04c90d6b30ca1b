import Modules
import NewsCore

/// An item in full.
struct NewsItemScreen: ReaderScreen {
  let id: ScreenID
  var context: KeyContext { .item }
  private(set) var item: NewsItem.ID
  private(set) var container: Container<NewsItemViewModel> = .loading()
  private(set) var layout = NewsItemLayout()
  private(set) var top = 0
  /// Height of the screen, in rows, at the last scroll.
  private var height = 0
  private var generation = 0
  /// The generation of the request that opened the item; later requests follow changes of the store.
  private var opened = 0

  init(id: ScreenID, item: NewsItem.ID) {
    self.id = id
    self.item = item
  }

  var title: DisplayText { shown?.title ?? DisplayText(line: Wording.item) }

  var summary: DisplayText {
    guard case .ready = container.phase else {
      return failure == nil ? DisplayText(line: Wording.loading) : DisplayText("")
    }
    var parts: [String] = []
    if shown?.isStarred == true { parts.append("★") }
    if !isRead { parts.append(Wording.unreadLabel) }
    if height > 0, layout.lines.count > height {
      parts.append("\((top + height) * 100 / layout.lines.count) %")
    }
    return DisplayText(line: parts.joined(separator: " "))
  }

  var failure: UserMessage? { container.failure }

  /// The shown item; nil: nothing is shown yet.
  private var shown: NewsItemPage? { container.content?.page }

  private var isRead: Bool { shown?.isRead ?? false }

  // MARK: - Loading

  mutating func begin(_ core: inout ReaderCore) {
    let marksRead = core.options.marksRead == .opened
    load(marksRead: marksRead, &core)
    opened = generation
    // The module marks the item in the store. Add the mark here too, so that the screens below show it without waiting.
    if marksRead { core.marks.append((.read, [item])) }
    if case .after(let seconds) = core.options.marksRead {
      core.effects.append(.wake(id, generation: generation, seconds: seconds))
    }
  }

  private mutating func load(marksRead: Bool, _ core: inout ReaderCore) {
    generation += 1
    core.effects.append(.load(id, generation: generation, .item(item, marksRead: marksRead)))
  }

  /// Shows another item on the same screen.
  mutating func show(_ item: NewsItem.ID, _ core: inout ReaderCore) {
    self.item = item
    container = Container<NewsItemViewModel>.loading().after(container)
    top = 0
    begin(&core)
  }

  mutating func take(_ content: LoadedContent, generation: Int, _ core: inout ReaderCore) {
    guard case .item(let answer) = content, generation == self.generation, answer.isLast else { return }
    container = answer.after(container)
    // Mark the item only after the first reading: later, the user may have marked it unread.
    if core.options.marksRead == .opened, generation == opened { apply(.read, to: [item]) }
    arrange(core)
  }

  mutating func due(generation: Int, _ core: inout ReaderCore) {
    guard generation == opened, !isRead else { return }
    core.mark([item], .read, isUndoable: false)
  }

  mutating func refresh(_ changes: StoreChanges, _ core: inout ReaderCore) {
    if changes.removed.contains(item) { return core.tell(Wording.thisItemWasRemovedFromTheStore) }
    guard changes.entries == nil || changes.items[item] != nil else { return }
    load(marksRead: false, &core)
  }

  mutating func apply(_ mark: ItemMark, to ids: Set<NewsItem.ID>) {
    guard ids.contains(item), shown?.id == item else { return }
    container = container.map { content in
      var content = content
      switch mark {
      case .read, .unread: content.page?.isRead = mark == .read
      case .starred, .unstarred: content.page?.isStarred = mark == .starred
      }
      return content
    }
  }

  mutating func dismissFailure() { container = container.dismissed }

  mutating func resize(_ core: inout ReaderCore) { arrange(core) }

  /// Wraps the text; the first visible line stays near the top.
  private mutating func arrange(_ core: ReaderCore) {
    guard let page = shown else { return }
    let before = layout.lines.count
    layout = NewsItemLayout(
      page,
      columns: core.size.columns,
      measure: core.options.textWidth,
      terminal: core.terminal
    )
    if before > 0, before != layout.lines.count { top = top * layout.lines.count / before }
    scroll(to: top, core)
  }

  private mutating func scroll(to line: Int, _ core: ReaderCore) {
    height = core.area.rows
    top = min(max(line, 0), max(layout.lines.count - height, 0))
  }

  // MARK: - Actions

  mutating func perform(_ action: ReaderAction, _ count: Int?, _ core: inout ReaderCore) -> Bool {
    let page = max(core.area.rows - 1, 1)
    let times = count ?? 1
    switch action {
    case .next: scroll(to: top + times, core)
    case .previous: scroll(to: top - times, core)
    case .pageDown:
      // At the end of the text, go to the next unread item, as in other newsreaders.
      if count == nil, top + core.area.rows >= layout.lines.count, container.content != nil {
        core.navigation.append(.seek(.nextUnread, opens: true))
      } else {
        scroll(to: top + page * times, core)
      }
    case .pageUp: scroll(to: top - page * times, core)
    case .halfPageDown: scroll(to: top + core.area.rows / 2 * times, core)
    case .halfPageUp: scroll(to: top - core.area.rows / 2 * times, core)
    case .first: scroll(to: times - 1, core)
    case .last: scroll(to: count.map { $0 - 1 } ?? layout.lines.count, core)
    case .nextUnread, .previousUnread, .nextItem, .previousItem:
      core.navigation.append(.seek(action, opens: true))
    case .toggleRead: core.mark([item], isRead ? .unread : .read)
    case .toggleStar: core.mark([item], shown?.isStarred == true ? .unstarred : .starred)
    case .open:
      // A number typed before the key opens the link with that number.
      guard let count else {
        core.tell(Wording.typeTheNumberOfALink)
        return true
      }
      if let link = link(count, &core) { core.browse(link) }
    case .browse: if let count { return perform(.open, count, &core) } else { core.browse(shown?.url) }
    case .browseAndMark:
      if core.browse(shown?.url), !isRead { core.mark([item], .read) }
    case .copyLink:
      if let count {
        if let link = link(count, &core) { core.copy(link) }
      } else {
        core.copy(shown?.url)
      }
    case .act: core.act(item)
    case .label: core.askLabel(item)
    case .play:
      guard let count else {
        core.effects.append(.play(item, url: nil))
        return true
      }
      if let link = link(count, &core) { core.effects.append(.play(item, url: link)) }
    case .save: core.effects.append(.saveItem(item))
    case .pipe: core.ask(.pipe(item), DisplayText(line: Wording.pipeTo))
    case .versions: core.navigation.append(.text(.versions(item)))
    case .difference: core.navigation.append(.text(.difference(item)))
    case .markAllRead: core.navigation.append(.seek(.markAllRead, opens: false))
    case .refresh:
      if let feed = shown?.feedID { core.refresh(.refresh(RefreshRoute(feeds: [String(feed.rawValue)]))) }
    default: return false
    }
    return true
  }

  /// The link with that number, counted from 1; nil, and a message, if there are fewer links.
  private func link(_ number: Int, _ core: inout ReaderCore) -> String? {
    let attached = shown?.facts.filter { $0.number != nil } ?? []
    let links = (shown?.links ?? []) + attached.compactMap { $0.url.map { DisplayText(line: $0) } }
    if links.indices.contains(number - 1) { return links[number - 1].string }
    let range =
      switch links.count {
      case 0: Wording.thisItemHasNoLinks
      case 1: Wording.thisItemHasOneLink
      default: Wording.thisItemHasLinks(links.count)
      }
    core.message = ReaderMessage(DisplayText(line: Wording.thereIsNoLink(number, range)), isError: true)
    return nil
  }

  func draw(on grid: inout ScreenGrid, in area: ScreenArea, _ core: ReaderCore) {
    NewsItemView(measure: core.options.textWidth).draw(layout, top: top, on: &grid, in: area)
  }
}
