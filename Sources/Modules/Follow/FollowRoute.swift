/// A stream of items as they are stored.
public struct FollowRoute: Hashable, Sendable {
  public var filter: ItemFilter
  /// Start after this sequence number; nil: at the cursor if there is one, else at the end of the change log.
  public var after: Int64?
  /// Number of already stored items to print first; without effect with `after` or a saved cursor.
  public var backfill: Int
  /// True: print an item again after its feed edited it.
  public var includesUpdates: Bool
  /// Path of the file that stores the position in the change log.
  public var cursor: String?
  /// Program to run for each item; nil: items are shown.
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
