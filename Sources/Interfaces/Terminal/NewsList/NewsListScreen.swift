import Modules
import NewsCore
import NewsText

/// A list of headlines or the matches of a search: the lines read so far, the selected line, and pending requests.
struct NewsListScreen: ReaderScreen {
  let id: ScreenID
  var context: KeyContext { .list }
  var source: HeadlineSource
  var container: Container<HeadlineWindow> = .loading()
  var cursor = LineCursor()
  var rows: [HeadlineRow] = []
  var name: DisplayText
  /// Number of the last request; answers to older requests are dropped.
  private var generation = 0
  /// True while a page is being read; only one page is requested at a time.
  private var isLoading = false
  /// Number of lines that the user wanted to move beyond the last line read so far.
  var wantedBeyond = 0
  /// Number of lines that the user wanted to move above the first line read so far.
  var wantedAbove = 0
  /// Changes of the store that arrived during a request.
  private var unseen: StoreChanges?
  /// True: the words of the search are still being typed.
  var isTyping = false
  /// True if the words have changed since the current search began.
  private var needsSearch = false
  /// Total number of matches of the search; nil: not counted yet.
  var total: Int?
  /// Items of the list that the reader has marked, on any screen; they stay until the user leaves the list or
  /// changes its filter or order.
  var kept: Set<NewsItem.ID> = []
  /// The item to select as soon as it has been read.
  var wanted: NewsItem.ID?

  var window: HeadlineWindow { container.content ?? HeadlineWindow() }
  static let pageSize = 100

  init(id: ScreenID, source: HeadlineSource, name: DisplayText, resuming item: NewsItem.ID? = nil) {
    self.id = id
    self.source = source
    self.name = name
    wanted = item
  }

  var title: DisplayText {
    var parts = [name]
    if case .search(let route) = source {
      let words = DisplayText("/ ") + DisplayText(line: route.text)
      parts = name.isEmpty ? [words] : [name, words]
    }
    if source.list.filter.isRead == false { parts.append(DisplayText(line: Wording.unreadLabel)) }
    if source.list.order == .oldest { parts.append(DisplayText(line: Wording.oldestFirstAddition)) }
    if source.list.foldsStories { parts.append(DisplayText(line: Wording.stories)) }
    return .joined(parts, by: " · ")
  }

  var summary: DisplayText {
    if case .loading = container.phase, isLoading { return DisplayText(line: Wording.loading) }
    if let total { return DisplayText(line: Wording.items(total)) }
    let isPart = window.hasMoreBelow || window.hasMoreAbove
    let more = isPart ? "+" : ""
    let unread = window.lines.count(where: \.isUnread)
    if !isPart, unread > 0, unread < window.count {
      return DisplayText(line: Wording.unread(unread, of: window.count))
    }
    return DisplayText(line: Wording.items(window.count, more))
  }

  var failure: UserMessage? { container.failure }

  var selected: HeadlineLine? {
    window.lines.indices.contains(cursor.selected) ? window.lines[cursor.selected] : nil
  }

  // MARK: - Loading

  mutating func begin(_ core: inout ReaderCore) {
    let size = max(Self.pageSize, core.area.rows)
    if let wanted, container.content == nil, source.isByTime {
      load(.resume(wanted, size: size), &core)
    } else {
      load(.start(size: size), &core)
    }
  }

  mutating func load(_ place: HeadlinePart, remembers: Bool = false, _ core: inout ReaderCore) {
    generation += 1
    isLoading = true
    container = Container<HeadlineWindow>.loading().after(container)
    core.effects.append(.load(id, generation: generation, .headlines(asked, place, remembers: remembers)))
  }

  /// The source to request: while a word is being typed, it is searched as a prefix.
  private var asked: HeadlineSource {
    guard isTyping, case .search(var route) = source else { return source }
    route.text = TypedQuery.completing(route.text)
    return .search(route)
  }

  /// Searches for the words typed so far. One search runs at a time; the latest words are always searched.
  mutating func type(_ text: String, _ core: inout ReaderCore) {
    isTyping = true
    source = .search(SearchRoute(text: text, list: source.list))
    total = nil
    guard !text.isEmpty else {
      generation += 1
      isLoading = false
      needsSearch = false
      container = .ready(HeadlineWindow())
      return arrange(core)
    }
    if isLoading { needsSearch = true } else { begin(&core) }
  }

