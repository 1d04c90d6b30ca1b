/// Rules in the format asked for.
public typealias RulesView = RecordListView<RulesViewModel>

extension RulesView {
  public init(_ shape: RecordShape) throws(UserMessage) { try self.init(records: shape) }
}
