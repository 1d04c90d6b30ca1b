/// Saved searches in the format asked for.
public typealias SavedSearchesView = RecordListView<SavedSearchesViewModel>

extension SavedSearchesView {
  public init(_ shape: RecordShape) throws(UserMessage) { try self.init(records: shape) }
}
