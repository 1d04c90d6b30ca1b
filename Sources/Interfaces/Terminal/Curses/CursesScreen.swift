import CNcurses
import Glibc
public import Modules
import NewsText
import NewsToolbox

/// The terminal under ncurses: draws grids and reads keys. Used by one thread.
///
/// Only this file calls curses, because the C state that restores the terminal after a crash exists once per
/// object file.
public final class CursesScreen {
  private var shown: ScreenGrid?
  private let theme: Theme?
  private let colours: Int
  private let hasDirectColour: Bool
  private var looks: [ScreenStyle: (attributes: UInt32, pair: Int32)] = [:]

  /// Starts curses on the terminal of standard input and output. `stopsReordering` requests that the terminal
  /// show text in the order in which it is sent. Throws a usage error if the terminal cannot be used,
  /// `unreachable` if ncurses cannot be loaded.
  @inline(never) public init(
    theme: Theme,
    usesColour: Bool,
    usesMouse: Bool,
    stopsReordering: Bool,
    terminal: String?
  ) throws(UserMessage) {
    if let error = newsd_curses_load() {
      throw UserMessage(code: .unreachable, text: Wording.cannotLoadCurses(String(cString: error)))
    }
    guard newsd_curses_open(usesMouse, stopsReordering) else {
      let name = DisplayText(line: terminal ?? "").string
      throw UserMessage(
        code: .usage,
        text: Wording.cannotDraw(on: name)
      )
    }
    colours = usesColour ? Int(newsd_curses_colours()) : 0
    hasDirectColour = newsd_curses_has_direct_colour()
    self.theme = theme
  }

