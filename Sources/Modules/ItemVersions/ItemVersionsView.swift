/// Versions in the format asked for.
public typealias ItemVersionsView = RecordListView<ItemVersionsViewModel>

extension ItemVersionsView {
  public init(_ shape: RecordShape) throws(UserMessage) { try self.init(records: shape) }
}
