import CCurl
import Glibc
import NewsCore
import NewsToolbox

/// An http, https or file URL. Parsed by libcurl, so that libcurl connects to the same host that was checked.
struct RequestURL: Hashable, Sendable {
  /// `http`, `https` or `file`.
  let scheme: String
  /// In lower case, international names in ASCII form (Punycode), IPv6 addresses without brackets; empty for `file`.
  let host: String
  /// 0 for `file`.
  let port: Int
  /// The URL without user information or fragment.
  let url: String
  /// The decoded user information of the URL.
  let user: String?
  let password: String?
  /// The decoded path of a `file` URL.
  let filePath: String?

  /// Parses an absolute URL. Percent-encodes characters that a URL must not contain. Throws `badURL` or
  /// `unsupportedScheme`.
  init(_ text: String) throws(FetchError) {
    try self.init(HeaderText.encode(text), relativeTo: nil)
  }

  /// Resolves a `Location` field against this URL (RFC 3986 section 5). Throws `badURL` or
  /// `unsupportedScheme`.
  func resolving(_ location: String) throws(FetchError) -> RequestURL {
    let target = HeaderText.encode(location).prefix { $0 != UInt8(ascii: "#") }
    return try RequestURL(target.isEmpty ? Array(url.utf8) : Array(target), relativeTo: url)
  }

  var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

  private init(_ bytes: [UInt8], relativeTo base: String?) throws(FetchError) {
    // Computed only for error messages, because it is slow.
    var shown: String { HeaderText.shown(bytes) }
    guard let parts = curl_url() else { throw FetchError(code: .transport, message: "out of memory") }
    defer { curl_url_cleanup(parts) }
    if let base { curl_url_set(parts, CURLUPART_URL, base, 0) }
    let text = Self.encoded(Self.withoutOuterSpace(bytes)) + [0]
    let flags = UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME)
    let code = text.withUnsafeBufferPointer { text in
      text.withMemoryRebound(to: CChar.self) { curl_url_set(parts, CURLUPART_URL, $0.baseAddress, flags) }
    }
    guard code == CURLUE_OK, !bytes.contains(0) else {
      throw FetchError(
        code: .badURL,
        message: "\(shown) is not a URL: \(String(cString: curl_url_strerror(code)))"
      )
    }
    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(parts, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
      defer { curl_free(text) }
      return String(cString: text)
    }

    scheme = (part(CURLUPART_SCHEME) ?? "").lowercased()
    guard ["http", "https", "file"].contains(scheme) else {
      throw FetchError(
        code: .unsupportedScheme,
        message: "\(shown) is not an http or https URL; newsd fetches nothing else"
      )
    }
    user = part(CURLUPART_USER, CURLU_URLDECODE)
    password = part(CURLUPART_PASSWORD, CURLU_URLDECODE)
    // libcurl does not decode user information that contains control characters.
    guard (user == nil) == (part(CURLUPART_USER) == nil),
      (password == nil) == (part(CURLUPART_PASSWORD) == nil)
    else {
      throw FetchError(
        code: .badURL,
        message: "\(shown) is not a URL: its user name or password contains a control character"
      )
    }
    curl_url_set(parts, CURLUPART_USER, nil, 0)
    curl_url_set(parts, CURLUPART_PASSWORD, nil, 0)
    curl_url_set(parts, CURLUPART_OPTIONS, nil, 0)
    curl_url_set(parts, CURLUPART_FRAGMENT, nil, 0)

    if scheme == "file" {
      host = ""
      port = 0
      filePath = part(CURLUPART_PATH, CURLU_URLDECODE)
    } else {
      var name = part(CURLUPART_HOST) ?? ""
      if name.utf8.contains(where: { $0 >= 0x80 }) {
        name = Self.withUTF8Locale { part(CURLUPART_HOST, Int32(newsd_curl_url_punycode)) } ?? ""
      }
      name = name.lowercased()
      if name.last == "." { name = try Self.withoutDot(afterNumber: name) }
      guard !name.isEmpty, curl_url_set(parts, CURLUPART_HOST, name, 0) == CURLUE_OK else {
        throw FetchError(
          code: .badURL,
          message: "\(shown) is not a URL: its host is not a name or an address"
        )
      }
      if name.first == "[" { name = String(name.dropFirst().dropLast()) }
      // Normalize: `FE80:0::1` and `fe80::1` are the same host.
      host = name.contains(":") ? IPAddress(name)?.description ?? name : name
      port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap { Int($0) } ?? 0
      filePath = nil
    }
    guard let url = part(CURLUPART_URL, CURLU_NO_DEFAULT_PORT) else {
      throw FetchError(code: .badURL, message: "\(shown) is not a URL")
    }
    self.url = url
  }

  /// Converts a numeric host with a final dot to an IPv4 address (URL Standard section 3.5, the ends-in-a-number
  /// checker). libcurl would treat it as a name, and a proxy would resolve it to an unchecked address.
  private static func withoutDot(afterNumber name: String) throws(FetchError) -> String {
    var bare = name[...]
    while bare.last == "." { bare.removeLast() }
    guard let label = bare.split(ascii: ".").last, isNumber(label) else { return name }
    var address = in_addr()
    guard inet_aton(String(bare), &address) == 1 else {
      throw FetchError(code: .badURL, message: "\(name) is neither a host's name nor an address")
    }
    return IPAddress(address).description
  }

  private static func isNumber(_ label: Substring) -> Bool {
    label.hasPrefix("0x")
      ? label.utf8.dropFirst(2).allSatisfy { ASCII.hexValue($0) != nil }
      : label.utf8.allSatisfy(ASCII.isDigit)
  }

  private static func withoutOuterSpace(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var bytes = bytes[...]
    while let first = bytes.first, first <= UInt8(ascii: " ") { bytes.removeFirst() }
    while let last = bytes.last, last <= UInt8(ascii: " ") { bytes.removeLast() }
    return bytes
  }

  /// Percent-encodes characters that libcurl keeps but strict servers reject (RFC 3986 section 2). Replaces a backslash
  /// before the query by a slash (URL Standard section 4.4).
  private static func encoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let query = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.count + 8)
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "\\") where index < query: encoded.append(UInt8(ascii: "/"))
      case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"):
        PercentCoding.append(bytes[index], to: &encoded)
      default: encoded.append(bytes[index])
      }
    }
    return encoded
  }

  /// Runs `body` with a UTF-8 locale on the current thread. libidn2 expects names in the locale's encoding, which is
  /// ASCII in a program that never calls `setlocale`.
  private static func withUTF8Locale<Result>(_ body: () -> Result) -> Result {
    guard let utf8Locale else { return body() }
    let previous = uselocale(utf8Locale.raw)
    defer { _ = uselocale(previous) }
    return body()
  }

  /// A locale object. It is never changed or freed, so any thread may use it.
  private struct Locale: @unchecked Sendable {
    let raw: locale_t
  }

  private static let utf8Locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil).map(Locale.init(raw:))
}
