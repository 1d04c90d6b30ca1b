import NewsCore

/// Formats entries of the change log as lines.
struct ChangesPresenter: Presenting {
  typealias ViewModel = ChangesViewModel

  func present(_ entries: [LogEntry]) -> Container<ChangesViewModel> {
    .loading(keeping: ChangesViewModel(records: entries, lines: entries.map(line)))
  }

  func end(head: Int64) -> Container<ChangesViewModel> {
    .ready(ChangesViewModel(records: [], lines: [], head: head))
  }

  private func line(_ entry: LogEntry) -> ChangeLine {
    switch entry {
    case .item(let change):
      ChangeLine(
        sequence: change.sequence,
        kind: DisplayText(line: change.kind.rawValue),
        id: change.itemID.rawValue,
        title: change.item.map(HeadlinePresenter.title) ?? DisplayText(line: change.guid ?? ""),
        isGone: change.item == nil
      )
    case .feed(let change):
      ChangeLine(
        sequence: change.sequence,
        kind: DisplayText(line: change.kindName),
        id: change.feedID.rawValue,
        title: DisplayText(line: change.feed?.title ?? WebAddress.redacted(change.url)),
        isGone: change.feed == nil
      )
    }
  }
}
