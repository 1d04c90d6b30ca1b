/// The machine names of an item's fields, for completions.
enum FieldNames {
  static let all = [
    "id", "feed_id", "feed", "feed_url", "guid", "title", "url", "authors", "published", "updated", "stored",
    "summary",
    "content_text", "content_html", "tags", "enclosures", "language", "is_read", "is_starred", "seq",
  ]
}
