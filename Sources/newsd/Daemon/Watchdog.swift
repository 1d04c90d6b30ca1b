import Synchronization

/// Checks whether the parts of the daemon still respond. The service manager's watchdog is pinged only while all of
/// them do.
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

  struct Problem: Equatable, Sendable {
    var part: String
    var reason: String
  }

  private enum Answer {
    case awaited, given
    case failed(String)
  }

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
        let answer: Answer
        do {
          try await part.ask()
          answer = .given
        } catch {
          answer = .failed("\(error)")
        }
        answers.withLock { $0[part.name] = answer }
      }
    }
  }

  /// The parts that did not respond to the last query, or that failed.
  var problems: [Problem] {
    answers.withLock { answers in
      parts.compactMap { part -> Problem? in
        switch answers[part.name] {
        case .given: return nil
        case .failed(let reason): return Problem(part: part.name, reason: reason)
        case .awaited, nil: return Problem(part: part.name, reason: "does not answer")
        }
      }
    }
  }
}
