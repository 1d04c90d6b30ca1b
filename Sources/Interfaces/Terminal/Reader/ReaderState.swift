public import Modules
public import NewsCore
public import NewsText

/// The whole state of the reader: a stack of screens, the keys typed so far, a message. Only events change
/// it; each returns effects, and a pure function draws the state. It uses no terminal, store or clock.
public struct ReaderState: Sendable {
  var stack: [any ReaderScreen] = []
  var core: ReaderCore
  private var matcher = KeyMatcher()
  /// True when the reader must end.
  public private(set) var isOver = false

  public init(options: ReaderOptions, size: ScreenSize, terminal: Terminal) {
    core = ReaderCore(options: options, size: size, terminal: terminal)
  }

  /// Opens the first screens: the subscriptions, and a route on top of them.
  public mutating func start(_ route: Route?) -> [ReaderEffect] {
    push(SubscriptionsScreen(id: core.nextID()))
    if let route { open(route) }
    return settle()
  }

  /// Opens the screens that `place` describes: those on which the reader was left.
  mutating func start(at place: ReaderPlace) -> [ReaderEffect] {
    push(SubscriptionsScreen(id: core.nextID(), wanted: place.row))
    if let source = place.source {
      push(NewsListScreen(id: core.nextID(), source: source, name: name(of: source), resuming: place.item))
      if place.isOpen, let item = place.item { push(NewsItemScreen(id: core.nextID(), item: item)) }
    }
    return settle()
  }

  /// The selected row and the open list, in the form in which they are saved for the next start.
  var place: ReaderPlace {
    var place = ReaderPlace()
    place.row = (stack.first as? SubscriptionsScreen)?.selected?.key
    let lists = stack.compactMap { $0 as? NewsListScreen }
    guard let list = lists.last(where: { !$0.isTyping && $0.source.list.filter.query == .all }) else {
      return place
    }
    place.source = list.source
    let shown = (stack.last { $0 is NewsItemScreen } as? NewsItemScreen)?.item
    place.item = shown ?? list.selected?.id
    place.isOpen = shown != nil
    return place
  }

  /// Processes an event.
  public mutating func take(_ event: ReaderEvent) -> [ReaderEffect] {
    switch event {
    case .input(.key(let key)): type(key)
    case .input(.mouse(let event)): take(event)
    case .input(.resized): break
    case .input(.suspended): core.effects.append(.suspend)
    case .resized(let size):
      core.size = size
      for index in stack.indices { change(index) { $0.resize(&$1) } }
    case .loaded(let id, let generation, let content):
      if let index = index(of: id) { change(index) { $0.take(content, generation: generation, &$1) } }
      if case .subscriptions = content { nameLists() }
    case .changed(let changes):
      for index in stack.indices { change(index) { $0.refresh(changes, &$1) } }
    case .marked(let container, let request): took(container, request)
    case .due(let id, let generation):
      if let index = index(of: id) { change(index) { $0.due(generation: generation, &$1) } }
    case .refreshing(let container): took(container)
    case .added(let container, let route): take(container, route)
    case .edited(let container): tell(container)
    case .saved(let container, let success):
      if container.failure == nil { core.tell(success) } else { tell(container) }
    case .history(let searches): if core.prompt?.offersHistory == true { core.prompt?.history = searches }
    case .counted(let id, let generation, let count):
      changeList(id) { screen, _ in screen.take(count: count, generation: generation) }
    case .completed(let words, let line): take(completions: words, of: line)
    case .command(.route(let route)): open(route)
    case .command(.program(let call)), .run(let call): core.effects.append(.run(call))
    case .told(let message): core.message = message
    case .ended: isOver = true
    }
    return settle()
  }

  /// Sets the current time, from which ages are computed.
  public mutating func set(now: Timestamp) { core.terminal.now = now }

  private func index(of id: ScreenID) -> Int? { stack.firstIndex { $0.id == id } }

  /// Changes a screen; the body may also change the shared state.
  private mutating func change(_ index: Int, _ body: (inout any ReaderScreen, inout ReaderCore) -> Void) {
    var screen = stack[index]
    body(&screen, &core)
    stack[index] = screen
  }

  mutating func changeList(_ id: ScreenID, _ body: (inout NewsListScreen, inout ReaderCore) -> Void) {
    guard let index = index(of: id), var screen = stack[index] as? NewsListScreen else { return }
    body(&screen, &core)
    stack[index] = screen
  }

  /// Shows the outcome of an operation that has no screen of its own, as a message: the error, else the first warning,
  /// else the first note.
  private mutating func tell<Content: ScreenContent>(_ container: Container<Content>) {
    guard container.isLast else { return }
    if let failure = container.failure {
      core.message = ReaderMessage(failure)
    } else if let text = container.content.flatMap({ $0.warnings.first ?? $0.notes.first }) {
      core.message = ReaderMessage(text)
    }
  }

