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
      SELECT \(FeedRow.columns), identity, last_success IS NOT NULL, user_title, own_title, version
      FROM unnest($1::bigint[]) AS u (key), \(LatestVersion.row(of: "feeds", "*, xmin::text AS version", by: "id")) AS f
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
      """
      SELECT id, version
      FROM unnest($1::bigint[]) AS u (key), \(LatestVersion.row(of: "feeds", "id, xmin::text AS version", by: "id")) AS f
      """,
      StoreValue.array(ids.map(\.rawValue))
    )
  }
}

/// Finds the row of a key whose row is changed again and again.
///
/// While an old transaction keeps all versions of the row, an index has many entries for the key, in the order of the rows' places.
/// New versions are at the end of the table, because the room of former ones is not free. So a scan from the end reads one or two
/// entries where one from the beginning reads all. For an equal key, the server would not scan from the end.
enum LatestVersion {
  /// SQL for these columns of the row with the key `u.key`, in FROM.
  static func row(of table: String, _ columns: String, by key: String, _ lock: String = "") -> String {
    """
    LATERAL (SELECT \(columns) FROM \(table) WHERE \(key) >= u.key AND \(key) <= u.key ORDER BY \(key) DESC LIMIT 1 \(lock))
    """
  }
}

/// Checks the claims under which the feeds of a transaction were fetched.
enum ClaimFence {
  /// Reads the claims that no other node has taken over. A claim whose lease has ended is among them: after an outage
  /// of the server, this process stores what it fetched before, unless another node has claimed the feed since.
  ///
  /// With `locking`, the claims stay valid until the transaction ends, because their rows are locked, in the order of feeds.
  /// Lock the store first: otherwise, while this transaction waits for the store, a node that tries to claim one of these
  /// feeds would wait too, and with it its heartbeats.
  static func statement(_ claims: [Feed.ID: NodeClaims.Claim], locking: Bool) -> Statement {
    let ordered = claims.sorted { $0.key.rawValue < $1.key.rawValue }
    return Statement(
      """
      SELECT p.feed FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u (key, owner, token),
        \(LatestVersion.row(of: "polls", "feed, owner, token", by: "feed", locking ? "FOR UPDATE" : "")) AS p
      WHERE p.owner = u.owner AND p.token = u.token
      """,
      StoreValue.array(ordered.map(\.key.rawValue)),
      StoreValue.array(ordered.map(\.value.node)),
      StoreValue.array(ordered.map(\.value.token))
    )
  }

  /// Returns the feeds whose claims this process has lost; another node may have fetched them since.
  static func lost(_ claims: [Feed.ID: NodeClaims.Claim], _ held: Rows) -> Set<Feed.ID> {
    Set(claims.keys).subtracting(held.map { Feed.ID(rawValue: $0.int64(0)) })
  }
}