  /// Keeps the matches and adds the search to the history. The last word stays a prefix unless a space
  /// follows it.
  mutating func finishTyping(_ core: inout ReaderCore) {
    source = asked
    isTyping = false
    needsSearch = false
    cursor.select(0, of: 0)
    load(.start(size: max(Self.pageSize, core.area.rows)), remembers: true, &core)
  }

  /// Narrows the list by a query; an empty one removes the query.
  mutating func filter(by text: String, _ core: inout ReaderCore) {
    source = text.isEmpty ? .list(source.list) : .search(SearchRoute(text: text, list: source.list))
    restart(&core)
  }

  mutating func take(count: Int, generation: Int) {
    if generation == self.generation { total = count }
  }

  mutating func take(_ content: LoadedContent, generation: Int, _ core: inout ReaderCore) {
    guard case .headlines(let answer, let place) = content, generation == self.generation else { return }
    guard answer.isLast else { return }
    isLoading = false
    if needsSearch {
      needsSearch = false
      if let page = answer.content, answer.failure == nil { show(page, core) }
      return begin(&core)
    }
    if isTyping, answer.failure?.code == .usage {
      // The query is incomplete, for example with an open quote: keep the previous matches.
      container = .ready(window)
      return
    }
    guard answer.failure == nil, let page = answer.content else {
      // The item after which the list continues may be gone: read the list from the beginning.
      if case .reload(.some, _, let changes) = place, answer.failure?.code == .notFound {
        return reload(from: nil, changes, &core)
      }
      if case .resume(_, let size) = place, answer.failure?.code == .notFound {
        wanted = nil
        return load(.start(size: size), &core)
      }
      container = answer.after(container)
      return
    }
    if place.isFirst, case .search(let route) = asked, total == nil {
      core.effects.append(.count(id, generation: generation, route))
    }
    let screenRow = row(of: cursor.selected) - cursor.top
    let isAtTop = cursor.top == 0 && !self.window.hasMoreAbove
    let selectedID = isTyping ? nil : selected?.id
    if isTyping { cursor.select(0, of: 0) }
    var window = window
    // Number of lines removed above the selected one; negative if lines were added.
    var dropped = 0
    switch place {
    case .start(let size):
      window = page
      window.hasMoreBelow = page.count >= size
    case .end(let size):
      window = HeadlineWindow()
      _ = window.prepend(page, size: size)
    case .resume(_, let size):
      guard page.count > 0 else { return load(.end(size: size), &core) }
      window = page
      window.hasMoreAbove = true
      window.hasMoreBelow = page.count >= size
    case .after(_, let size): dropped = window.append(page, size: size)
    case .before(_, let size): dropped = -window.prepend(page, size: size)
    case .reload(let after, let size, let changes):
      var fresh = page
      if after != nil, let line = window.lines.first { fresh.lines.insert(line, at: 0) }
      window.merge(fresh, size: size, changes, keeping: kept)
    case .unread(let seek): return take(page, seek, &core)
    }
    container = .ready(window)
    arrange(core)
    select(after: place, selectedID, dropped: dropped, isAtTop ? nil : screenRow, &core)
    if let changes = unseen {
      unseen = nil
      refresh(changes, &core)
    } else {
      fill(&core)
    }
  }

  /// Shows the matches of an older search while the next one runs.
  private mutating func show(_ page: HeadlineWindow, _ core: ReaderCore) {
    cursor.select(0, of: 0)
    container = .ready(page)
    arrange(core)
    reveal(core)
  }