  private mutating func took(_ container: Container<RefreshViewModel>) {
    guard container.isLast else {
      core.progress = container.content.map { DisplayText(line: RefreshView.progress($0)) } ?? core.progress
      return
    }
    core.progress = nil
    // Refresh every screen: the change log has no entries for the results of polls.
    for index in stack.indices { change(index) { $0.refresh(StoreChanges(entries: []), &$1) } }
    if let content = container.content, content.failures > 0 {
      core.message = ReaderMessage(DisplayText(line: sum(content)), isError: true)
    } else if let failure = container.failure {
      core.message = ReaderMessage(failure)
    } else if let content = container.content {
      core.message = ReaderMessage(DisplayText(line: RefreshView.sum(content)))
    }
  }

  /// Returns the sentence about a refresh: its results, and the key that shows why feeds failed.
  private func sum(_ content: RefreshViewModel) -> String {
    let sum = RefreshView.sum(content)
    if content.networkIsDown { return sum + Wording.isTheNetworkUp }
    guard let screen = stack.last, screen.context != .status,
      let key = core.options.keys.key(of: .status, in: screen.context)
    else {
      return sum
    }
    return sum + Wording.showsWhichFeedsAndWhy(key)
  }

  // MARK: - Keys

  private mutating func type(_ key: Key) {
    if core.prompt != nil { return answer(key) }
    let hadError = core.message?.isError == true || stack.last?.failure != nil
    core.message = nil
    guard let last = stack.indices.last else { return }
    change(last) { screen, _ in screen.dismissFailure() }
    if key.is(.escape) {
      matcher.reset()
      return
    }
    guard let (action, count) = matcher.take(key, core.options.keys, stack[last].context) else { return }
    // The next key dismisses an error. If that key is "back", it must not also end the reader.
    if hadError, action == .back, stack.count == 1 { return }
    perform(action, count)
  }

  private mutating func perform(_ action: ReaderAction, _ count: Int?) {
    guard let last = stack.indices.last else { return }
    var isDone = false
    change(last) { screen, core in isDone = screen.perform(action, count, &core) }
    guard !isDone else { return }
    switch action {
    case .back: core.navigation.append(.back)
    case .quit: core.navigation.append(.quit)
    case .undo: core.undoLast()
    case .search: beginSearch()
    case .command: core.ask(.command, DisplayText(":"))
    case .status: core.navigation.append(.open(.status))
    case .help: core.navigation.append(.text(.keys(stack[last].context)))
    case .refresh, .refreshAll: core.refresh(.refresh(RefreshRoute()))
    case .none: break
    case .redraw: core.effects.append(.redraw)
    case .suspend: core.effects.append(.suspend)
    default: core.tell(Wording.thisKeyDoesNothing)
    }
  }

  private mutating func take(_ event: MouseEvent) {
    guard let last = stack.indices.last, core.prompt == nil else { return }
    core.message = nil
    switch event {
    case .wheel(let lines):
      perform(lines < 0 ? .previous : .next, abs(lines))
    case .press(let row, _), .doublePress(let row, _):
      guard core.area.row..<core.area.row + core.area.rows ~= row else { return }
      let isDouble = if case .doublePress = event { true } else { false }
      change(last) { screen, core in screen.press(row: row - core.area.row, isDouble: isDouble, &core) }
    }
  }

  private mutating func took(_ container: Container<MarkViewModel>, _ request: MarkRequest) {
    if let failure = container.failure {
      core.message = ReaderMessage(failure)
      // Read the screens again: they already show the mark, but it was not written.
      for index in stack.indices { change(index) { $0.refresh(StoreChanges(entries: nil), &$1) } }
    }
    guard let content = container.content else { return }
    core.noteChanged(content.ids, request)
    guard request.isUndoable else { return }
    if !content.ids.isEmpty {
      core.undo.append(UndoStep(ids: content.ids, mark: request.route.mark))
      core.marks.append((request.route.mark, Set(content.ids)))
    }
    if container.failure == nil, let note = content.notes.first { core.tell(note) }
  }

  // MARK: - ScreenTransition

  private mutating func push(_ screen: any ReaderScreen) {
    stack.append(screen)
    change(stack.count - 1) { $0.begin(&$1) }
  }

  /// Pushes a screen without calling `begin`, because its content is already set.
  mutating func add(_ screen: any ReaderScreen) { stack.append(screen) }

  /// True for routes that the reader handles itself; others run as separate commands.
  public static func opens(_ route: Route) -> Bool {
    switch route {
    case .items(let ids), .read(let ids): ids.count == 1
    default: true
    }
  }

