import CPQ
import Glibc
import NewsCore
import NewsToolbox

/// The options of libpq for a connection. Options in the address win over these. For sslmode and sslrootcert,
/// those of the environment and of service files win too.
struct ConnectionOptions {
  private(set) var list: [(name: String, value: String)] = [
    ("application_name", "newsd"), ("connect_timeout", "10"), ("keepalives_idle", "10"),
    ("tcp_user_timeout", "30000"), ("gssencmode", "disable"), ("client_encoding", "UTF8"),
  ]

  init(_ uri: StoreURI, _ library: LibPQ) throws(StoreError) {
    let address = Self.values(library.call.PQconninfoParse(uri.connection, nil), library)
    // This value makes libpq fail before it connects. The failed connection has the options that libpq has combined from
    // the address, the service file and the environment.
    let rejected = [("dbname", uri.connection), ("target_session_attrs", "newsd")]
    let probe = Self.withPointers(rejected) { library.call.PQconnectStartParams($0, $1, 1) }
    let effective = Self.values(probe.flatMap { library.call.PQconninfo($0) }, library)
    if let probe { library.call.PQfinish(probe) }

    let hosts = ["host", "hostaddr"].flatMap { effective[$0]?.value.split(ascii: ",") ?? [] }.map {
      String($0)
    }
    // libpq would ask name servers for a part of the password.
    guard !hosts.contains(where: { $0.utf8.dropFirst().contains(UInt8(ascii: "@")) }) else {
      throw StoreError(
        code: .unreadable,
        message: "cannot use the store \(uri.redacted): a host contains @; write @ in a password as %40"
      )
    }
    // libpq does not report which options come from a service file, so a mode there counts only if it is not the default.
    let isModeSet =
      address["sslmode"] != nil || getenv("PGSSLMODE") != nil || effective["sslmode"]?.isDefault == false
    if !isModeSet, !hosts.allSatisfy(Self.isOnThisMachine) {
      list.append(("sslmode", "verify-full"))
      if effective["sslrootcert"] == nil, let bundle = Self.rootCertificates {
        list.append(("sslrootcert", bundle))
      }
    }
    list.append(("dbname", uri.connection))
  }

  /// True for the folder of a socket, an abstract socket, `localhost` and a numeric loopback address.
  static func isOnThisMachine(_ host: String) -> Bool {
    if host == "localhost" || host.hasPrefix(bytesOf: "/") || host.hasPrefix(bytesOf: "@") { return true }
    var v4 = in_addr()
    if inet_pton(AF_INET, host, &v4) == 1 { return UInt32(bigEndian: v4.s_addr) >> 24 == 127 }
    var v6 = in6_addr()
    guard inet_pton(AF_INET6, host, &v6) == 1 else { return false }
    return withUnsafeBytes(of: v6) { $0.elementsEqual([UInt8](repeating: 0, count: 15) + [1]) }
  }

  /// Calls `body` with the names and values as libpq takes them.
  static func withPointers<Result>(
    _ options: [(name: String, value: String)],
    _ body: (_ names: [UnsafePointer<CChar>?], _ values: [UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let names = options.map { strdup($0.name) }
    let values = options.map { strdup($0.value) }
    defer { for copy in names + values { free(copy) } }
    return body(names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil])
  }

  private struct Option {
    var value: String
    /// True if the value equals the default that libpq was compiled with.
    var isDefault: Bool
  }

  /// Returns the options that have a value, and frees `options`.
  private static func values(_ options: UnsafeMutablePointer<newsd_pq_option>?, _ library: LibPQ) -> [String:
    Option]
  {
    guard let options else { return [:] }
    defer { library.call.PQconninfoFree(options) }
    var found: [String: Option] = [:]
    var next = options
    while let name = next.pointee.keyword {
      if let text = next.pointee.val {
        let value = String(cString: text)
        found[String(cString: name)] = Option(
          value: value,
          isDefault: next.pointee.compiled.map { String(cString: $0) } == value
        )
      }
      next += 1
    }
    return found
  }

  private static let rootCertificates: String? = {
    let bundles: [String] = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
    return bundles.first { access($0, R_OK) == 0 }
  }()
}
