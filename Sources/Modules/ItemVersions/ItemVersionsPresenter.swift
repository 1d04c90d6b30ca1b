public import NewsCore

/// All versions of an item.
public struct ItemVersionsViewModel: RecordListContent {
  public typealias Record = VersionRecord

  public var lines: [RecordLine<VersionRecord>]
  public var rowCount: Int { lines.count }
}

/// One version of an item, as a record.
public struct VersionRecord: Hashable, Sendable {
  public var itemID: NewsItem.ID
  public var number: Int
  /// Nil: it is the present one.
  public var replaced: Timestamp?
  public var title: String
  public var text: String
}

/// Versions as lines, and what the last edit changed.
public struct ItemVersionsPresenter: Sendable {
  public init() {}

  func list(_ versions: [ItemVersion], present item: NewsItem) -> ItemVersionsViewModel {
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
    return ItemVersionsViewModel(lines: (old + [present]).map(line))
  }

  private func line(_ version: VersionRecord) -> RecordLine<VersionRecord> {
    let until = version.replaced.map { "until \($0.rfc3339)" } ?? "now"
    return RecordLine(
      record: version,
      text: DisplayText(line: "\(version.number)  \(until)  \(version.title)"),
      note: DisplayText(line: String(version.text.prefix(400)))
    )
  }

  func difference(_ versions: [ItemVersion], present item: NewsItem) -> Container<ItemDifferenceViewModel> {
    guard let last = versions.last else {
      let text = "item \(item.id.rawValue) has not been edited since it was stored"
      return .failed(UserMessage(code: .nothingMatched, text: text))
    }
    let lines = LineDifference.lines(
      from: [last.title] + TextSentences.split(last.text),
      to: [item.title] + TextSentences.split(item.contentText)
    )
    return .ready(ItemDifferenceViewModel(lines: lines))
  }
}