  /// Checks the terminal before curses is loaded. Throws if the reader cannot draw on it.
  @inline(never) public static func check(terminal: String?) throws(UserMessage) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw UserMessage(code: .usage, text: Wording.readNeedsATerminal)
    }
    guard let terminal, !terminal.isEmpty, terminal != "dumb", terminal != "unknown" else {
      throw UserMessage(
        code: .usage,
        text: Wording.readNeedsACursor(terminal ?? "")
      )
    }
  }

  /// The terminal's size now.
  @inline(never) public var size: ScreenSize {
    var window = winsize()
    // TIOCGWINSZ is a macro that Swift does not import on Linux.
    guard ioctl(STDOUT_FILENO, 0x5413, &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
      return ScreenSize(rows: 24, columns: 80)
    }
    return ScreenSize(rows: min(Int(window.ws_row), 1000), columns: min(Int(window.ws_col), 1000))
  }

  /// Adapts to the window's new size.
  @inline(never) public func resize(to size: ScreenSize) {
    newsd_curses_resize(Int32(size.rows), Int32(size.columns))
    shown = nil
  }

  /// Restores the terminal for another program, or for the end of the reader.
  @inline(never) public func leave() { newsd_curses_leave() }

  @inline(never) public func comeBack() {
    newsd_curses_return()
    resize(to: size)
  }

  /// Makes the next drawing redraw every cell.
  @inline(never) public func forget() {
    newsd_curses_redraw()
    shown = nil
  }

  /// Sends a sequence that curses does not know, such as that of the clipboard (OSC 52). It must not move the
  /// cursor.
  @inline(never) public func send(_ bytes: [UInt8]) {
    try? DescriptorWriter(descriptor: STDOUT_FILENO).write(bytes)
  }

  // MARK: - Drawing

  @inline(never) public func draw(_ grid: ScreenGrid) {
    let isWhole = shown?.size != grid.size
    for row in 0..<grid.size.rows {
      let cells = grid.row(row)
      if !isWhole, let shown, shown.row(row) == cells { continue }
      draw(cells, row)
    }
    if let cursor = grid.cursor {
      newsd_curses_show(Int32(cursor.row), Int32(cursor.column))
    } else {
      newsd_curses_show(-1, 0)
    }
    shown = grid
  }

  @inline(never) private func draw(_ cells: ArraySlice<ScreenGrid.Cell>, _ row: Int) {
    var text: [wchar_t] = []
    var start = 0
    var style: ScreenStyle?
    func flush() {
      guard let style, !text.isEmpty else { return }
      let look = look(of: style)
      newsd_curses_style(look.attributes, look.pair)
      text.withUnsafeBufferPointer {
        newsd_curses_put(Int32(row), Int32(start), $0.baseAddress, Int32($0.count))
      }
      text.removeAll(keepingCapacity: true)
    }
    newsd_curses_style(0, 0)
    newsd_curses_clear_line(Int32(row))
    var column = 0
    for (index, cell) in zip(cells.indices, cells) {
      defer { column += 1 }
      guard !cell.text.isEmpty else { continue }
      let isASCII = cell.text.utf8.count == 1
      // The terminal may disagree about a cluster's width. Set the cursor for each cluster, so that an error
      // does not shift the rest of the line.
      if cell.style != style || !isASCII || text.isEmpty {
        flush()
        start = column
        style = cell.style
      }
      let next = cells.index(after: index)
      let columns = next < cells.endIndex && cells[next].text.isEmpty ? 2 : 1
      text += Self.scalars(cell.text, columns: columns)
      if !isASCII { flush() }
    }
    flush()
  }

  /// Returns the scalars of a cluster that fit into its columns, measured by the C library's widths. For example, a
  /// terminal that cannot draw a family of four as one emoji shows its first member.
  @inline(never) private static func scalars(_ cluster: String, columns: Int) -> [wchar_t] {
    let all = cluster.unicodeScalars.map { wchar_t($0.value) }
    if all.count == 1, newsd_columns(all[0]) == Int32(columns) { return all }
    let total = all.reduce(0) { $0 + max(Int(newsd_columns($1)), 0) }
    if total == columns, all.allSatisfy({ newsd_columns($0) >= 0 }) { return all }
    var kept: [wchar_t] = []
    var used = 0
    for scalar in all {
      let width = Int(newsd_columns(scalar))
      // Skip joiners and variation selectors, which would ask for emoji that the terminal lacks.
      guard width >= 0, used + width <= columns, scalar != 0x200D, scalar != 0xFE0F else { continue }
      if kept.isEmpty, width == 0 { continue }
      kept.append(scalar)
      used += width
    }
    let space = wchar_t(0x20)
    while used < columns {
      kept.append(used == 0 ? wchar_t(UInt8(ascii: "?")) : space)
      used += 1
    }
    return kept
  }

  @inline(never) private func look(of style: ScreenStyle) -> (attributes: UInt32, pair: Int32) {
    if let known = looks[style] { return known }
    let look = theme?.look(style) ?? Appearance()
    var attributes: UInt32 = 0
    for attribute in look.attributes {
      let bit =
        switch attribute {
        case .bold: newsd_bold
        case .faint: newsd_faint
        case .italic: newsd_italic
        case .underline: newsd_underline
        case .reverse: newsd_reverse
        }
      attributes |= bit
    }
    var pair: Int32 = 0
    if colours >= 8, look.foreground != nil || look.background != nil {
      pair = newsd_curses_pair(number(of: look.foreground), number(of: look.background))
    }
    looks[style] = (attributes, pair)
    return (attributes, pair)
  }

  /// The terminal's number for the colour; -1 for its default.
  @inline(never) private func number(of colour: ScreenColour?) -> Int32 {
    switch colour {
    case nil, .terminal: -1
    case .indexed(let index):
      if index < colours {
        Int32(index)
      } else {
        // With eight colours, bright colours become plain ones, and all others the terminal's default.
        index < 16 ? Int32(index % 8) : -1
      }
    case .rgb(let red, let green, let blue):
      if hasDirectColour {
        Int32(red << 16 | green << 8 | blue)
      } else if colours >= 256 {
        // The 6 × 6 × 6 colour cube, whose numbers begin at 16.
        Int32(16 + 36 * Self.step(red) + 6 * Self.step(green) + Self.step(blue))
      } else {
        -1
      }
    }
  }

  @inline(never) private static func step(_ part: Int) -> Int { (part * 5 + 127) / 255 }

  // MARK: - Keys

  /// Returns the next input that has not been read yet; nil if there is none.
  @inline(never) public func nextInput() -> ReaderInput? {
    while true {
      var value: UInt32 = 0
      let kind = newsd_curses_read(&value)
      if kind == newsd_curses_character {
        guard let scalar = Unicode.Scalar(value) else { continue }
        return .key(Key(typing: scalar))
      }
      guard kind == newsd_curses_key else { return nil }
      if value == newsd_key_resize { return .resized }
      if value == newsd_key_mouse {
        if let event = mouse() { return event }
      } else if let key = Self.key(value) {
        return .key(key)
      }
    }
  }

  @inline(never) private func mouse() -> ReaderInput? {
    var row: Int32 = 0
    var column: Int32 = 0
    let kind = newsd_curses_mouse_event(&row, &column)
    if kind == newsd_curses_wheel_up { return .mouse(.wheel(lines: -3)) }
    if kind == newsd_curses_wheel_down { return .mouse(.wheel(lines: 3)) }
    return kind == newsd_curses_press ? .mouse(.press(row: Int(row), column: Int(column))) : nil
  }

  @inline(never) private static func key(_ value: UInt32) -> Key? {
    let named: Key.Named? =
      switch value {
      case newsd_key_down: .down
      case newsd_key_up: .up
      case newsd_key_left: .left
      case newsd_key_right: .right
      case newsd_key_home: .home
      case newsd_key_end: .end
      case newsd_key_next_page: .pageDown
      case newsd_key_previous_page: .pageUp
      case newsd_key_backspace: .backspace
      case newsd_key_delete: .delete
      case newsd_key_insert: .insert
      case newsd_key_enter: .enter
      case newsd_key_back_tab: .backTab
      default: nil
      }
    if let named { return Key(named) }
    guard value > newsd_key_f0, value <= newsd_key_f0 + 24 else { return nil }
    return Key(function: Int(value - newsd_key_f0))
  }
}

/// The terminal's clipboard (OSC 52).
enum Clipboard {
  /// Returns the sequence that copies text. The text is base64, so that nothing in it can end the sequence.
  static func sequence(_ text: String) -> [UInt8] {
    Array("\u{1B}]52;c;\(Base64.encode(Array(text.utf8)))\u{07}".utf8)
  }
}
