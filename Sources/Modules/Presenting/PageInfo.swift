/// Which page of a list is shown.
public struct PageInfo: Hashable, Sendable {
  /// 1-based.
  public var number: Int
  /// Items a page holds.
  public var size: Int
  /// Items on all pages.
  public var total: Int
  /// False: there may be more than `total`; they were not counted.
  public var isComplete: Bool
  /// True: the list was continued after an item; pages and total are those of the rest.
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
