public import NewsCore

/// The problems that a check found.
public struct CheckViewModel: RecordListContent {
  public typealias Record = CheckedProblem

  public var lines: [RecordLine<CheckedProblem>]
  public var notes: [DisplayText]
  public var rowCount: Int { lines.count }
}

/// A problem of the store and its outcome.
public struct CheckedProblem: Hashable, Sendable {
  /// Whether the problem was repaired, can be repaired, or cannot.
  public enum Outcome: String, Hashable, Sendable {
    case repaired = "mended"
    case repairable, lost
  }

  public var problem: StoreProblem
  public var outcome: Outcome
}
