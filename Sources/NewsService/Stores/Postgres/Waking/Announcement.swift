import NewsCore

/// The notification with which a transaction tells waiting readers what it has changed. It is sent on the store's
/// channel. Its payload is the sum of the kinds of changes.
enum Announcement {
  /// The statement before the COMMIT of a writing transaction, which goes to the server in the same message.
  static func announcing(_ connection: Connection, _ uri: StoreURI) -> String {
    "NOTIFY \(channel(uri)), '\(connection.announced.union(.commits).rawValue)'"
  }

  static func listening(_ uri: StoreURI) -> String { "LISTEN \(channel(uri))" }

  /// The kinds of changes in a payload; all kinds if the payload is unknown, such as that of a later newsd.
  static func kinds(_ payload: String) -> StoreChangeKinds {
    UInt8(payload).map(StoreChangeKinds.init(rawValue:)) ?? .all
  }

  /// The channel has the schema's name, because several stores may share a database.
  private static func channel(_ uri: StoreURI) -> String { "\"\(uri.schema)\"" }
}
