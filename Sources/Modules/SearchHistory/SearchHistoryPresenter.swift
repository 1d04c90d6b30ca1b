/// Recent searches, newest first.
public struct SearchHistoryViewModel: RecordListContent {
  public typealias Record = String

  public var lines: [RecordLine<String>]
  public var rowCount: Int { lines.count }
}

/// Recent searches as lines.
public struct SearchHistoryPresenter: Sendable {
  public init() {}

  func list(_ searches: [String]) -> SearchHistoryViewModel {
    SearchHistoryViewModel(lines: searches.map { RecordLine(record: $0, text: DisplayText(line: $0)) })
  }
}
