public import NewsService

/// Shows what an item said before its feed edited it.
public struct ItemVersionsInteractor: Sendable {
  private let news: any ItemReading
  private let versions: any ItemVersionReading

  public init(news: any ItemReading, versions: any ItemVersionReading) {
    self.news = news
    self.versions = versions
  }

  /// Emits all versions, the oldest first, the present one last.
  ///
  /// - Throws: What `emit` throws.
  public func list(_ id: NewsItem.ID, emit: Emit<ItemVersionsViewModel>) async throws {
    do {
      let item = try await news.item(id)
      let old = try await versions.versions(of: id)
      try emit(.ready(ItemVersionsViewModel(old, present: item)))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }

  /// Emits what changed between the last two versions, or from version `number` to the present.
  ///
  /// - Throws: What `emit` throws.
  public func difference(_ id: NewsItem.ID, emit: Emit<ItemDifferenceViewModel>) async throws {
    do {
      let item = try await news.item(id)
      let old = try await versions.versions(of: id)
      guard let last = old.last else {
        let text = "item \(id.rawValue) has not been edited since it was stored"
        return try emit(.failed(UserMessage(code: .nothingMatched, text: text)))
      }
      let lines = LineDifference.lines(
        from: [last.title] + TextSentences.split(last.text),
        to: [item.title] + TextSentences.split(item.contentText)
      )
      try emit(.ready(ItemDifferenceViewModel(lines: lines)))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }
}

/// One version of an item, as a record.
struct VersionRecord: Hashable, Sendable {
  var itemID: NewsItem.ID
  var number: Int
  /// Nil: it is the present one.
  var replaced: Timestamp?
  var title: String
  var text: String
}

/// All versions of an item.
public struct ItemVersionsViewModel: ScreenContent {
  var lines: [RecordLine<VersionRecord>]
  public var rowCount: Int { lines.count }

  init(_ versions: [ItemVersion], present item: NewsItem) {
    let old = versions.map {
      VersionRecord(itemID: item.id, number: $0.number, replaced: $0.replaced, title: $0.title, text: $0.text)
    }
    let present = VersionRecord(
      itemID: item.id,
      number: (versions.last?.number ?? 0) + 1,
      replaced: nil,
      title: item.title,
      text: item.contentText
    )
    lines = (old + [present]).map { version in
      let until = version.replaced.map { "until \($0.rfc3339)" } ?? "now"
      return RecordLine(
        record: version,
        text: DisplayText(line: "\(version.number)  \(until)  \(version.title)"),
        note: DisplayText(line: String(version.text.prefix(400)))
      )
    }
  }
}

enum VersionField: String, RecordField {
  case id, version, replaced, title
  case contentText = "content_text"

  static let defaultColumns: [VersionField] = [.id, .version, .replaced, .title]
  static let identity = VersionField.version
  var isTime: Bool { self == .replaced }

  func value(of version: VersionRecord) -> FieldValue {
    switch self {
    case .id: .number(version.itemID.rawValue)
    case .version: .number(Int64(version.number))
    case .replaced: FieldValue(version.replaced)
    case .title: .text(version.title)
    case .contentText: .text(version.text)
    }
  }
}

/// Versions in the format asked for.
public struct ItemVersionsView: ContentView {
  private var list: RecordList<VersionField>

  public init(_ shape: RecordShape) throws(UserMessage) { list = try RecordList(shape) }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try list.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try list.end(&buffer) }
  public mutating func render(
    _ content: ItemVersionsViewModel,
    isLast: Bool,
    _ buffer: inout ByteBuffer
  ) throws(OutputError) {
    try list.render(content.lines, &buffer)
  }
}
