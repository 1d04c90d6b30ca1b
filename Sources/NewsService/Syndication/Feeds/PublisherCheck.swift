import NewsService

/// What a feed's publisher should mend.
enum PublisherCheck {
  static func problems(of document: FeedDocument, limits: ParseLimits) throws(FeedParseError)
    -> [SyntaxProblem]
  {
    try FeedParser(limits: limits).parse(document).problems
  }
}
