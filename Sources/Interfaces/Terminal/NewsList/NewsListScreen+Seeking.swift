import Modules

// MARK: - Neighbours and unread items

extension NewsListScreen {
  /// Selects a neighbour or an unread item. Reads more of the list if no unread item is among the lines read
  /// so far.
  mutating func seek(_ action: ReaderAction, opens: Bool, _ core: inout ReaderCore) {
    let isBackwards = action == .previousUnread || action == .previousItem
    let isUnread = action == .nextUnread || action == .previousUnread
    let lines = window.lines
    let places =
      isBackwards
      ? Array(lines.indices.prefix { $0 < cursor.selected }.reversed())
      : Array(lines.indices.drop { $0 <= cursor.selected })
    if let found = places.first(where: { !isUnread || lines[$0].isUnread }) {
      return arrive(at: found, opens: opens, &core)
    }
    guard isUnread else {
      return core.tell(isBackwards ? Wording.thisIsTheFirstItem : Wording.thisIsTheLastItem)
    }
    let from = isBackwards ? lines.first?.id : lines.last?.id
    let hasMore = isBackwards ? window.hasMoreAbove : window.hasMoreBelow
    var search = UnreadSeek(from: from, isBackwards: isBackwards, opens: opens)
    if !hasMore {
      guard !isBackwards else { return core.tell(Wording.noUnreadItemBeforeThisOne) }
      search.from = nil
      search.hasWrapped = true
    }
    load(.unread(search), &core)
  }

  mutating func arrive(at line: Int, opens: Bool, _ core: inout ReaderCore) {
    cursor.select(line, of: window.count)
    reveal(core)
    if opens, let line = selected { core.navigation.append(.show(line.id)) }
    fill(&core)
  }

  /// Starts a new window with one item; it then grows in both directions.
  mutating func settle(on page: HeadlineWindow, opens: Bool, _ core: inout ReaderCore) {
    var window = page
    window.hasMoreAbove = true
    window.hasMoreBelow = true
    container = .ready(window)
    arrange(core)
    arrive(at: 0, opens: opens, &core)
  }

  /// Selects the next unread item of the store.
  mutating func take(_ page: HeadlineWindow, _ seek: UnreadSeek, _ core: inout ReaderCore) {
    container = .ready(window)
    if let line = page.lines.first {
      if let index = window.index(of: line.id) { return arrive(at: index, opens: seek.opens, &core) }
      guard seek.isEverywhere else { return settle(on: page, opens: seek.opens, &core) }
      let route = ListRoute(filter: ItemFilter(feedID: line.feedID))
      return core.navigation.append(.change(to: .list(route), page, opens: seek.opens))
    }
    var next = seek
    if seek.isBackwards { return core.tell(Wording.noUnreadItemBeforeThisOne) }
    if !seek.hasWrapped {
      next.hasWrapped = true
      next.from = nil
    } else if !seek.isEverywhere {
      next.isEverywhere = true
    } else {
      return core.tell(Wording.noItemIsUnread)
    }
    load(.unread(next), &core)
  }
}
