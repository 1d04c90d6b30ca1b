import Modules
import NewsText

/// Lines of text: the help, an item's versions, or the difference from its last version.
struct TextScreen: ReaderScreen {
  let id: ScreenID
  let subject: TextSubject
  var context: KeyContext { .help }
  private var container: Container<[LineText]> = .loading()
  /// The lines, wrapped to the width of the screen.
  private var lines: [LineText] = []
  private var top = 0

  /// A line with one style.
  struct LineText: Hashable, Sendable {
    var text: DisplayText
    var role: ScreenRole = .plain
    /// Indentation of continuation lines, in columns.
    var indent = 0

    /// True if the text contains line breaks.
    var hasBreaks: Bool { text.string.utf8.contains(UInt8(ascii: "\n")) }

    /// The line wrapped to `columns`. Its beginning, as wide as the indentation, is kept unbroken: a key, a
    /// symbol or a name.
    func wrapped(_ width: DisplayWidth, columns: Int) -> [LineText] {
      // The wrapper drops leading spaces, which part a head that ends in the indentation from the body.
      let rest = text.string.dropFirst(indent)
      let spaces = rest.utf8.prefix { $0 == UInt8(ascii: " ") }.count
      let head = DisplayText(unchecked: String(text.string.prefix(indent)))
      let body = DisplayText(
        unchecked: String(repeating: "\u{A0}", count: spaces) + rest.dropFirst(spaces)
      )
      let wrapper = TextWrapper(width: width, columns: max(columns - indent, 8))
      let gap = DisplayText(unchecked: String(repeating: " ", count: indent))
      return wrapper.lines(of: [.init(text: body, style: .plain)]).enumerated().map { index, spans in
        let text = DisplayText(unchecked: spans.map(\.text.string).joined())
        return LineText(text: (index == 0 ? head : gap) + text, role: role)
      }
    }
  }

  init(id: ScreenID, _ subject: TextSubject) {
    self.id = id
    self.subject = subject
  }

  var title: DisplayText {
    switch subject {
    case .keys: DisplayText(line: Wording.keys)
    case .versions: DisplayText(line: Wording.versions)
    case .difference: DisplayText(line: Wording.whatTheLastEditChanged)
    }
  }

  var failure: UserMessage? { container.failure }

  mutating func begin(_ core: inout ReaderCore) {
    switch subject {
    case .keys(let context):
      container = .ready(core.options.keys.lines(in: context))
      arrange(core)
    case .versions(let item): core.effects.append(.load(id, generation: 0, .versions(item)))
    case .difference(let item): core.effects.append(.load(id, generation: 0, .difference(item)))
    }
  }

  mutating func take(_ content: LoadedContent, generation: Int, _ core: inout ReaderCore) {
    switch content {
    case .versions(let answer):
      guard answer.isLast else { return }
      container = answer.map { content in
        content.lines.flatMap { line in
          [LineText(text: line.text, role: .heading)]
            + [LineText(text: DisplayText(block: line.record.text)), LineText(text: DisplayText(""))]
        }
      }
    case .difference(let answer):
      guard answer.isLast else { return }
      container = answer.map { content in
        content.lines.map { line in
          switch line.kind {
          case .same: LineText(text: DisplayText("  ") + line.text, indent: 2)
          case .removed: LineText(text: DisplayText("- ") + line.text, role: .error, indent: 2)
          case .added: LineText(text: DisplayText("+ ") + line.text, role: .unread, indent: 2)
          }
        }
      }
    default: return
    }
    arrange(core)
  }

  mutating func refresh(_ changes: StoreChanges, _ core: inout ReaderCore) {}

  mutating func dismissFailure() { container = container.dismissed }

  mutating func resize(_ core: inout ReaderCore) { arrange(core) }

  private mutating func arrange(_ core: ReaderCore) {
    let width = DisplayWidth(ambiguousIsWide: core.terminal.ambiguousIsWide)
    lines = (container.content ?? []).flatMap { line in
      guard width.columns(line.text.string) > core.size.columns || line.hasBreaks else { return [line] }
      return line.wrapped(width, columns: core.size.columns)
    }
    scroll(to: top, core)
  }

  private mutating func scroll(to line: Int, _ core: ReaderCore) {
    top = min(max(line, 0), max(lines.count - core.area.rows, 0))
  }

  mutating func perform(_ action: ReaderAction, _ count: Int?, _ core: inout ReaderCore) -> Bool {
    let page = max(core.area.rows - 1, 1)
    let times = count ?? 1
    switch action {
    case .next: scroll(to: top + times, core)
    case .previous: scroll(to: top - times, core)
    case .pageDown, .halfPageDown: scroll(to: top + page * times, core)
    case .pageUp, .halfPageUp: scroll(to: top - page * times, core)
    case .first: scroll(to: 0, core)
    case .last: scroll(to: lines.count, core)
    case .help: core.navigation.append(.back)
    default: return false
    }
    return true
  }

  func draw(on grid: inout ScreenGrid, in area: ScreenArea, _ core: ReaderCore) {
    for (offset, line) in lines[min(top, lines.count)..<min(top + area.rows, lines.count)].enumerated() {
      grid.put(safe: line.text.string, area.row + offset, 0, ScreenStyle(line.role))
    }
  }
}

extension KeyTable {
  /// The keys in force on a screen, with descriptions of their actions.
  fileprivate func lines(in context: KeyContext) -> [TextScreen.LineText] {
    let rows = inForce(in: context).map {
      (keys: $0.keys.map(Key.text).joined(separator: ", "), help: $0.help)
    }
    let width = rows.map(\.keys.unicodeScalars.count).max() ?? 0
    return rows.map { row in
      let gap = String(repeating: " ", count: max(width - row.keys.unicodeScalars.count, 0) + 2)
      return TextScreen.LineText(text: DisplayText(line: row.keys + gap + row.help), indent: width + 2)
    } + [
      TextScreen.LineText(text: DisplayText("")),
      TextScreen.LineText(
        text: DisplayText(line: Wording.numbersRepeatMovements)
      ),
    ]
  }
}
