public import NewsCore
import NewsToolbox

/// The address of a PostgreSQL store: libpq's URI, with four parameters of newsd's own.
public struct StoreURI: Hashable, Sendable {
  /// The URI passed to libpq.
  let connection: String
  /// The address without passwords, for messages.
  public var redacted: String { address.text }
  /// The schema that holds the store's tables; `?schema=`.
  public let schema: String
  /// True if the address names the schema.
  public let namesSchema: Bool
  /// The role that may own the schema besides newsd's own; `?owner=`.
  let owner: String?
  /// False with `?prepare=off`, for a pooler that assigns each transaction another server connection.
  let preparesStatements: Bool
  /// False with `?listen=off`, for a pooler that assigns each transaction another server connection: notifications
  /// would not arrive.
  let listens: Bool
  /// True for a pooler that assigns each transaction another server connection, as either of the two parameters tells.
  var isPooled: Bool { !preparesStatements || !listens }
  private let address: RedactedAddress

  private static let schemes = ["postgresql://", "postgres://"]
  /// Signs of a mistyped address, in lower case.
  private static let prefixesOfAddresses = ["postgres:", "postgresql:", "pgsql:", "jdbc:"]
  private static let partsOfAddresses = ["://", "password=", "passwd=", "pwd=", "host=", "user=", "dbname="]

  /// True for an address of a PostgreSQL store, and for a text that looks like a mistyped one, which `init` refuses;
  /// false for a path.
  public static func isStoreURI(_ text: String) -> Bool {
    if text.hasPrefix(bytesOf: "/") || text.hasPrefix(bytesOf: "./") { return false }
    let text = String(decoding: text.asciiLowercased.utf8.filter { !ASCII.isSpace($0) }, as: UTF8.self)
    return prefixesOfAddresses.contains { text.hasPrefix(bytesOf: $0) }
      || partsOfAddresses.contains { text.contains(bytesOf: $0) }
      || text.cut(atLast: "@")?.before.contains(ascii: ":") == true
  }

  /// The text, without passwords if it is the address of a PostgreSQL store; `***` if it looks like a
  /// mistyped address.
  public static func redacted(_ text: String) -> String {
    guard isStoreURI(text) else { return text }
    return redactedAddress(text)?.text ?? "***"
  }

  private static func redactedAddress(_ text: String) -> RedactedAddress? {
    guard let scheme = schemes.first(where: { text.hasPrefix(bytesOf: $0) }) else { return nil }
    return RedactedAddress(scheme: scheme, rest: text.slice(scheme.utf8.count...))
  }

  /// Throws `unreadable` for a mistyped address and for invalid parameters.
  public init(_ text: String) throws(StoreError) {
    guard let address = Self.redactedAddress(text) else {
      throw StoreError(
        code: .unreadable,
        message: "the store is neither a path nor an address that begins with postgresql:// or postgres:// "
          + "(put ./ before a path that looks like an address)"
      )
    }
    self.address = address
    let (head, query) = Self.splitQuery(text)
    var kept: [String] = []
    var named: String?
    var owner: String?
    var prepares = true
    var listens = true
    for part in query?.split(ascii: "&") ?? [] {
      let (name, value) = part.cut(atFirst: "=") ?? (part, "")
      switch PercentCoding.decode(name) {
      case "schema":
        named = String(value)
      case "owner":
        owner = PercentCoding.decode(value)
      case "prepare", "listen":
        guard value == "on" || value == "off" else {
          throw StoreError(
            code: .unreadable,
            message: "\(name) in the address of the store is neither on nor off"
          )
        }
        if name == "prepare" { prepares = value == "on" } else { listens = value == "on" }
      default:
        kept.append(String(part))
      }
    }
    namesSchema = named != nil
    let schema = named ?? "newsd"
    let isName =
      !schema.isEmpty && schema.utf8.count <= 63
      && schema.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "_.-".utf8.contains($0) }
    guard isName else {
      throw StoreError(
        code: .unreadable,
        message: "schema in the address of the store is no name of letters, digits, '_', '.' and '-'"
      )
    }
    connection = head + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    self.schema = schema
    self.owner = owner
    preparesStatements = prepares
    self.listens = listens
  }

  /// True if a message contains a part of the address that may be a password.
  func isRevealed(by message: String) -> Bool { address.isRevealed(by: message) }

  /// The address of a schema on the server of `address`, which names none.
  static func address(_ address: String, schema: String) -> String {
    address + (splitQuery(address).query == nil ? "?" : "&") + "schema=" + schema
  }

  /// Splits the address where libpq does: a `?` before `@` belongs to the password.
  private static func splitQuery(_ text: String) -> (head: String, query: Substring?) {
    let parts = text.split(ascii: "/", maxSplits: 2, omittingEmptySubsequences: false)
    let authority = parts[2].cut(atFirst: "/")?.before ?? parts[2]
    let place = authority.cut(atFirst: "@")?.after ?? authority
    guard let mark = text.utf8[place.startIndex...].firstIndex(of: UInt8(ascii: "?")) else {
      return (text, nil)
    }
    return (String(text[..<mark]), text[text.utf8.index(after: mark)...])
  }
}
