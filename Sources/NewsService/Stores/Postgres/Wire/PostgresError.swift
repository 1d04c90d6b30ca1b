import NewsCore
import NewsToolbox

/// An error of the server or of the connection to it.
struct PostgresError {
  /// The SQLSTATE; nil if the connection failed without one.
  var state: String?
  var message: String
  /// True if the statement had parameters, such as the values of a record.
  var hadParameters = false

  /// True if the transaction conflicted with another one; repeating it may succeed.
  var isConflict: Bool { state == "40001" || state == "40P01" }

  /// True if a schema, table, index or type of this name exists already. While another transaction creates it, the server
  /// reports a unique value of its own tables.
  var isTakenName: Bool { ["42P06", "42P07", "42710", "23505"].contains(state) }

  /// True if the connection is lost.
  var isDisconnection: Bool {
    guard let state else { return true }
    return state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(state)
  }

  /// True if a constraint was violated, for example because a unique value already exists.
  var isConstraint: Bool { state?.hasPrefix("23") == true }

  /// True if the server refused a value or a row: data exceptions, constraints, and limits such as the size of an index
  /// row. A statement without parameters, such as COMMIT, has no values that another record would not have.
  private var isDataError: Bool {
    guard let state, hadParameters else { return false }
    return ["22", "23", "54"].contains { state.hasPrefix($0) }
  }

  func storeError(_ name: String) -> StoreError {
    // Names in the message may have line breaks.
    let reason = MessageText.printable(
      message.trimmed.replacing(ascii: "\t", with: "").replacing(ascii: "\n", with: " ")
    )
    switch state {
    case "53100":
      return StoreError(code: .full, message: "the server of the store \(name) has no space left: \(reason)")
    case "53300":
      return StoreError(
        code: .busy,
        message:
          "the server of the store \(name) has too many connections (\(reason)); try again later or raise max_connections"
      )
    case "57014":
      return StoreError(
        code: .busy,
        message:
          "the server of the store \(name) stopped a statement: \(reason); see statement_timeout of the role"
      )
    case "55P03", "40001", "40P01":
      return StoreError(
        code: .busy,
        message: "another process keeps the store \(name) locked; try again when it has finished"
      )
    case "25006":
      return StoreError(
        code: .unreadable,
        message: "the store \(name) is a read-only replica; name the primary server, "
          + "or add target_session_attrs=read-write and all hosts to its address"
      )
    case "42P05", "26000":
      return StoreError(
        code: .other,
        message:
          "the server of the store \(name) lacks a prepared statement or has one of another session (\(reason)). "
          + "For a pooler in transaction mode, add prepare=off&listen=off to the address"
      )
    case "42P01", "3F000":
      return StoreError(code: .missing, message: "there is no newsd store in \(name)")
    // Only sums of numbers in the store exceed 64 bits: newsd's own values are bound.
    case "22003" where message.contains(bytesOf: "bigint out of range"):
      return StoreError(
        code: .corrupt,
        message:
          "the store \(name) is damaged: a number in its tables is too large; run 'newsd check --repair'"
      )
    case "42501":
      return StoreError(
        code: .unreadable,
        message: "the role of the store \(name) lacks rights that newsd needs: \(reason)"
      )
    case "28000", "28P01", "3D000":
      return StoreError(code: .unreadable, message: "cannot use the store \(name): \(reason)")
    case nil:
      return StoreError(
        code: .unreadable,
        message: "cannot reach the store \(name): \(reason)\(Self.advice(onConnecting: reason))"
      )
    case let state?:
      if isDisconnection {
        return StoreError(
          code: .unreadable,
          message: "the server of the store \(name) closed the connection: \(reason)"
        )
      }
      if isDataError {
        return StoreError(
          code: .badData,
          // Without the store's address, because pages and APIs show it as the failure of a feed.
          message: "the database refused the data: \(reason) (SQLSTATE \(state))"
        )
      }
      return StoreError(code: .other, message: "the store \(name) failed: \(reason) (SQLSTATE \(state))")
    }
  }
}

extension PostgresError {
  /// What to do if libpq could not verify the server; empty for other reasons.
  private static func advice(onConnecting reason: String) -> String {
    let signs = [
      "certificate verify failed", "server certificate for", "root certificate file", "does not support SSL",
    ]
    guard signs.contains(where: { reason.contains(bytesOf: $0) }) else { return "" }
    return "; name the server's certificate with sslrootcert=FILE, or choose another sslmode "
      + "(TLS in docs/postgresql.md)"
  }
}

extension String {
  /// The first line of the message, without its severity and leading spaces.
  fileprivate var trimmed: String {
    let lines = split(ascii: "\n").filter { !$0.isEmpty }
    var line = lines.first.map { String($0) } ?? "no reason was given"
    for prefix in ["ERROR:", "FATAL:", "PANIC:"] where line.hasPrefix(bytesOf: prefix) {
      line.removeFirst(prefix.utf8.count)
    }
    while line.utf8.first == UInt8(ascii: " ") { line.removeFirst() }
    return line
  }
}
