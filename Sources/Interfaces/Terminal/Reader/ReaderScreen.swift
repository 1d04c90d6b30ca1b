import Modules
import NewsCore
import NewsText

/// A part of the grid.
public struct ScreenArea: Hashable, Sendable {
  public var row: Int
  public var rows: Int
  public var columns: Int
}

/// A screen of the reader: a value with a module's container and state such as the selection. Only events
/// change it.
protocol ReaderScreen: Sendable {
  var id: ScreenID { get }
  var context: KeyContext { get }
  /// The text of the title bar.
  var title: DisplayText { get }
  /// Counts and progress, at the right of the title bar.
  var summary: DisplayText { get }
  /// Actions whose keys the last line shows in addition to those of the context.
  var hints: [(ReaderAction, String)] { get }
  /// The error of the screen's container.
  var failure: UserMessage? { get }
  /// Requests the first content.
  mutating func begin(_ core: inout ReaderCore)
  /// Performs the action of a key; the second parameter is the number typed before the key. Returns false if
  /// the screen does not know the action.
  mutating func perform(_ action: ReaderAction, _ count: Int?, _ core: inout ReaderCore) -> Bool
  mutating func take(_ content: LoadedContent, generation: Int, _ core: inout ReaderCore)
  /// Adapts the screen to changes of the store.
  mutating func refresh(_ changes: StoreChanges, _ core: inout ReaderCore)
  /// Shows a mark of items at once, before the store has written it.
  mutating func apply(_ mark: ItemMark, to ids: Set<NewsItem.ID>)
  mutating func resize(_ core: inout ReaderCore)
  mutating func due(generation: Int, _ core: inout ReaderCore)
  mutating func dismissFailure()
  /// Handles a press of the mouse on a row of the screen's area.
  mutating func press(row: Int, isDouble: Bool, _ core: inout ReaderCore)
  func draw(on grid: inout ScreenGrid, in area: ScreenArea, _ core: ReaderCore)
}

extension ReaderScreen {
  var summary: DisplayText { DisplayText("") }
  var hints: [(ReaderAction, String)] { [] }
  var failure: UserMessage? { nil }
  mutating func apply(_ mark: ItemMark, to ids: Set<NewsItem.ID>) {}
  mutating func resize(_ core: inout ReaderCore) {}
  mutating func due(generation: Int, _ core: inout ReaderCore) {}
  mutating func dismissFailure() {}
  mutating func press(row: Int, isDouble: Bool, _ core: inout ReaderCore) {}
}

/// The next screen that a screen requests.
enum ScreenTransition: Sendable {
  case open(Route)
  /// Replaces the shown item, or opens an item on top of the list.
  case show(NewsItem.ID)
  /// Shows the configured programs for an item.
  case choose(NewsItem.ID)
  case text(TextSubject)
  case back
  case quit
  /// Lets the list, which may be below an item's screen, select an unread item or a neighbour.
  case seek(ReaderAction, opens: Bool)
  /// Replaces the list with that of another feed, with its item selected.
  case change(to: HeadlineSource, HeadlineWindow, opens: Bool)
}

/// State that screens share, and their requests: effects and navigation.
struct ReaderCore: Sendable {
  let options: ReaderOptions
  var size: ScreenSize
  var terminal: Terminal
  var effects: [ReaderEffect] = []
  var message: ReaderMessage?
  var navigation: [ScreenTransition] = []
  /// Marks that were set since the last event; every screen shows them at once.
  var marks: [(ItemMark, Set<NewsItem.ID>)] = []
  var prompt: Prompt?
  /// The progress of a refresh; nil: none is running.
  var progress: DisplayText?
  /// Number of feeds being fetched before they are added.
  var additions = 0
  /// Lines typed at the command prompt and after the key for a pipe, the newest first. Kept until the reader
  /// ends.
  private(set) var commands: [String] = []
  private(set) var pipes: [String] = []
  /// The steps that can be undone, the latest last.
  var undo: [UndoStep] = []
  private var lastStep = 0
  private var lastID = 0

  init(options: ReaderOptions, size: ScreenSize, terminal: Terminal) {
    self.options = options
    self.size = size
    self.terminal = terminal
  }

  /// The rows between title and message.
  var area: ScreenArea { ScreenArea(row: 1, rows: max(size.rows - 2, 1), columns: size.columns) }

  mutating func nextID() -> ScreenID {
    lastID += 1
    return ScreenID(number: lastID)
  }

  mutating func tell(_ text: String) { message = ReaderMessage(DisplayText(line: text)) }

  mutating func tell(_ text: DisplayText) { message = ReaderMessage(text) }

  mutating func fail(_ text: String) {
    message = ReaderMessage(DisplayText(line: text), isError: true)
  }

