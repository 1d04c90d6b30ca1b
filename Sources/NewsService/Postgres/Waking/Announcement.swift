import NewsCore

/// How a transaction tells waiting readers what it has changed: a notification on the store's channel, whose payload is
/// the sum of the kinds.
enum Announcement {
  /// The statement before the COMMIT of a writing transaction, which goes to the server in the same message.
  static func announcing(_ connection: Connection, _ uri: StoreURI) -> String {
    "NOTIFY \(channel(uri)), '\(connection.announced.union(.commits).rawValue)'"
  }

  static func listening(_ uri: StoreURI) -> String { "LISTEN \(channel(uri))" }

  /// What a payload announces. A payload of an unknown form, such as one of a later newsd, may mean any change.
  static func kinds(_ payload: String) -> StoreChangeKinds {
    UInt8(payload).map(StoreChangeKinds.init(rawValue:)) ?? .all
  }

  /// Each store has a channel: several may share a database.
  private static func channel(_ uri: StoreURI) -> String { "\"\(uri.schema)\"" }
}
