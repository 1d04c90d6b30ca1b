public import NewsCore

/// A hook of the configuration, of the store, or of both.
public struct HookSummary: Hashable, Sendable {
  /// Raw values are machine names.
  public enum Condition: String, Hashable, Sendable {
    case active
    /// Attempts failed; the hook waits until the next attempt.
    case waiting
    /// In the configuration, but unknown to the store until newsd fetches or runs.
    case new
    /// No longer in the configuration.
    case removed
  }

  /// The hook as configured; nil: it is no longer in the configuration.
  public var hook: Hook?
  public var state: HookState
  public var condition: Condition

  public init(hook: Hook?, state: HookState, condition: Condition) {
    self.hook = hook
    self.state = state
    self.condition = condition
  }
}

/// The hooks, or a note on an operation.
public struct HooksViewModel: RecordListContent {
  public typealias Record = HookSummary

  public var lines: [RecordLine<HookSummary>] = []
  public var notes: [DisplayText] = []
  public var rowCount: Int { lines.count }
}
