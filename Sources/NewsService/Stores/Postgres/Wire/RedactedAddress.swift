import NewsToolbox

/// The address of a store as messages show it: everything that may be a password is `***`.
struct RedactedAddress: Hashable, Sendable {
  private(set) var text: String
  /// The hidden parts, as written and percent-decoded.
  private var hidden: Set<String> = []

  /// The parameters whose values are shown.
  private static let shownParameters: Set<String> = [
    "schema", "owner", "prepare", "listen",
    "application_name", "channel_binding", "client_encoding", "connect_timeout", "dbname",
    "fallback_application_name", "gssencmode", "gsslib", "host", "hostaddr", "keepalives", "keepalives_count",
    "keepalives_idle", "keepalives_interval", "krbsrvname", "load_balance_hosts", "passfile", "port",
    "replication", "require_auth", "requirepeer", "service", "ssl_max_protocol_version",
    "ssl_min_protocol_version", "sslcert", "sslcertmode", "sslcompression", "sslcrl", "sslcrldir", "sslkey",
    "sslmode", "sslnegotiation", "sslrootcert", "sslsni", "target_session_attrs", "tcp_user_timeout", "user",
  ]

  /// `scheme` includes `//`.
  init(scheme: String, rest: Substring) {
    text = scheme
    var rest = rest
    // The password ends at the last `@`: users may forget to encode `@`, `/` and `?` in it.
    if let (login, place) = rest.cut(atLast: "@"), let (user, password) = login.cut(atFirst: ":") {
      text += shown(user) + ":***@"
      hide(password, andPartsBetween: "@/?:")
      rest = place
    } else if let (user, place) = rest.cut(atFirst: "@"), !user.contains(ascii: "/") {
      text += shown(user) + "@"
      rest = place
    }
    let query = rest.cut(atFirst: "?")
    let place = query?.before ?? rest
    let database = place.cut(atFirst: "/")
    text += shownHosts(database?.before ?? place)
    if let database { text += "/" + shown(database.after) }
    if let query {
      text += "?" + query.after.split(ascii: "&").map { shownParameter($0) }.joined(separator: "&")
    }
  }

  /// True if a message contains a hidden part: libpq and servers quote what they cannot use.
  func isRevealed(by message: String) -> Bool { hidden.contains { message.contains(bytesOf: $0) } }

  private mutating func hide(_ part: Substring, andPartsBetween separators: StaticString = "") {
    let parts = part.utf8.split { byte in separators.withUTF8Buffer { $0.contains(byte) } }
    for part in [part] + parts.map({ Substring($0) }) where !part.isEmpty {
      hidden.insert(String(part))
      hidden.insert(PercentCoding.decodeLeniently(part.utf8))
    }
  }

  /// Returns the part if it consists of letters, digits and the signs of names, paths and IPv6 addresses; otherwise
  /// hides it.
  private mutating func shown(_ part: Substring) -> String {
    let isPlain = PercentCoding.decode(part)?.utf8.allSatisfy {
      ASCII.isAlphanumeric($0) || "-._~,/:[]".utf8.contains($0)
    }
    if isPlain == true { return String(part) }
    hide(part)
    return "***"
  }

  /// Hides the hosts if a port is not a number: in an address without `@`, it may be a password.
  private mutating func shownHosts(_ hosts: Substring) -> String {
    let haveNumericPorts = hosts.split(ascii: ",").allSatisfy { host in
      let port = (host.cut(atLast: "]")?.after ?? host).cut(atFirst: ":")?.after ?? ""
      return port.utf8.allSatisfy(ASCII.isDigit)
    }
    if haveNumericPorts { return shown(hosts) }
    hide(hosts, andPartsBetween: ":,")
    return "***"
  }

  private mutating func shownParameter(_ parameter: Substring) -> String {
    if let (name, value) = parameter.cut(atFirst: "=") {
      if Self.shownParameters.contains(String(name)) { return name + "=" + shown(value) }
      if name.utf8.allSatisfy({ ASCII.isLetter($0) || $0 == UInt8(ascii: "_") }) {
        hide(value)
        return name + "=***"
      }
    }
    hide(parameter)
    return "***"
  }
}
