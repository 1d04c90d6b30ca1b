import NewsService

/// The change log in the format asked for; as text: number, kind, item, title.
public struct ChangesView: ContentView {
  private let terminal: Terminal
  private var encoder: (any RecordEncoding<Change>)?

  /// - Throws: A usage error for a format that changes do not have, an unknown column, or a mistake in the template.
  public init(
    format: OutputFormat,
    fields: [String]? = nil,
    header: Bool? = nil,
    template: String? = nil,
    terminal: Terminal
  ) throws(UserMessage) {
    self.terminal = terminal
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
      try encoder?.append(contentsOf: content.changes, to: &buffer)
      return
    }
    let width = DisplayWidth(ambiguousIsWide: terminal.ambiguousIsWide)
    for change in content.changes {
      let kind = change.kind.rawValue
      let head =
        "\(change.sequence) \(kind)\(String(repeating: " ", count: 9 - kind.count))\(change.itemID.rawValue) "
      buffer.paint(safe: head, change.kind == .deleted ? .error : .faint, on: terminal)
      let title = DisplayText(line: change.item?.title ?? change.guid ?? "")
      let room = terminal.width.map { max($0 - head.count, 10) } ?? .max
      buffer.append(DisplayText(safe: width.fit(title.string, into: room).text).isolated)
      buffer.newLine()
    }
  }
}
