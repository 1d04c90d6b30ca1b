import Modules
import NewsCore

// MARK: - Actions

extension NewsListScreen {
  mutating func perform(_ action: ReaderAction, _ count: Int?, _ core: inout ReaderCore) -> Bool {
    if action == .last, count == nil, window.hasMoreBelow, source.isByTime {
      load(.end(size: Self.pageSize), &core)
      return true
    }
    if action == .first, count == nil, window.hasMoreAbove {
      cursor.select(0, of: window.count)
      load(.start(size: Self.pageSize), &core)
      return true
    }
    if let target = cursor.move(action, count, of: window.count, height: core.area.rows) {
      if target >= window.count, window.hasMoreBelow {
        wantedBeyond = min(target - cursor.selected, HeadlineWindow.longestJump)
      }
      if target < 0, window.hasMoreAbove { wantedAbove = min(-target, HeadlineWindow.longestJump) }
      reveal(core)
      fill(&core)
      return true
    }
    switch action {
    case .open:
      guard let line = selected else { return true }
      core.navigation.append(.show(line.id))
    case .nextUnread, .previousUnread: seek(action, opens: false, &core)
    case .toggleRead:
      guard let line = selected else { return true }
      core.mark([line.id], line.isUnread ? .read : .unread)
      step(&core)
    case .toggleStar:
      guard let line = selected else { return true }
      core.mark([line.id], line.isStarred ? .unstarred : .starred)
    case .markAllRead: core.mark(markingAllRead)
    case .browse: core.browse(selected?.url)
    case .browseAndMark:
      guard let line = selected, core.browse(line.url) else { return true }
      if line.isUnread { core.mark([line.id], .read) }
      step(&core)
    case .copyLink: core.copy(selected?.url)
    case .act: if let line = selected { core.act(line.id) }
    case .label: if let line = selected { core.askLabel(line.id) }
    case .play: if let line = selected { core.effects.append(.play(line.id, url: nil)) }
    case .save: if let line = selected { core.effects.append(.saveItem(line.id)) }
    case .pipe:
      if let line = selected { core.ask(.pipe(line.id), DisplayText(line: Wording.pipeTo)) }
    case .filter:
      let text = if case .search(let route) = source { route.text } else { "" }
      core.ask(.filter(id), DisplayText(line: Wording.filter), text)
      core.effects.append(.history)
    case .clearFilter: filter(by: "", &core)
    case .saveSearch:
      guard case .search(let route) = source else {
        core.tell(Wording.thisIsNoSearch)
        return true
      }
      core.ask(.saveSearch(query: route.text), DisplayText(line: Wording.saveTheSearchAs))
    case .refresh: core.refresh(refreshRoute)
    case .toggleUnread:
      source.list.filter.isRead = source.list.filter.isRead == false ? nil : false
      restart(&core)
    case .reverse:
      source.list.order = source.list.order == .oldest ? .newest : .oldest
      restart(&core)
    case .foldStories:
      source.list.foldsStories.toggle()
      restart(&core)
    default: return false
    }
    return true
  }

  /// A refresh of the list's feed, else of the selected item's feed, else of all feeds.
  private var refreshRoute: Route {
    let feed =
      source.list.filter.feedID
      ?? (window.lines.indices.contains(cursor.selected) ? window.lines[cursor.selected].feedID : nil)
    return .refresh(RefreshRoute(feeds: feed.map { [String($0.rawValue)] } ?? []))
  }

  /// Reads the list from its beginning and selects the same item again if the list has it.
  mutating func restart(_ core: inout ReaderCore) {
    wanted = selected?.id
    kept = []
    total = nil
    cursor.select(0, of: 0)
    begin(&core)
  }

  /// Selects the next line, as after `m`.
  private mutating func step(_ core: inout ReaderCore) {
    cursor.select(cursor.selected + 1, of: window.count)
    reveal(core)
    fill(&core)
  }

  private var markingAllRead: MarkRoute {
    switch source {
    case .list(let route): NewsListRouter().marking(route, .read)
    case .search(let route): NewsSearchRouter().marking(route, .read)
    }
  }
}
