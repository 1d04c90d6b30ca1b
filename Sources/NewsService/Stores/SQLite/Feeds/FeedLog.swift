/// The change log's entries for subscriptions.
enum FeedLog {
  /// Adds entries for feeds that have none: exports older than this table lack them.
  static let completion = """
    INSERT INTO feed_changes (feed, sequence)
      SELECT id, (SELECT value FROM counters WHERE name = 'sequence') + row_number() OVER (ORDER BY position, id)
      FROM feeds WHERE id NOT IN (SELECT feed FROM feed_changes);
    UPDATE counters SET value = max(value, (SELECT coalesce(max(sequence), 0) FROM feed_changes))
      WHERE name = 'sequence';
    """
}
