import Glibc
package import Modules
import NewsCore
import NewsFormats
import NewsText

// MARK: - Several accounts

extension Configurator {
  /// Lists or changes the accounts.
  package func accounts(_ request: AccountsRequest) async throws -> ExitStatus {
    guard let accounts else {
      throw UserMessage(
        code: .configuration,
        text:
          "there are no accounts, because neither accounts.dir nor accounts.store is set in the configuration"
      )
    }
    let module = AccountsInteractor(keeper: accounts.keeper, clock: services.clock) { account in
      await accounts.report(on: account)
    } fill: { path, source in
      try await accounts.fill(path, from: source)
    } setUp: { account in
      try await accounts.setUpAddress(of: account)
    } limit: { account, changes in
      try await accounts.limit(account, changes)
    }
    return try await list(module, request, Tables.accounts)
  }

  /// The accounts that a command works on one after the other; nil: it works on one store.
  /// Throws if there is no account: a check or a backup of no account would look like a good one.
  func eachAccount(withDisabled: Bool = true) async throws -> [Account]? {
    guard isForAllAccounts, let accounts else { return nil }
    let all = try await accounts.accounts()
    guard !all.isEmpty else {
      // The disk with the accounts may not be mounted.
      let isMissing = accounts.settings.accounts.directory.map { access($0, F_OK) != 0 } ?? false
      let what = isMissing ? "folder" : "account in"
      let disk = accounts.settings.accounts.directory == nil ? "" : " if its disk is mounted,"
      throw UserMessage(
        code: .notFound,
        text: "there is no \(what) \(accounts.place);\(disk) 'newsd accounts add NAME' makes one"
      )
    }
    return all.filter { withDisabled || $0.state != .disabled }
  }

  /// Runs a module that reports what it did: on the store, or on the store of each account. `make` makes the module and its
  /// request; the account is nil for the one store.
  func tellEach<Module: Interactor>(
    _ make: @escaping @Sendable (ServiceContainer, _ account: String?) throws -> (Module, Module.Request)
  ) async throws -> ExitStatus where Module.ViewModel == Outcome {
    guard let all = try await eachAccount() else {
      let (module, request) = try make(services, nil)
      return try await tell(module, request)
    }
    let module = EachAccountInteractor.outcomes(of: all) { account, emit in
      try await with(account) {
        let (module, request) = try make($0, account.name)
        try await module.run(request, emit: emit)
      }
    }
    return try await tell(module, ())
  }

  /// Calls `body` with the container of an account, and closes its store.
  func with(
    _ account: Account,
    _ body: @Sendable (ServiceContainer) async throws -> Void
  ) async throws {
    guard let accounts else { return }
    let services = try accounts.container(of: account, isOneOfMany: true)
    do {
      try await body(services)
    } catch {
      await services.close()
      throw error
    }
    await services.close()
  }
}
