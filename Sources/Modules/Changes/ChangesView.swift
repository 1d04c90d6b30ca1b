import NewsCore

/// The change log in the format asked for; as text: number, kind, item, title.
public struct ChangesView: ContentView {
  private let terminal: Terminal
  private let format: OutputFormat
  private var encoder: (any RecordEncoding<LogEntry>)?

  /// - Throws: A usage error for a format that changes do not have, an unknown column, or a mistake in the template.
  public init(
    format: OutputFormat,
    fields: [String]? = nil,
    header: Bool? = nil,
    template: String? = nil,
    terminal: Terminal
  ) throws(UserMessage) {
    self.terminal = terminal
    self.format = format
    encoder = try RecordOutput<ChangeField>(
      format: OutputFormat(named: format.rawValue, among: OutputFormat.forRecords),
      fields: fields,
      header: header,
      template: template,
      terminal: terminal
    ).makeEncoder()
  }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder?.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder?.end(&buffer) }

  public mutating func render(
    _ content: ChangesViewModel,
    isLast: Bool,
    _ buffer: inout ByteBuffer
  ) throws(OutputError) {
    guard encoder == nil else {
      // Where there are only ids, those of feeds would pass for items.
      let entries = format == .ids ? content.entries.filter(\.isItem) : content.entries
      try encoder?.append(contentsOf: entries, to: &buffer)
      return
    }
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

extension LogEntry {
  fileprivate var isItem: Bool {
    if case .item = self { return true }
    return false
  }
}
