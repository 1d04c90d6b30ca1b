public import NewsCore
import NewsToolbox

/// The address of a PostgreSQL store: libpq's URI, with three parameters of newsd's own.
public struct StoreURI: Hashable, Sendable {
  /// The URI passed to libpq.
  let connection: String
  /// The address without passwords, for messages.
  public let redacted: String
  /// The schema that holds the store's tables; `?schema=`.
  public let schema: String
  /// False with `?prepare=off`, for a pooler that assigns each transaction another server connection.
  let preparesStatements: Bool
  /// False with `?listen=off`, for a pooler that assigns each transaction another server connection: notifications
  /// would not arrive.
  let listens: Bool
  /// True for a pooler that assigns each transaction another server connection, as either of the two parameters tells.
  var isPooled: Bool { !preparesStatements || !listens }
  /// The passwords in the address, percent-encoded.
  private let secrets: [String]

  /// True for an address of a PostgreSQL store; false for a path.
  public static func isStoreURI(_ text: String) -> Bool {
    text.hasPrefix(bytesOf: "postgresql://") || text.hasPrefix(bytesOf: "postgres://")
  }

  /// The text; passwords are removed if it is the address of a PostgreSQL store.
  public static func redacted(_ text: String) -> String {
    guard isStoreURI(text) else { return text }
    return (try? StoreURI(text).redacted) ?? "postgresql://…"
  }

  /// - Throws: `unreadable` for invalid parameters.
  public init(_ text: String) throws(StoreError) {
    let (head, query) = Self.split(text, at: UInt8(ascii: "?"))
    var kept: [String] = []
    var shown: [String] = []
    var schema = "newsd"
    var prepares = true
    var listens = true
    var secrets: [String] = []
    for part in (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map({ String($0) ?? "" }) {
      let (name, value) = Self.split(part, at: UInt8(ascii: "="))
      switch name {
      case "schema":
        schema = value ?? ""
        shown.append(part)
      case "prepare", "listen":
        guard value == "on" || value == "off" else {
          throw StoreError(
            code: .unreadable,
            message: "\(name) in the address of the store is neither on nor off"
          )
        }
        if name == "prepare" { prepares = value == "on" } else { listens = value == "on" }
        shown.append(part)
      case "password", "sslpassword":
        kept.append(part)
        shown.append(name + "=***")
        if let value, !value.isEmpty { secrets.append(value) }
      default:
        kept.append(part)
        shown.append(part)
      }
    }
    let isName =
      !schema.isEmpty && schema.utf8.count <= 63
      && schema.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
    guard isName else {
      throw StoreError(
        code: .unreadable,
        message: "schema in the address of the store is no name of letters, digits and _"
      )
    }
    connection = head + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    redacted = Self.withoutPassword(head) + (shown.isEmpty ? "" : "?" + shown.joined(separator: "&"))
    self.schema = schema
    preparesStatements = prepares
    self.listens = listens
    if let password = Self.password(head) { secrets.append(String(head[password])) }
    self.secrets = secrets
  }

  /// True if a message of libpq contains a password: it quotes addresses and values that it cannot parse.
  func isRevealed(by message: String) -> Bool { secrets.contains { message.contains(bytesOf: $0) } }

  private static func split(_ text: String, at separator: UInt8) -> (String, String?) {
    guard let place = text.utf8.firstIndex(of: separator) else { return (text, nil) }
    return (String(text[..<place]), String(text[text.utf8.index(after: place)...]))
  }

  /// The part between `//` and the path.
  private static func authority(_ head: String) -> Range<String.Index> {
    let slashes = head.utf8.firstIndex(of: UInt8(ascii: "/")) ?? head.endIndex
    let start = head.utf8.index(slashes, offsetBy: 2, limitedBy: head.endIndex) ?? head.endIndex
    let end = head.utf8[start...].firstIndex(of: UInt8(ascii: "/")) ?? head.endIndex
    return start..<end
  }

  private static func withoutPassword(_ head: String) -> String {
    guard let password = password(head) else { return head }
    return head[..<password.lowerBound] + "***" + head[password.upperBound...]
  }

  /// Returns the range of the password in the authority; nil without one.
  private static func password(_ head: String) -> Range<String.Index>? {
    let part = authority(head)
    guard let at = head.utf8[part].lastIndex(of: UInt8(ascii: "@")),
      let colon = head.utf8[part.lowerBound..<at].firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let start = head.utf8.index(after: colon)
    return start < at ? start..<at : nil
  }
}
