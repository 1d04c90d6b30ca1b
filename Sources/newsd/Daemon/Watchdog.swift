import Synchronization

/// Checks whether the parts of the daemon still respond. The service manager's watchdog is pinged only while all of
/// them do. An error is a response: a restart would not help, for example when the database is away.
final class Watchdog: Sendable {
  struct Part: Sendable {
    var name: String
    /// Returns when the part has responded; throws if the part cannot work.
    var ask: @Sendable () async throws -> Void

    init(_ name: String, ask: @escaping @Sendable () async throws -> Void) {
      self.name = name
      self.ask = ask
    }
  }

  private enum Answer { case awaited, given }

  private let parts: [Part]
  private let answers = Mutex<[String: Answer]>([:])

  init(_ parts: [Part]) {
    self.parts = parts
  }

  /// Queries each part, except those still busy with the previous query.
  func ask() {
    for part in parts {
      let isAllowed = answers.withLock { answers in
        if case .awaited = answers[part.name] { return false }
        answers[part.name] = .awaited
        return true
      }
      guard isAllowed else { continue }
      // Not a child task: a part that never responds must not keep the daemon from stopping.
      Task {
        try? await part.ask()
        answers.withLock { $0[part.name] = .given }
      }
    }
  }

  /// The parts that did not respond to the last query.
  var problems: [String] {
    answers.withLock { answers in
      parts.map(\.name).filter {
        if case .given = answers[$0] { false } else { true }
      }
    }
  }
}
