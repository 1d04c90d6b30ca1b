import Modules
import NewsCore

/// A list from which the user chooses one entry, such as the feeds of a page or the configured programs.
struct ChoiceScreen: ReaderScreen {
  enum Purpose: Sendable {
    case feed(FeedsAddRoute)
    case program(NewsItem.ID, names: [String])
  }

  let id: ScreenID
  let title: DisplayText
  let choices: [DisplayText]
  let purpose: Purpose
  private var cursor = LineCursor()
  var context: KeyContext { .help }
  var hints: [(ReaderAction, String)] { [(.open, "choose")] }

  init(id: ScreenID, title: DisplayText, _ choices: [DisplayText], _ purpose: Purpose) {
    self.id = id
    self.title = title
    self.choices = choices
    self.purpose = purpose
  }

  mutating func begin(_ core: inout ReaderCore) {}
  mutating func take(_ content: LoadedContent, generation: Int, _ core: inout ReaderCore) {}
  mutating func refresh(_ changes: StoreChanges, _ core: inout ReaderCore) {}

  mutating func press(row: Int, isDouble: Bool, _ core: inout ReaderCore) {
    cursor.select(cursor.top + row, of: choices.count)
    if isDouble { _ = perform(.open, nil, &core) }
  }

  mutating func perform(_ action: ReaderAction, _ count: Int?, _ core: inout ReaderCore) -> Bool {
    if cursor.move(action, count, of: choices.count, height: core.area.rows) != nil {
      cursor.reveal(cursor.selected..<cursor.selected + 1, of: choices.count, height: core.area.rows)
      return true
    }
    guard action == .open else { return false }
    core.navigation.append(.back)
    switch purpose {
    case .feed(let route):
      core.add(route.picking(cursor.selected + 1))
    case .program(let item, let names):
      if names.indices.contains(cursor.selected) { core.effects.append(.act(item, names[cursor.selected])) }
    }
    return true
  }

  func draw(on grid: inout ScreenGrid, in area: ScreenArea, _ core: ReaderCore) {
    let seen = choices[min(cursor.top, choices.count)..<min(cursor.top + area.rows, choices.count)]
    for (offset, choice) in seen.enumerated() {
      let style = ScreenStyle(.plain, isSelected: cursor.top + offset == cursor.selected)
      grid.clear(area.row + offset, style)
      grid.put(safe: choice.isolated, area.row + offset, 1, style)
    }
  }
}
