/// Position and size of the page of a list.
public struct PageInfo: Hashable, Sendable {
  /// The page's number, counted from 1.
  public var number: Int
  /// Items per page.
  public var size: Int
  /// Items on all pages.
  public var total: Int
  /// False: the matches were not counted, and there may be more than `total`.
  public var isComplete: Bool
  /// True: the list continues after an item; pages and total count the remaining items.
  public var isContinued = false
  /// True: the list can be continued after its last item.
  public var isByTime = true

  public init(number: Int, size: Int, total: Int, isComplete: Bool = true) {
    self.number = number
    self.size = size
    self.total = total
    self.isComplete = isComplete
  }

  public var pageCount: Int { size > 0 ? max(1, (total + size - 1) / size) : 1 }
  /// The ordinal of the page's first item.
  public var first: Int { (number - 1) * size + 1 }
}
