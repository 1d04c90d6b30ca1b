public import NewsCore

/// Problems of the store.
public struct CheckViewModel: RecordListContent {
  public typealias Record = CheckedProblem

  public var lines: [RecordLine<CheckedProblem>]
  public var notes: [DisplayText]
  public var rowCount: Int { lines.count }
}

/// A problem of the store, and what became of it.
public struct CheckedProblem: Hashable, Sendable {
  /// What became of it.
  public enum Outcome: String, Hashable, Sendable { case mended, repairable, lost }

  public var problem: StoreProblem
  public var outcome: Outcome
}
