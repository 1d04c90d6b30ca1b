public import NewsCore

/// What a document's publisher should mend.
public struct PublisherCheckViewModel: RecordListContent {
  public typealias Record = SyntaxProblem

  public var lines: [RecordLine<SyntaxProblem>]
  public var rowCount: Int { lines.count }
}
