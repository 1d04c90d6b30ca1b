public import NewsCore

/// Lists the deliveries that were given up.
public struct HookFailuresInteractor: Interactor {
  private let store: any HookKeeping
  private let times: TimeDisplay

  public init(store: any HookKeeping, times: TimeDisplay) {
    self.store = store
    self.times = times
  }

  public func respond(to request: Void, emit: @escaping Emit<RecordList<FailedHookEntry>>) async throws {
    try emit(HookFailuresPresenter(times: times).list(try await store.failedEntries()))
  }
}

/// Formats deliveries that were given up as lines, each with its error.
struct HookFailuresPresenter {
  let times: TimeDisplay

  func list(_ entries: [FailedHookEntry]) -> Container<RecordList<FailedHookEntry>> {
    .list(
      entries.map { failure in
        let id = failure.entry.itemID.map { "  item \($0.rawValue)" } ?? ""
        let time = times.dateAndTime(failure.entry.time)
        let attempts = failure.attempts == 1 ? "1 attempt" : "\(failure.attempts) attempts"
        return RecordLine(
          failure,
          "\(failure.key)  \(failure.entry.event.rawValue)\(id)  \(time)  \(failure.title)",
          note: "\(attempts), last error: \(failure.error)"
        )
      }
    )
  }
}
