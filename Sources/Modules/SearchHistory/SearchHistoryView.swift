/// Recent searches: one a line, or as records with the one column `query`.
public typealias SearchHistoryView = RecordListView<SearchHistoryViewModel>

extension SearchHistoryView {
  public init(_ shape: RecordShape) throws(UserMessage) { try self.init(records: shape) }
}
