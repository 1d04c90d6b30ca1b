import NewsHTTP
import DIContainer
import Modules
import Synchronization

/// The web server of the daemon, and the checks behind `/ready`.
final class WebService: Sendable {
  /// Seconds between two checks of the parts.
  private let interval: Double
  private let heartbeat: Heartbeat
  private let server = Mutex<(any WebServing)?>(nil)

  /// Time for requests to finish when newsd stops.
  static let drainTime = Duration.seconds(10)

  init(_ parts: [Watchdog.Part], every interval: Double) {
    heartbeat = Heartbeat(parts, patience: .seconds(2 * interval))
    self.interval = interval
  }

  /// Starts serving. Returns false if no address is configured.
  func open(
    _ hooks: WebHooks,
    _ openServer: (WebHooks) async throws -> (any WebServing)?
  ) async throws -> Bool {
    var hooks = hooks
    hooks.problems = { [heartbeat] in heartbeat.problems(at: .now) }
    do {
      let opened = try await openServer(hooks)
      server.withLock { $0 = opened }
      return opened != nil
    } catch WebStartError.passwordFile(let problem) {
      throw UserMessage(code: .configuration, text: "web.password_file \(problem)")
    } catch WebStartError.clientSecret(let problem) {
      throw UserMessage(code: .configuration, text: "oidc.client_secret_file \(problem)")
    } catch WebStartError.stylesheet(let problem) {
      throw UserMessage(code: .configuration, text: "web.stylesheet \(problem)")
    } catch WebStartError.cannotListen(let message) {
      throw UserMessage(code: .cannotCreate, text: "web.listen: \(message)")
    }
  }

  var port: UInt16? { server.withLock { $0 }?.port }

  /// Serves the connections and checks the parts of the daemon, until the task is cancelled.
  func run() async {
    guard let server = server.withLock({ $0 }) else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await server.run() }
      group.addTask { [heartbeat, interval] in
        let soon = Duration.seconds(min(1, interval))
        while true {
          heartbeat.ask()
          guard (try? await Task.sleep(for: soon)) != nil else { return }
          // What a failed part lacks, such as its first account, may come at any time.
          if heartbeat.hasFailures { continue }
          guard (try? await Task.sleep(for: Duration.seconds(interval) - soon)) != nil else { return }
        }
      }
    }
  }

  func stop() async {
    await server.withLock { $0.take() }?.stop(within: Self.drainTime)
  }
}

/// Asks the parts of the daemon whether they respond, and records when each last responded.
final class Heartbeat: Sendable {
  private struct Answer {
    var isAwaited = false
    var time: ContinuousClock.Instant?
    var failure: String?
  }

  private let parts: [Watchdog.Part]
  private let patience: Duration
  private let answers = Mutex<[String: Answer]>([:])

  init(_ parts: [Watchdog.Part], patience: Duration) {
    self.parts = parts
    self.patience = patience
  }

  /// Asks each part, except parts that have not answered the previous question.
  func ask() {
    for part in parts {
      let isAllowed = answers.withLock { answers in
        defer { answers[part.name, default: Answer()].isAwaited = true }
        return answers[part.name]?.isAwaited != true
      }
      guard isAllowed else { continue }
      // Not a child task: a part that never responds must not keep the daemon from stopping.
      Task {
        var failure: String?
        do {
          try await part.ask()
        } catch {
          failure = "\(error)"
        }
        answers.withLock { $0[part.name] = Answer(time: .now, failure: failure) }
      }
    }
  }

  /// True if a part has failed at its last answer.
  var hasFailures: Bool { answers.withLock { $0.values.contains { $0.failure != nil } } }

  /// The parts that failed, that have not answered yet, or whose last answer is too old.
  func problems(at now: ContinuousClock.Instant) -> [ReadinessProbe.Problem] {
    answers.withLock { answers in
      parts.compactMap { part in
        guard let answer = answers[part.name], let time = answer.time else {
          return ReadinessProbe.Problem(part: part.name, reason: "has not answered yet")
        }
        if let failure = answer.failure { return ReadinessProbe.Problem(part: part.name, reason: failure) }
        guard now - time > patience else { return nil }
        let seconds = (now - time).components.seconds
        return ReadinessProbe.Problem(part: part.name, reason: "has not answered for \(seconds) s")
      }
    }
  }
}
