import NewsStoresShared
import NewsCore

/// A feed as a transaction read it before locking the store.
struct PlannedFeed {
  var feed: Feed
  var items: FeedItemState
  var userTitle: String?
  var ownTitle: String?
  /// The number of the transaction that last wrote the feed's row. Every transaction that adds or removes
  /// items writes the totals in this row. If the version is unchanged, the feed therefore has the same items.
  var version: String

  static func statement(_ ids: [Feed.ID]) -> Statement {
    Statement(
      """
      SELECT \(FeedRow.columns), identity, last_success IS NOT NULL, user_title, own_title, xmin::text
      FROM feeds WHERE id = ANY($1::bigint[])
      """,
      StoreValue.array(ids.map(\.rawValue))
    )
  }

  init(_ row: Row) {
    let next = FeedRow.columnCount
    feed = FeedRow.feed(row)
    items = FeedItemState(
      identity: row.optionalString(next),
      settings: feed.settings,
      itemCount: Int64(feed.itemCount),
      hasSucceeded: row.bool(next + 1)
    )
    userTitle = row.optionalString(next + 2)
    ownTitle = row.optionalString(next + 3)
    version = row.string(next + 4)
  }

  /// The identity policy for the feed's next document.
  var policy: IdentityPolicy {
    feed.settings.identity.flatMap(IdentityPolicy.init(rawValue:)) ?? items.policy
  }

  static func versionStatement(_ ids: [Feed.ID]) -> Statement {
    Statement(
      "SELECT id, xmin::text FROM feeds WHERE id = ANY($1::bigint[])",
      StoreValue.array(ids.map(\.rawValue))
    )
  }
}

/// Checks the claims under which the feeds of a transaction were fetched.
enum ClaimFence {
  /// Reads the claims that no other node has taken over. A claim whose lease has ended is among them: after an outage
  /// of the server, this process stores what it fetched before, unless another node has claimed the feed since.
  ///
  /// With `locking`, the claims stay valid until the transaction ends, because their rows are locked. Lock
  /// the store first: otherwise, while this transaction waits for the store, a node that tries to claim one
  /// of these feeds would wait too, and with it its heartbeats.
  static func statement(_ claims: [Feed.ID: NodeLease.Claim], locking: Bool) -> Statement {
    let ordered = claims.sorted { $0.key.rawValue < $1.key.rawValue }
    return Statement(
      """
      SELECT p.feed FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u (feed, owner, token)
      JOIN polls AS p ON p.feed = u.feed AND p.owner = u.owner AND p.token = u.token
      ORDER BY p.feed \(locking ? "FOR UPDATE OF p" : "")
      """,
      StoreValue.array(ordered.map(\.key.rawValue)),
      StoreValue.array(ordered.map(\.value.node)),
      StoreValue.array(ordered.map(\.value.token))
    )
  }

  /// Returns the feeds whose claims this process has lost; another node may have fetched them since.
  static func lost(_ claims: [Feed.ID: NodeLease.Claim], _ held: Rows) -> Set<Feed.ID> {
    Set(claims.keys).subtracting(held.map { Feed.ID(rawValue: $0.int64(0)) })
  }
}
