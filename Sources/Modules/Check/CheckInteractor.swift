import NewsToolbox
public import NewsCore

/// Checks the store, and repairs it if the request asks for it.
public struct CheckInteractor: Interactor {
  private let store: any StoreMaintaining

  public init(store: any StoreMaintaining) { self.store = store }

  public func respond(to request: CheckRequest, emit: @escaping Emit<RecordList<CheckedProblem>>) async throws
  {
    let activity: StaticString = request.repairs ? "repairing" : "checking"
    try emit(.loading(Progress(activity)))
    let progress: StoreProgressHandler = {
      try? emit(.loading(Progress(activity, done: $0.done, total: $0.total, unit: "steps")))
    }
    let note = request.isAfterRestore ? try await store.noteRestore() : nil
    var repair =
      request.repairs
      ? try await store.repair(progress: progress)
      : StoreRepair(remaining: try await store.check(progress: progress))
    if let note { repair.notes.insert(note, at: 0) }
    try emit(CheckPresenter().present(repair, request))
  }
}

/// A check of the store.
public struct CheckRequest: Hashable, Sendable {
  /// Path of the store's file, or address of a store on PostgreSQL without its password; for messages.
  public var store: String
  /// True: repair the store where possible.
  public var repairs: Bool
  /// True: the store's content was restored by other means than newsd's.
  public var isAfterRestore: Bool

  public init(store: String, repairs: Bool, isAfterRestore: Bool = false) {
    self.store = store
    self.repairs = repairs
    self.isAfterRestore = isAfterRestore
  }
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

/// Formats problems as lines. Fails if problems remain or data was lost.
struct CheckPresenter {
  func present(_ repair: StoreRepair, _ request: CheckRequest) -> Container<RecordList<CheckedProblem>> {
    let left = repair.remaining
    let repaired = repair.found.filter { !left.contains($0) }
      .map { CheckedProblem(problem: $0, outcome: .repaired) }
    let open = left.map { CheckedProblem(problem: $0, outcome: $0.isRepairable ? .repairable : .lost) }
    let lines = (repaired + open).map {
      RecordLine($0, columns: [$0.problem.kind.rawValue, $0.outcome.rawValue, $0.problem.message])
    }
    var notes = repair.notes
    if let now = repair.itemsAfter {
      let before =
        repair.itemsBefore.map { "\($0) items before" } ?? "the number of items before cannot be read"
      notes.append("\(now) items now, \(before)")
    }
    guard !left.isEmpty else {
      guard !repair.hasLosses else {
        return .failed(
          .badData,
          "\(request.store) is repaired, but lost data; to replace it with a backup, use 'newsd restore FILE'",
          keeping: RecordList(lines, notes: notes)
        )
      }
      return .list(lines, notes: notes + ["\(request.store): all is well"])
    }
    let hint =
      left.contains(where: \.isRepairable) && !request.repairs
      ? "'newsd check --repair' repairs what can be repaired"
      : "replace it with a backup: with 'newsd restore FILE', or on PostgreSQL with pg_restore"
    let count = Plural.of(left.count, "problem")
    return .failed(
      .io,
      "\(request.store) has \(count); \(hint)",
      keeping: RecordList(lines, notes: notes)
    )
  }
}