  private mutating func select(
    after place: HeadlinePart,
    _ id: NewsItem.ID?,
    dropped: Int,
    _ screenRow: Int?,
    _ core: inout ReaderCore
  ) {
    let old = wanted ?? id
    if case .resume = place {
      // The item itself arrives with the preceding page, which is read next.
      return cursor.select(0, of: window.count)
    }
    if let item = wanted, window.index(of: item) == nil {
      // The item may still arrive with the preceding page.
      if case .after = place { return reveal(core) }
      wanted = nil
    }
    switch place {
    case .end where wanted == nil: cursor.select(window.count - 1, of: window.count)
    case .after where wantedBeyond > 0:
      let at = id.flatMap { window.index(of: $0) } ?? cursor.selected - dropped
      cursor.select(at + wantedBeyond, of: window.count)
    case .before where wantedAbove > 0:
      cursor.select(cursor.selected - dropped - wantedAbove, of: window.count)
    default: cursor.select(old.flatMap { window.index(of: $0) } ?? cursor.selected, of: window.count)
    }
    wantedBeyond = 0
    wantedAbove = 0
    wanted = nil
    // At the beginning of the list, show new lines above; further down, keep the visible lines in place.
    if let screenRow {
      cursor.keep(row(of: cursor.selected), at: screenRow, of: rows.count, height: core.area.rows)
    }
    reveal(core)
  }

  /// Reads the next or the preceding page before the user reaches the last or first line.
  mutating func fill(_ core: inout ReaderCore) {
    guard !isLoading, source.isByTime, failure == nil else { return }
    let ahead = core.area.rows
    if window.hasMoreBelow, cursor.selected + ahead >= window.count || wantedBeyond > 0,
      let last = window.lines.last
    {
      load(.after(last.id, size: max(Self.pageSize, wantedBeyond + ahead)), &core)
    } else if window.hasMoreAbove, cursor.selected < ahead, let first = window.lines.first {
      load(.before(first.id, size: max(Self.pageSize, wantedAbove + ahead)), &core)
    }
  }

  mutating func refresh(_ changes: StoreChanges, _ core: inout ReaderCore) {
    // Ignore changes without entries, such as the result of a poll: lists do not show them.
    guard changes.entries?.isEmpty != true else { return }
    guard !isLoading else {
      unseen = unseen?.merged(with: changes) ?? changes
      return
    }
    reload(from: window.hasMoreAbove ? window.lines.first?.id : nil, changes, &core)
  }

  private mutating func reload(from anchor: NewsItem.ID?, _ changes: StoreChanges, _ core: inout ReaderCore) {
    let size = max(window.count, core.area.rows) + (anchor == nil ? Self.pageSize / 2 : 0)
    load(.reload(after: anchor, size: size, changes), &core)
  }

  mutating func apply(_ mark: ItemMark, to ids: Set<NewsItem.ID>) {
    guard var window = container.content else { return }
    window.apply(mark, to: ids)
    kept.formUnion(window.lines.map(\.id).filter(ids.contains))
    container = container.map { _ in window }
  }

  mutating func dismissFailure() { container = container.dismissed }

  // MARK: - Rows

  /// Makes the rows: headlines, separators between days, and the excerpts of a search.
  mutating func arrange(_ core: ReaderCore) {
    rows = HeadlineRow.rows(of: window, isByTime: source.isByTime, core.terminal.times)
  }

  private func row(of line: Int) -> Int {
    rows.firstIndex { $0 == .headline(line) } ?? 0
  }

  mutating func reveal(_ core: ReaderCore) {
    var start = row(of: cursor.selected)
    var end = start + 1
    // Keep the date above the first line, and every line's excerpt, visible with it.
    if start == 1 { start = 0 }
    if rows.indices.contains(end), rows[end] == .excerpt(cursor.selected) { end += 1 }
    cursor.reveal(start..<end, of: rows.count, height: core.area.rows)
  }

  mutating func resize(_ core: inout ReaderCore) { reveal(core) }

  mutating func press(row: Int, isDouble: Bool, _ core: inout ReaderCore) {
    let index = cursor.top + row
    guard rows.indices.contains(index), let line = rows[index].line else { return }
    cursor.select(line, of: window.count)
    reveal(core)
    if isDouble { _ = perform(.open, nil, &core) }
  }

  func draw(on grid: inout ScreenGrid, in area: ScreenArea, _ core: ReaderCore) {
    if isTyping, case .search(let route) = source, route.text.isEmpty {
      return SearchTyping.draw(core.prompt?.history ?? [], on: &grid, in: area)
    }
    NewsListView(terminal: core.terminal, showsFeed: source.list.filter.feedID == nil)
      .draw(window, rows, cursor, isReady: container.content != nil, on: &grid, in: area)
  }
}
