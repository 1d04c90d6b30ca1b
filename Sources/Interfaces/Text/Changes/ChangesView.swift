public import Modules
import NewsCore

/// The change log as text: number, kind, item, title.
public struct ChangesView: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public func render(_ content: ChangesViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    for entry in content.entries { append(entry, to: &buffer) }
  }

  private func append(_ entry: LogEntry, to buffer: inout ByteBuffer) {
    let (kind, id, title, isGone) =
      switch entry {
      case .item(let change):
        (change.kind.rawValue, change.itemID.rawValue, change.item?.title ?? change.guid, change.item == nil)
      case .feed(let change):
        (
          change.kindName, change.feedID.rawValue, change.feed?.title ?? WebAddress.redacted(change.url),
          change.feed == nil
        )
      }
    let gap = String(repeating: " ", count: max(9 - kind.count, 1))
    let head = "\(entry.sequence) \(kind)\(gap)\(id) "
    buffer.paint(safe: head, isGone ? .error : .faint, on: terminal)
    let room = terminal.width.map { max($0 - head.count, 10) } ?? .max
    let width = DisplayWidth(ambiguousIsWide: terminal.ambiguousIsWide)
    let text = width.fit(DisplayText(line: title ?? "").string, into: room).text
    buffer.append(DisplayText(safe: text).isolated)
    buffer.newLine()
  }
}