  /// Marks items. Screens show the mark at once; the store writes marks in the order in which they were set.
  mutating func mark(_ ids: [NewsItem.ID], _ mark: ItemMark, isUndoable: Bool = true) {
    guard !ids.isEmpty else { return }
    var step: Int?
    if isUndoable {
      lastStep += 1
      step = lastStep
      undo.append(UndoStep(ids: ids, mark: mark, number: lastStep))
    }
    marks.append((mark, Set(ids)))
    effects.append(.mark(MarkRequest(route: MarkRoute(ids, mark), isUndoable: false, step: step)))
  }

  /// Marks all items of a filter or a search. The changed items are known, and can be undone, only after the write.
  mutating func mark(_ route: MarkRoute) {
    effects.append(.mark(MarkRequest(route: route, isUndoable: true)))
  }

  /// Opens a question in the last line.
  mutating func ask(_ purpose: Prompt.Purpose, _ label: DisplayText, _ text: String = "") {
    var prompt = Prompt(purpose, label, text)
    switch purpose {
    case .command: prompt.history = commands
    case .pipe: prompt.history = pipes
    default: break
    }
    self.prompt = prompt
  }

  /// Adds a command or a pipe to its history, so that the next question of this kind offers it.
  mutating func remember(_ line: String, of purpose: Prompt.Purpose) {
    func added(to lines: [String]) -> [String] {
      Array(([line] + lines.filter { $0 != line }).prefix(Self.remembered))
    }
    switch purpose {
    case .command: commands = added(to: commands)
    case .pipe: pipes = added(to: pipes)
    default: break
    }
  }

  private static let remembered = 100

  /// Fetches a feed and adds it.
  mutating func add(_ route: FeedsAddRoute) {
    additions += 1
    effects.append(.add(route))
  }

  /// Starts a refresh unless one is running.
  mutating func refresh(_ route: Route) {
    guard case .refresh(let fetch) = route else { return }
    guard progress == nil else { return tell(Wording.aRefreshIsRunning) }
    progress = DisplayText(line: Wording.refreshingNow)
    effects.append(.refresh(fetch))
  }

  /// Opens a link of a feed, which must be a web link, because a browser would also open files. Returns false
  /// if the link is neither http nor https.
  @discardableResult
  mutating func browse(_ url: String?) -> Bool {
    // A store's address may have controls, which a program could pass on to the terminal.
    guard let url = url.flatMap({ URLResolver.resolve($0, base: nil) }), WebAddress.isWeb(url) else {
      fail(Wording.thereIsNoLinkOnTheWeb)
      return false
    }
    effects.append(.run(ForegroundCall(words: options.browser + [url])))
    return true
  }

  mutating func copy(_ url: String?) {
    guard let url, !url.isEmpty else { return fail(Wording.thereIsNoLinkToCopy) }
    effects.append(.copy(url))
    tell(DisplayText(line: Wording.copied) + DisplayText(line: url))
  }

  /// Asks for the label to give to an item, or to remove from it.
  mutating func askLabel(_ item: NewsItem.ID) {
    ask(.label(item), DisplayText(line: Wording.labelToGiveOrRemove))
  }

  /// Sends an item to a configured program.
  mutating func act(_ item: NewsItem.ID) {
    switch options.actions.count {
    case 0: fail(Wording.noProgramIsConfigured)
    case 1: effects.append(.act(item, options.actions[0].name))
    default: navigation.append(.choose(item))
    }
  }

  /// Notes which items a mark has changed: with the items that the user named, also others of their stories.
  mutating func noteChanged(_ ids: [NewsItem.ID], _ request: MarkRequest) {
    guard case .ids(let named) = request.route.items, !ids.isEmpty else { return }
    let others = Set(ids).subtracting(named)
    if !others.isEmpty { marks.append((request.route.mark, others)) }
    guard let step = request.step else { return }
    if let index = undo.lastIndex(where: { $0.number == step }) {
      undo[index].ids = ids
    } else {
      // The mark was undone before it was written.
      mark(Array(others), request.route.mark.opposite, isUndoable: false)
    }
  }

  mutating func undoLast() {
    guard let step = undo.popLast() else { return tell(Wording.nothingToUndo) }
    mark(step.ids, step.mark.opposite, isUndoable: false)
    let count = step.ids.count
    tell(
      DisplayText(
        line: Wording.undone(count, step.mark.opposite.rawValue)
      )
    )
  }
}

/// Marks that are undone together.
struct UndoStep: Hashable, Sendable {
  var ids: [NewsItem.ID]
  var mark: ItemMark
  /// What `MarkRequest.step` names; 0 if the mark was written before.
  var number = 0
}

/// The content of a `TextScreen`.
enum TextSubject: Sendable {
  case keys(KeyContext)
  case versions(NewsItem.ID)
  case difference(NewsItem.ID)
}
