public import Modules
import NewsCore
public import NewsToolbox

/// The feeds as text: position, health, id, counts, age, title and folder, with any problem below.
public struct SubscriptionsView: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public func render(_ content: SubscriptionsViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    render(content.lines, &buffer)
    for search in content.saved {
      buffer.paint(literal: "search ", .faint, on: terminal)
      buffer.paint(DisplayText(line: "\(search.name): \(search.query)"), on: terminal)
      buffer.newLine()
    }
  }

  private func render(_ lines: [SubscriptionLine], _ buffer: inout ByteBuffer) {
    let width = DisplayWidth(ambiguousIsWide: terminal.ambiguousIsWide)
    let position = lines.map { Self.digits($0.position) }.max() ?? 0
    let id = lines.map { Self.digits(Int($0.id.rawValue)) }.max() ?? 0
    let counts = lines.map { Self.digits($0.unread) + 1 + Self.digits($0.items) }.max() ?? 0
    let fetched = lines.map { $0.fetched.string.count }.max() ?? 0
    let room = terminal.width.map { max($0 - position - id - counts - fetched - 6, 10) }
    for line in lines {
      right(String(line.position), position, .faint, &buffer)
      paint(line.health, &buffer)
      buffer.spaces(1)
      right(String(line.id.rawValue), id, .faint, &buffer)
      right("\(line.unread)/\(line.items)", counts, line.unread > 0 ? .unread : .plain, &buffer)
      right(line.fetched.string, fetched, .date, &buffer)
      renderTitle(line, room, width, &buffer)
      buffer.newLine()
      guard let problem = line.problem else { continue }
      let indent = position + 3
      buffer.spaces(indent)
      let text = terminal.width.map { width.fit(problem.string, into: max($0 - indent, 10)).text }
      buffer.paint(safe: text ?? problem.string, .error, on: terminal)
      buffer.newLine()
    }
  }

  private func renderTitle(
    _ line: SubscriptionLine,
    _ room: Int?,
    _ width: DisplayWidth,
    _ buffer: inout ByteBuffer
  ) {
    let (title, columns) = room.map { width.fit(line.title.string, into: $0) } ?? (line.title.string, 0)
    buffer.link(line.url, on: terminal) { buffer in
      buffer.paint(safe: DisplayText(unchecked: title).isolated, .feed, on: terminal)
    }
    guard let folder = line.folder else { return }
    let left = room.map { $0 - columns - 2 } ?? .max
    guard left >= 6 else { return }
    buffer.spaces(2)
    let name = width.fit(folder.string, into: left).text
    buffer.paint(safe: DisplayText(unchecked: name).isolated, .faint, on: terminal)
  }

  private func paint(_ health: SubscriptionLine.Health, _ buffer: inout ByteBuffer) {
    switch health {
    case .good: buffer.spaces(1)
    case .new: buffer.paint(literal: "+", .faint, on: terminal)
    case .failing: buffer.paint(literal: "!", .error, on: terminal)
    case .gone: buffer.paint(literal: "x", .error, on: terminal)
    case .paused: buffer.paint(literal: "=", .faint, on: terminal)
    }
  }

  private func right(_ text: String, _ columns: Int, _ style: TextStyle, _ buffer: inout ByteBuffer) {
    buffer.spaces(columns - text.count)
    buffer.paint(safe: text, style, on: terminal)
    buffer.spaces(1)
  }

  private static func digits(_ number: Int) -> Int { String(number).utf8.count }
}
