import Synchronization

/// Asks the parts of the daemon whether they still answer. The service manager is told that all is well only while every
/// part does.
final class Watchdog: Sendable {
  /// Something that must go on working.
  struct Part: Sendable {
    var name: String
    /// Returns when the part has answered; throws when it cannot do its work.
    var ask: @Sendable () async throws -> Void

    init(_ name: String, ask: @escaping @Sendable () async throws -> Void) {
      self.name = name
      self.ask = ask
    }
  }

  /// What is wrong with a part.
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

  /// Asks each part that has answered its last question.
  func ask() {
    for part in parts {
      let mayAsk = answers.withLock { answers in
        if case .awaited = answers[part.name] { return false }
        answers[part.name] = .awaited
        return true
      }
      guard mayAsk else { continue }
      // Not a child task: a part that never answers must not keep the daemon from stopping.
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

  /// The parts that have not answered the last question, or could not do their work.
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
