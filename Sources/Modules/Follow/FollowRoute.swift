/// A stream of items as they are stored.
public struct FollowRoute: Hashable, Sendable {
  public var filter: ItemFilter
  /// Start after this number of the change log; nil: after what the cursor says, else now.
  public var after: Int64?
  /// Items to print first, out of those stored already.
  public var backfill: Int
  /// Print items again that change.
  public var includesUpdates: Bool
  /// Path of the file that remembers how far the stream has come.
  public var cursor: String?
  /// Run for each item instead of showing it.
  public var program: ItemProgram?

  public init(
    filter: ItemFilter = ItemFilter(),
    after: Int64? = nil,
    backfill: Int = 0,
    includesUpdates: Bool = false,
    cursor: String? = nil,
    program: ItemProgram? = nil
  ) {
    self.filter = filter
    self.after = after
    self.backfill = backfill
    self.includesUpdates = includesUpdates
    self.cursor = cursor
    self.program = program
  }
}
