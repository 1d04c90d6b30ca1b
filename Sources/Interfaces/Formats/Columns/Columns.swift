import NewsToolbox
public import Modules
import NewsCore

/// A column of a kind of record. Its name is the same in every format.
public struct Column<Record: Sendable>: Sendable {
  let name: String
  /// True if the values are points in time.
  let isTime: Bool
  let value: @Sendable (Record) -> FieldValue

  init(_ name: String, isTime: Bool = false, _ value: @escaping @Sendable (Record) -> FieldValue) {
    self.name = name
    self.isTime = isTime
    self.value = value
  }

  static func text(_ name: String, _ value: @escaping @Sendable (Record) -> String?) -> Column {
    Column(name) { FieldValue(value($0)) }
  }

  static func number(_ name: String, _ value: @escaping @Sendable (Record) -> Int64?) -> Column {
    Column(name) { FieldValue(value($0)) }
  }

  static func number(_ name: String, _ value: @escaping @Sendable (Record) -> Int?) -> Column {
    Column(name) { FieldValue(value($0).map(Int64.init)) }
  }

  static func time(_ name: String, _ value: @escaping @Sendable (Record) -> Timestamp?) -> Column {
    Column(name, isTime: true) { FieldValue(value($0)) }
  }
}

/// The columns of a kind of record, for every format but text.
public struct Columns<Record: Sendable>: Sendable {
  let all: [Column<Record>]
  /// The columns of JSON without `--fields`.
  let json: [Column<Record>]
  /// The columns of the other table formats without `--fields`.
  let defaults: [Column<Record>]
  /// The column that the `ids` format prints.
  let identity: Column<Record>

  /// The names of all columns.
  public var names: [String] { all.map(\.name) }

  /// Without names, `json` and `defaults` are all columns, and the first one is the identity.
  init(
    _ all: [Column<Record>],
    defaults: [String]? = nil,
    json: [String]? = nil,
    identity: String? = nil
  ) {
    func named(_ names: [String]) -> [Column<Record>] {
      names.compactMap { name in all.first { $0.name == name } }
    }
    self.all = all
    self.json = json.map(named) ?? all
    self.defaults = defaults.map(named) ?? all
    self.identity = identity.flatMap { named([$0]).first } ?? all[0]
  }

  /// The columns of such records of several accounts; the first column is the account's name.
  public var ofAccounts: Columns<AccountRecord<Record>> {
    let account = Column<AccountRecord<Record>>.text("account", \.account)
    func lifted(_ columns: [Column<Record>]) -> [Column<AccountRecord<Record>>] {
      [account]
        + columns.map { column in Column(column.name, isTime: column.isTime) { column.value($0.record) } }
    }
    let names = ["account"] + defaults.map(\.name)
    return Columns<AccountRecord<Record>>(lifted(all), defaults: names, json: ["account"] + json.map(\.name))
  }

  /// The columns with these names. Throws a usage error that names the unknown column and the most similar one.
  func columns(named names: [String]) throws(UserMessage) -> [Column<Record>] {
    var columns: [Column<Record>] = []
    for name in names {
      guard let column = all.first(where: { $0.name == name }) else {
        throw UserMessage(code: .usage, text: NameHint.unknown("field", name, among: self.names))
      }
      columns.append(column)
    }
    return columns
  }
}
