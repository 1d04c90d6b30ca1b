public import NewsCore

/// The problems of a document that its publisher should fix.
public struct PublisherCheckViewModel: RecordListContent {
  public typealias Record = SyntaxProblem

  public var lines: [RecordLine<SyntaxProblem>]
  public var rowCount: Int { lines.count }
}
