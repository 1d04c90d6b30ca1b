public import NewsCore

/// A feed's identity policy.
public struct FeedIdentityViewModel: RecordListContent {
  public typealias Record = FeedIdentity

  public var lines: [RecordLine<FeedIdentity>]
  public var rowCount: Int { lines.count }
}
