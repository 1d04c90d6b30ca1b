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

/// Runs a module for each account, one after the other, and joins what they show. An account whose module fails is named
/// in the message, and does not keep the others from running.
public struct EachAccountInteractor<Part: ScreenContent, Content: ScreenContent>: Interactor {
  private let accounts: [Account]
  private let run: @Sendable (Account, @escaping Emit<Part>) async throws -> Void
  private let join: @Sendable ([(account: String, content: Part)]) -> Content

  /// `run` runs the module for one account.
  init(
    _ accounts: [Account],
    join: @escaping @Sendable ([(account: String, content: Part)]) -> Content,
    run: @escaping @Sendable (Account, @escaping Emit<Part>) async throws -> Void
  ) {
    self.accounts = accounts
    self.join = join
    self.run = run
  }

  public func respond(to request: Void, emit: @escaping Emit<Content>) async throws {
    var parts: [(account: String, content: Part)] = []
    var failures: [(account: String, message: UserMessage)] = []
    for account in accounts {
      let last = Mutex<Container<Part>?>(nil)
      do {
        try await run(account) { container in
          if case .loading(let progress) = container.phase { try emit(.loading(progress)) }
          last.withLock { $0 = container }
        }
      } catch {
        guard let message = UserMessage(reporting: error) else { throw error }
        failures.append((account.name, message))
      }
      let container = last.withLock { $0 }
      if let failure = container?.failure { failures.append((account.name, failure)) }
      if let content = container?.content { parts.append((account.name, content)) }
    }
    guard let first = failures.first else { return try emit(.ready(join(parts))) }
    let text = failures.map { "\($0.account): \($0.message.text)" }.joined(separator: "\n")
    try emit(.failed(UserMessage(code: first.message.code, text: text), keeping: join(parts)))
  }
}

extension EachAccountInteractor {
  /// Joins lists of records. The records of accounts with the most severe answer come first, so that the first line tells
  /// a monitor of a problem.
  public static func records<Record>(
    of accounts: [Account],
    _ run: @escaping @Sendable (Account, @escaping Emit<Part>) async throws -> Void
  ) -> Self where Part == RecordList<Record>, Content == RecordList<AccountRecord<Record>> {
    Self(
      accounts,
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
