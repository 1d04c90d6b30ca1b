import DIContainer
import Modules
import NewsCore
import NewsToolbox

/// Decides on which account's store a command works.
struct AccountChoice {
  enum Target: Hashable {
    case one(Account)
    /// All accounts, one after the other.
    case all
    /// The command opens no store, or only stores that it names.
    case none
  }

  let command: CommandSpec
  let invocation: Invocation
  /// The name that the option or the environment gives; nil: neither.
  let name: String?

  /// Returns the accounts that the command works on. Throws if it needs the name of one.
  func target(among set: AccountSet) async throws -> Target {
    if case .none = command.accounts { return .none }
    guard let name else {
      switch command.accounts {
      case .all(let condition) where condition.holds(invocation): return .all
      case .ifNamed: return .none
      default: break
      }
      let names = try await set.accounts().map(\.name).filter(Account.isName)
      guard !names.isEmpty else {
        throw UsageError("there is no account yet; 'newsd accounts add NAME' makes one", command: "accounts")
      }
      throw UsageError(
        "there are several accounts; name one with --account NAME: \(names.joined(separator: ", "))",
        command: invocation.path.first
      )
    }
    let accounts = try await set.accounts()
    guard let account = accounts.first(where: { $0.name == name }) else {
      throw UserMessage(
        code: .notFound,
        text: "there is no account '\(name)'"
          + NameHint.text(for: name, among: accounts.map(\.name))
      )
    }
    if case .unusable(let reason) = account.state {
      throw UserMessage(code: .io, text: "the account '\(name)' cannot be used: \(reason)")
    }
    return .one(account)
  }
}