  private mutating func open(_ route: Route) {
    switch route {
    case .items(let ids), .read(let ids):
      if let id = ids.first { show(id) }
    case .list, .search:
      guard let source = HeadlineSource(route) else { return }
      push(NewsListScreen(id: core.nextID(), source: source, name: name(of: source)))
    case .subscriptions(.list), .feedsFolders: push(SubscriptionsScreen(id: core.nextID()))
    case .subscriptions(let edit): core.effects.append(.edit(edit))
    case .plan(let horizon): push(StatusScreen(id: core.nextID(), horizon: horizon))
    case .status, .failures: push(StatusScreen(id: core.nextID()))
    case .refresh: core.refresh(route)
    case .mark(let mark): core.effects.append(.mark(MarkRequest(route: mark, isUndoable: true)))
    case .versions(let id): push(TextScreen(id: core.nextID(), .versions(id)))
    case .difference(let id): push(TextScreen(id: core.nextID(), .difference(id)))
    case .feedsAdd(let addition): core.add(addition)
    }
  }

  private mutating func show(_ id: NewsItem.ID) {
    if let last = stack.indices.last, var screen = stack[last] as? NewsItemScreen {
      screen.show(id, &core)
      stack[last] = screen
    } else {
      push(NewsItemScreen(id: core.nextID(), item: id))
    }
  }

  /// The name of a list: its feeds, folders or state; empty for a search by words only.
  private func name(of source: HeadlineSource) -> DisplayText {
    let filter = source.list.filter
    if let id = filter.feedID {
      return title(of: id) ?? DisplayText(line: Wording.feedNumberedInSentence(id.rawValue))
    }
    if filter.isStarred == true { return DisplayText(line: Wording.starred) }
    let names = filter.feeds + filter.folders + filter.labels
    if names.isEmpty, case .search = source { return DisplayText("") }
    return names.isEmpty
      ? DisplayText(line: Wording.allItems) : DisplayText(line: names.joined(separator: ", "))
  }

  private func title(of id: Feed.ID) -> DisplayText? {
    let feeds = (stack.first as? SubscriptionsScreen)?.container.content?.lines
    return feeds?.first { $0.id == id }?.title
  }

  /// Updates the names of lists that were opened before the titles of feeds were known or before a feed was
  /// renamed.
  private mutating func nameLists() {
    for index in stack.indices {
      guard var list = stack[index] as? NewsListScreen, let id = list.source.list.filter.feedID,
        let title = title(of: id), title != list.name
      else { continue }
      list.name = title
      stack[index] = list
    }
  }

  private mutating func go(_ navigation: ScreenTransition) {
    switch navigation {
    case .open(let route): open(route)
    case .show(let id): show(id)
    case .text(let subject): push(TextScreen(id: core.nextID(), subject))
    case .choose(let item):
      let names = core.options.actions.map(\.name)
      let lines = names.map { DisplayText(line: $0) }
      add(
        ChoiceScreen(
          id: core.nextID(),
          title: DisplayText(line: Wording.handTheItemTo),
          lines,
          .program(item, names: names)
        )
      )
    case .back:
      if stack.count > 1 { stack.removeLast() } else { isOver = true }
    case .quit: isOver = true
    case .seek(let action, let opens):
      guard let index = stack.lastIndex(where: { $0 is NewsListScreen }),
        var list = stack[index] as? NewsListScreen
      else { return core.tell(Wording.thisItemIsInNoList) }
      if action == .markAllRead {
        _ = list.perform(action, nil, &core)
      } else {
        list.seek(action, opens: opens, &core)
      }
      stack[index] = list
    case .change(let source, let page, let opens):
      guard let index = stack.lastIndex(where: { $0 is NewsListScreen }) else { return }
      var list = NewsListScreen(id: core.nextID(), source: source, name: name(of: source))
      list.settle(on: page, opens: opens, &core)
      stack[index] = list
    }
  }

  /// Applies the navigation and marks that the event led to, on all screens. Returns the effects.
  private mutating func settle() -> [ReaderEffect] {
    while !core.navigation.isEmpty { go(core.navigation.removeFirst()) }
    for (mark, ids) in core.marks {
      for index in stack.indices { stack[index].apply(mark, to: ids) }
    }
    core.marks = []
    defer { core.effects = [] }
    return core.effects
  }

  // MARK: - Drawing

  /// Draws the current screen.
  public func grid() -> ScreenGrid {
    var grid = ScreenGrid(
      core.size,
      ambiguousIsWide: core.terminal.ambiguousIsWide,
      reordersText: core.options.direction != .terminal
    )
    guard let screen = stack.last else { return grid }
    screen.draw(on: &grid, in: core.area, core)
    ReaderFrame(
      title: screen.title,
      summary: screen.summary,
      message: core.message ?? screen.failure.map(ReaderMessage.init),
      progress: core.progress ?? (core.additions > 0 ? DisplayText(line: Wording.askingForTheFeed) : nil),
      pending: matcher.pending,
      hints: ReaderFrame.hints(core.options.keys, screen.context, screen.hints) {
        grid.columns($0) <= core.size.columns
      }
    ).draw(on: &grid)
    core.prompt?.draw(on: &grid)
    return grid
  }
}
