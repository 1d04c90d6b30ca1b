import CPQ
import Glibc
import NewsCore
import NewsToolbox

/// One connection to a server. It is used by one thread.
package final class Connection {
  /// The name of the store in messages.
  let name: String
  private let library: LibPQ
  private let raw: OpaquePointer
  private let prepares: Bool
  /// Names of prepared statements by their text.
  private var prepared: [String: String] = [:]
  /// The error of the last failed statement.
  private(set) var lastError: ServerError?

  /// - Parameters:
  ///   - uri: The address.
  ///   - settings: Session settings, for `options`.
  /// - Throws: `unreadable` if the server cannot be reached; `busy` if it has too many connections.
  init(_ uri: StoreURI, settings: [String: String]) throws(StoreError) {
    guard let library = LibPQ.shared else {
      throw StoreError(
        code: .unreadable,
        message: "cannot use the store \(uri.redacted): libpq.so.5 is not installed (Debian package libpq5)"
      )
    }
    self.library = library
    name = uri.redacted
    prepares = uri.preparesStatements
    var options: [(String, String)] = [
      ("application_name", "newsd"), ("connect_timeout", "10"), ("keepalives_idle", "10"),
      ("tcp_user_timeout", "30000"), ("gssencmode", "disable"), ("client_encoding", "UTF8"),
    ]
    if uri.needsVerification(environment: { name in getenv(name).map { String(cString: $0) } }) {
      options.append(("sslmode", "verify-full"))
      if !uri.namesRootCertificate, let bundle = Self.rootCertificates {
        options.append(("sslrootcert", bundle))
      }
    }
    options.append(("dbname", uri.connection))
    raw = try Self.open(options, library, uri.redacted)
    let found = Int(library.call.PQserverVersion(raw))
    guard found >= 140_000 else {
      throw StoreError(
        code: .unreadable,
        message: "the server of the store \(name) is PostgreSQL \(found / 10_000); newsd needs 14 or later"
      )
    }
    var statements = settings.sorted { $0.key < $1.key }.map { "SET \($0.key) = \($0.value)" }
    statements.append("SET search_path = \"\(uri.schema)\"")
    // After a throw here, deinit closes the connection.
    try execute(statements.joined(separator: "; "))
  }

  deinit { library.call.PQfinish(raw) }

  private static let rootCertificates: String? = {
    let bundles: [String] = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
    return bundles.first { access($0, R_OK) == 0 }
  }()

  /// Connects with the verbose form of errors, because libpq gives no SQLSTATE for a failed connection otherwise.
  private static func open(
    _ options: [(String, String)],
    _ library: LibPQ,
    _ name: String
  ) throws(StoreError) -> OpaquePointer {
    var keywords: [UnsafePointer<CChar>?] = []
    var values: [UnsafePointer<CChar>?] = []
    var copies: [UnsafeMutablePointer<CChar>] = []
    for (keyword, value) in options {
      for (text, isKeyword) in [(keyword, true), (value, false)] {
        guard let copy = strdup(text) else { continue }
        copies.append(copy)
        if isKeyword { keywords.append(copy) } else { values.append(copy) }
      }
    }
    keywords.append(nil)
    values.append(nil)
    let started = library.call.PQconnectStartParams(keywords, values, 1)
    for copy in copies { free(copy) }
    guard let started else {
      throw StoreError(code: .other, message: "no memory for a connection to \(name)")
    }
    _ = library.call.PQsetErrorVerbosity(started, newsd_pq_errors_verbose)
    var state = newsd_pq_polling_writing
    while state == newsd_pq_polling_reading || state == newsd_pq_polling_writing,
      library.call.PQstatus(started) != 1
    {
      var descriptor = pollfd()
      descriptor.fd = library.call.PQsocket(started)
      descriptor.events = Int16(state == newsd_pq_polling_reading ? POLLIN : POLLOUT)
      // libpq does not apply connect_timeout here.
      let ready = poll(&descriptor, 1, 10_000)
      guard ready != 0 else { break }
      state = library.call.PQconnectPoll(started)
    }
    guard library.call.PQstatus(started) == newsd_pq_connection_ok else {
      let message = library.call.PQerrorMessage(started).map { String(cString: $0) } ?? ""
      library.call.PQfinish(started)
      throw connectionError(message).storeError(name)
    }
    _ = library.call.PQsetErrorVerbosity(started, 1)
    return started
  }

  /// `…FATAL: 53300: too many clients` contains the SQLSTATE of a refused connection.
  private static func connectionError(_ message: String) -> ServerError {
    guard !message.isEmpty else { return ServerError(state: nil, message: "the server does not answer") }
    guard let mark = message.utf8Index(after: "FATAL:  ") else {
      return ServerError(state: nil, message: message)
    }
    let rest = message[mark...]
    let code = rest.prefix(5)
    let isCode =
      code.utf8.count == 5 && code.utf8.allSatisfy { ASCII.isDigit($0) || (0x41...0x5A).contains($0) }
    let reason = String(rest.dropFirst(isCode ? 7 : 0))
    return ServerError(state: isCode ? String(code) : nil, message: reason)
  }

  /// True if the connection can still be used.
  var isAlive: Bool { library.call.PQstatus(raw) == newsd_pq_connection_ok }

  var socket: Int32 { library.call.PQsocket(raw) }

  /// Executes statements without parameters; several are separated by semicolons.
  func execute(_ sql: String) throws(StoreError) {
    _ = try check(library.call.PQexec(raw, sql))
  }

  /// Runs a statement and returns all its rows.
  @discardableResult
  func query(_ sql: String, _ values: any ParameterConvertible...) throws(StoreError) -> Rows {
    try query(sql, parameters: values.map(\.parameter))
  }

  @discardableResult
  func query(_ sql: String, parameters: [Parameter]) throws(StoreError) -> Rows {
    let statement = prepares ? try prepare(sql) : nil
    var bytes: [UInt8] = []
    var offsets: [Int?] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    for parameter in parameters {
      switch parameter {
      case .null:
        offsets.append(nil)
        lengths.append(0)
        formats.append(0)
      case .text(let text):
        offsets.append(bytes.count)
        lengths.append(Int32(text.utf8.count))
        formats.append(0)
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
      case .binary(let value):
        offsets.append(bytes.count)
        lengths.append(Int32(value.count))
        formats.append(1)
        bytes.append(contentsOf: value)
        bytes.append(0)
      }
    }
    let result = bytes.withUnsafeBufferPointer { buffer in
      let pointers = offsets.map { offset -> UnsafePointer<CChar>? in
        guard let offset, let base = buffer.baseAddress else { return nil }
        return UnsafeRawPointer(base + offset).assumingMemoryBound(to: CChar.self)
      }
      let count = Int32(parameters.count)
      if let statement {
        return library.call.PQexecPrepared(raw, statement, count, pointers, lengths, formats, 1)
      }
      return library.call.PQexecParams(raw, sql, count, nil, pointers, lengths, formats, 1)
    }
    return Rows(try check(result), library)
  }

  private func prepare(_ sql: String) throws(StoreError) -> String? {
    if let name = prepared[sql] { return name }
    // Limit the number: statements with literals vary, and the server keeps each one until the connection
    // ends.
    guard prepared.count < 200 else { return nil }
    let name = "s\(prepared.count)"
    let result = try check(library.call.PQprepare(raw, name, sql, 0, nil))
    library.call.PQclear(result)
    prepared[sql] = name
    return name
  }

  private func check(_ result: OpaquePointer?) throws(StoreError) -> OpaquePointer {
    guard let result else {
      let message = library.call.PQerrorMessage(raw).map { String(cString: $0) } ?? ""
      let error = ServerError(state: nil, message: message)
      lastError = error
      throw error.storeError(name)
    }
    let status = library.call.PQresultStatus(result)
    if status == newsd_pq_command_ok || status == newsd_pq_tuples_ok { return result }
    let state = library.call.PQresultErrorField(result, newsd_pq_sqlstate).map { String(cString: $0) }
    let message =
      library.call.PQresultErrorField(result, newsd_pq_primary_message).map { String(cString: $0) }
      ?? library.call.PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
    library.call.PQclear(result)
    let error = ServerError(state: isAlive ? state : nil, message: message)
    lastError = error
    throw error.storeError(name)
  }

  /// The first column of the first row as an integer; nil for NULL and without rows.
  func integer(_ sql: String, _ values: any ParameterConvertible...) throws(StoreError) -> Int64? {
    try query(sql, parameters: values.map(\.parameter)).first?.optionalInt64(0)
  }

  func forgetError() { lastError = nil }
}

extension String {
  fileprivate func utf8Index(after mark: String) -> String.Index? {
    let bytes = Array(utf8)
    let wanted = Array(mark.utf8)
    guard bytes.count >= wanted.count else { return nil }
    for start in 0...(bytes.count - wanted.count)
    where bytes[start..<(start + wanted.count)].elementsEqual(wanted) {
      return utf8.index(startIndex, offsetBy: start + wanted.count)
    }
    return nil
  }
}
