public import NewsCore

/// How a feed's items are told apart.
public struct FeedIdentityViewModel: RecordListContent {
  public typealias Record = FeedIdentity

  public var lines: [RecordLine<FeedIdentity>]
  public var rowCount: Int { lines.count }
}
