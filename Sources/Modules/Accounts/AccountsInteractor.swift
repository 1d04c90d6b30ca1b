public import NewsCore
import NewsToolbox

/// Lists, makes, removes, disables and enables accounts.
public struct AccountsInteractor: Interactor {
  private let keeper: any AccountKeeping
  private let clock: any WallClock
  private let report: @Sendable (Account) async -> AccountReport
  private let fill: @Sendable (_ path: String, _ source: String?) async throws -> Void
  private let setUp: @Sendable (Account) async throws -> String?
  private let limit: @Sendable (Account, [QuotaChange]) async throws -> StoreQuota

  /// `report` opens the store of an account. `fill` makes a new store at a path: an empty one, or a copy of the store
  /// `source`. `setUp` returns the set-up address of a new account; nil: it has a login password, or no web server is
  /// configured. `limit` changes the quota of an account's store, and returns it.
  public init(
    keeper: any AccountKeeping,
    clock: any WallClock,
    report: @escaping @Sendable (Account) async -> AccountReport,
    fill: @escaping @Sendable (_ path: String, _ source: String?) async throws -> Void,
    setUp: @escaping @Sendable (Account) async throws -> String?,
    limit: @escaping @Sendable (Account, [QuotaChange]) async throws -> StoreQuota
  ) {
    self.keeper = keeper
    self.clock = clock
    self.report = report
    self.fill = fill
    self.setUp = setUp
    self.limit = limit
  }

  public func respond(
    to request: AccountsRequest,
    emit: @escaping Emit<RecordList<AccountReport>>
  ) async throws {
    let accounts = try await keeper.accounts()
    let presenter = AccountsPresenter(accounts: accounts)
    switch request {
    case .list:
      var reports: [AccountReport] = []
      for account in accounts {
        try emit(.loading(Progress("reading the accounts", done: reports.count, total: accounts.count)))
        reports.append(await report(account))
      }
      try emit(presenter.list(reports))
    case .add(let name, let source):
      guard Account.isName(name) else {
        throw UserMessage(code: .usage, text: "the name of an account \(Account.nameRule), not '\(name)'")
      }
      guard !accounts.contains(where: { $0.name == name }) else {
        throw UserMessage(code: .cannotCreate, text: "there is an account '\(name)' already")
      }
      try emit(.loading(Progress("making the store")))
      try await keeper.add(name) { path in try await fill(path, source) }
      let made = try await keeper.accounts().first { $0.name == name }
      let address = if let made { try await setUp(made) } else { String?.none }
      try emit(presenter.added(name, from: source, address))
    case .remove(let name):
      let place = try await keeper.setAside(try presenter.account(name), at: clock.now())
      try emit(presenter.removed(name, place))
    case .quota(let name, let changes):
      let account = try presenter.account(name)
      try emit(presenter.quota(try await limit(account, changes), of: account))
    case .setDisabled(let isDisabled, let name):
      let account = try presenter.account(name)
      try await keeper.setDisabled(isDisabled, account)
      try emit(.note("the account '\(name)' is \(isDisabled ? "disabled; its store is kept" : "enabled")"))
    }
  }
}

/// An operation on the accounts.
public enum AccountsRequest: Hashable, Sendable {
  case list
  /// With a source, the account begins with a copy of that store.
  case add(name: String, from: String?)
  case remove(name: String)
  case setDisabled(Bool, name: String)
  /// Without changes, only shows the quota.
  case quota(name: String, [QuotaChange])
}

/// An account with the figures of its store.
public struct AccountReport: Sendable {
  public var account: Account
  public var feeds: Int?
  public var items: Int?
  /// Number of feeds whose last poll failed.
  public var failing: Int?
  /// Bytes of the store.
  public var size: Int64?
  /// When a browser or program last used the account.
  public var lastUse: Timestamp?
  /// The limits of the store; nil: there is none.
  public var quota: StoreQuota?
  /// Why the store cannot be used; nil: it can.
  public var problem: String?

  public init(_ account: Account) {
    self.account = account
    if case .unusable(let reason) = account.state { problem = reason }
  }

  /// `active`, `disabled` or `failed`.
  public var state: String {
    if problem != nil { return "failed" }
    return account.state == .disabled ? "disabled" : "active"
  }
}

/// Formats accounts as lines.
struct AccountsPresenter {
  let accounts: [Account]

  func list(_ reports: [AccountReport]) -> Container<RecordList<AccountReport>> {
    .list(
      reports.map { report in
        guard report.problem == nil else {
          return RecordLine(report, columns: [report.account.name, report.state, report.problem ?? ""])
        }
        var columns = [report.account.name, report.state]
        let most = report.quota?.feeds.map { " of \($0)" } ?? ""
        columns.append(Plural.of(report.feeds ?? 0, "feed") + most)
        columns.append(Plural.of(report.items ?? 0, "item"))
        let room = report.quota?.bytes.map { " of \($0 >> 10)" } ?? ""
        columns.append("\((report.size ?? 0) >> 10)\(room) KiB")
        columns.append(report.lastUse.map { "last used \($0.rfc3339)" } ?? "never used")
        if let failing = report.failing, failing > 0 {
          columns.append("\(Plural.of(failing, "feed")) failing")
        }
        if report.quota?.isAboveBytes == true { columns.append("above its quota") }
        return RecordLine(report, columns: columns)
      },
      nothing: "there is no account; 'newsd accounts add NAME' makes one"
    )
  }

  func added(
    _ name: String,
    from source: String?,
    _ address: String?
  ) -> Container<RecordList<AccountReport>> {
    let made =
      source == nil ? "made the account '\(name)'" : "made the account '\(name)' from a copy of the store"
    let command = "'newsd --account \(name) web password' sets its login password"
    guard let address else { return .note("\(made); \(command)") }
    return .note(
      "\(made). For an hour, the person can set the login password at \(address) while newsd run serves; \(command), too"
    )
  }

  func quota(_ quota: StoreQuota, of account: Account) -> Container<RecordList<AccountReport>> {
    .note("the account '\(account.name)' has \(quota.isSet ? "a quota: \(quota.text)" : "no quota")")
  }

  func removed(_ name: String, _ place: String) -> Container<RecordList<AccountReport>> {
    .note("removed the account '\(name)'; its store is now \(place)")
  }

  func account(_ name: String) throws(UserMessage) -> Account {
    guard let account = accounts.first(where: { $0.name == name }) else {
      throw UserMessage(
        code: .notFound,
        text: "there is no account '\(name)'"
          + NameHint.text(for: name, among: accounts.map(\.name))
      )
    }
    return account
  }
}
