public import NewsCore

/// Verifies the store, and mends what can be mended.
public struct CheckInteractor: Sendable {
  private let store: any StoreChecking

  public init(store: any StoreChecking) { self.store = store }

  /// Emits what was found wrong.
  ///
  /// - Parameters:
  ///   - repairs: True: what can be rebuilt is rebuilt.
  ///   - emit: Gets the one container.
  /// - Returns: What was found and what is left; nil when it failed.
  /// - Throws: What `emit` throws.
  public func run(repairs: Bool, emit: Emit<CheckViewModel>) async throws -> StoreRepair? {
    do {
      let repair = repairs ? try await store.repair() : StoreRepair(remaining: try await store.check())
      try emit(.ready(CheckViewModel(repair)))
      return repair
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
      return nil
    }
  }
}

/// A problem of the store, and what became of it.
public struct CheckedProblem: Hashable, Sendable {
  /// What became of it.
  public enum Outcome: String, Hashable, Sendable { case mended, repairable, lost }

  public var problem: StoreProblem
  public var outcome: Outcome
}

/// Problems, each with its line.
public struct CheckViewModel: RecordListContent {
  public typealias Record = CheckedProblem

  public var lines: [RecordLine<CheckedProblem>]
  public var rowCount: Int { lines.count }

  init(_ repair: StoreRepair) {
    let mended = repair.found.filter { !repair.remaining.contains($0) }
      .map { CheckedProblem(problem: $0, outcome: .mended) }
    let left = repair.remaining.map {
      CheckedProblem(problem: $0, outcome: $0.isRepairable ? .repairable : .lost)
    }
    lines = (mended + left).map {
      RecordLine(
        record: $0,
        text: .columns([$0.problem.kind.rawValue, $0.outcome.rawValue, $0.problem.message])
      )
    }
  }
}
