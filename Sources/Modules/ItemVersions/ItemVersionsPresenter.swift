import NewsCore

/// Formats the versions of an item as lines.
struct ItemVersionsPresenter: Presenting {
  typealias ViewModel = ItemVersionsViewModel

  func list(_ versions: [ItemVersion], present item: NewsItem) -> Container<ItemVersionsViewModel> {
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
    return .ready(ItemVersionsViewModel(lines: (old + [present]).map(line)))
  }

  private func line(_ version: VersionRecord) -> RecordLine<VersionRecord> {
    let until = version.replaced.map { "until \($0.rfc3339)" } ?? "now"
    return RecordLine(
      record: version,
      text: DisplayText(line: "\(version.number)  \(until)  \(version.title)"),
      note: DisplayText(line: String(version.text.prefix(400)))
    )
  }
}
