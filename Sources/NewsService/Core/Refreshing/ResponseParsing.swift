extension FeedParsing {
  /// The feed in a response, and whether its document ends early though the response does not. An item that is cut off
  /// is left out.
  ///
  /// - Parameters:
  ///   - response: A success.
  ///   - encoding: The feed's own setting.
  /// - Returns: At least one item where the document ends early.
  /// - Throws: Also when it ends before its first item is complete.
  func parse(
    _ response: FetchResponse,
    encoding: String?
  ) throws(FeedParseError) -> (feed: ParsedFeed, isCut: Bool) {
    let document = FeedDocument(
      bytes: response.body,
      contentType: response.header("Content-Type"),
      baseURL: response.url,
      encoding: encoding
    )
    var feed = try parse(document)
    let isCut = !response.isTruncated && !feed.isWellFormed && DocumentEnd.isMissing(in: response.body)
    guard response.isTruncated || isCut else { return (feed, false) }
    if !feed.isWellFormed, !feed.items.isEmpty, DocumentEnd.cutsItem(in: response.body) {
      feed.items.removeLast()
    }
    guard !feed.items.isEmpty else {
      throw FeedParseError(
        code: .notAFeed,
        message: "\(WebAddress.redacted(response.url)) ended before its first item was complete."
      )
    }
    return (feed, isCut)
  }
}
