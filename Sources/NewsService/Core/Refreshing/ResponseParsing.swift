extension FeedParsing {
  /// Parses the feed in a response and detects whether its document is truncated although the response is
  /// complete. A truncated item is dropped. A truncated feed has at least one item: a document that ends
  /// before its first item is complete is an error.
  func parse(
    _ response: FetchResponse,
    encoding: String?
  ) throws(FeedParseError) -> (feed: ParsedFeed, isTruncated: Bool) {
    let document = FeedDocument(
      bytes: response.body,
      contentType: response.header("Content-Type"),
      baseURL: response.url,
      encoding: encoding
    )
    var feed = try parse(document)
    let isTruncated =
      !response.isTruncated && !feed.isWellFormed && TruncationDetector.isMissing(in: response.body)
    guard response.isTruncated || isTruncated else { return (feed, false) }
    if !feed.isWellFormed, !feed.items.isEmpty, TruncationDetector.cutsItem(in: response.body) {
      feed.items.removeLast()
    }
    guard !feed.items.isEmpty else {
      throw FeedParseError(
        code: .notAFeed,
        message: "\(WebAddress.redacted(response.url)) ended before its first item was complete"
      )
    }
    return (feed, isTruncated)
  }
}
