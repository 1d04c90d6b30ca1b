public import NewsCore
import NewsToolbox
import Synchronization

/// A record of an account's store.
public struct AccountRecord<Record: Sendable>: Sendable {
  public var account: String
  public var record: Record

  public init(account: String, record: Record) {
    self.account = account
    self.record = record
  }
}

/// Runs a module for each account, one after the other unless `atOnce` is more than 1, and joins what they show. An account whose
/// module fails is named in the message, and does not keep the others from running.
public struct EachAccountInteractor<Part: ScreenContent, Content: ScreenContent>: Interactor {
  private let accounts: [Account]
  private let atOnce: Int
  private let run: @Sendable (Account, @escaping Emit<Part>) async throws -> Void
  private let join: @Sendable ([(account: String, content: Part)]) -> Content

  /// The outcome of one account's module.
  private struct Finished: Sendable {
    var content: Part?
    var failures: [UserMessage] = []
  }

  /// `run` runs the module for one account, for at most `atOnce` accounts at the same time. Modules that run at the same time must
  /// not report progress.
  init(
    _ accounts: [Account],
    atOnce: Int = 1,
    join: @escaping @Sendable ([(account: String, content: Part)]) -> Content,
    run: @escaping @Sendable (Account, @escaping Emit<Part>) async throws -> Void
  ) {
    self.accounts = accounts
    self.atOnce = atOnce
    self.join = join
    self.run = run
  }

  public func respond(to request: Void, emit: @escaping Emit<Content>) async throws {
    var parts: [(account: String, content: Part)] = []
    var failures: [(account: String, message: UserMessage)] = []
    for (account, finished) in zip(accounts, try await finish(emit)) {
      failures += finished.failures.map { (account.name, $0) }
      if let content = finished.content { parts.append((account.name, content)) }
    }
    guard let first = failures.first else { return try emit(.ready(join(parts))) }
    let text = failures.map { "\($0.account): \($0.message.text)" }.joined(separator: "\n")
    try emit(.failed(UserMessage(code: first.message.code, text: text), keeping: join(parts)))
  }

  /// Runs the modules. Returns their outcomes in the order of the accounts.
  private func finish(_ emit: @escaping Emit<Content>) async throws -> [Finished] {
    try await withThrowingTaskGroup(of: (Int, Finished).self) { group in
      var waiting = accounts.enumerated().makeIterator()
      func start() {
        guard let (place, account) = waiting.next() else { return }
        group.addTask { (place, try await finish(account, emit)) }
      }
      for _ in 0..<atOnce { start() }
      var all = accounts.map { _ in Finished() }
      while let (place, finished) = try await group.next() {
        all[place] = finished
        start()
      }
      return all
    }
  }

  /// Throws an error that ends the command, such as a closed output.
  private func finish(_ account: Account, _ emit: @escaping Emit<Content>) async throws -> Finished {
    let last = Mutex<Container<Part>?>(nil)
    var finished = Finished()
    do {
      try await run(account) { container in
        if case .loading(let progress) = container.phase { try emit(.loading(progress)) }
        last.withLock { $0 = container }
      }
    } catch {
      guard let message = UserMessage(reporting: error) else { throw error }
      finished.failures.append(message)
    }
    let container = last.withLock { $0 }
    if let failure = container?.failure { finished.failures.append(failure) }
    finished.content = container?.content
    return finished
  }
}

extension EachAccountInteractor {
  /// Joins lists of records. The records of accounts with the most severe answer come first, so that the first line tells
  /// a monitor of a problem.
  public static func records<Record>(
    of accounts: [Account],
    atOnce: Int = 1,
    _ run: @escaping @Sendable (Account, @escaping Emit<Part>) async throws -> Void
  ) -> Self where Part == RecordList<Record>, Content == RecordList<AccountRecord<Record>> {
    Self(
      accounts,
      atOnce: atOnce,
      join: { parts in
        let sorted = parts.sorted { $0.content.answer.rawValue > $1.content.answer.rawValue }
        var list = Content(answer: sorted.first?.content.answer ?? .done)
        for (account, content) in sorted {
          let name = DisplayText(line: account + ": ")
          list.notes += content.notes.map { DisplayText.joined([name, $0], by: "") }
          list.lines += content.lines.map { line in
            var joined = RecordLine(
              AccountRecord(account: account, record: line.record),
              DisplayText.joined([name, line.text], by: "")
            )
            joined.note = line.note
            return joined
          }
        }
        return list
      },
      run: run
    )
  }

  /// Joins lines.
  public static func lines(
    of accounts: [Account],
    _ run: @escaping @Sendable (Account, @escaping Emit<Part>) async throws -> Void
  ) -> Self where Part == TextLines, Content == TextLines {
    Self(
      accounts,
      join: { parts in
        TextLines(lines: parts.flatMap(\.content.lines), warnings: parts.flatMap(\.content.warnings))
      },
      run: run
    )
  }

  /// Joins sentences.
  public static func outcomes(
    of accounts: [Account],
    _ run: @escaping @Sendable (Account, @escaping Emit<Part>) async throws -> Void
  ) -> Self where Part == Outcome, Content == Outcome {
    Self(
      accounts,
      join: { parts in
        var outcome = Outcome([])
        for (account, content) in parts {
          let name = DisplayText(line: account + ": ")
          outcome.notes += content.notes.map { DisplayText.joined([name, $0], by: "") }
          outcome.warnings += content.warnings.map { DisplayText.joined([name, $0], by: "") }
        }
        return outcome
      },
      run: run
    )
  }
}
