import NewsToolbox

/// The header fields of a request, checked so that a proxy and newsd cannot disagree on the end of the
/// request (request smuggling).
struct RequestHead {
  var fields = HTTPFields()
  /// The reason why the request is refused with 400; nil if its framing is valid.
  private(set) var problem: String?
  /// The length in the Content-Length field; nil if there is none.
  private(set) var length: Int?
  private(set) var isChunked = false

  /// True when a body follows the head.
  var hasBody: Bool { isChunked || (length ?? 0) > 0 }

  mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    // libmicrohttpd passes on everything between two line ends. Refuse a bare CR, a bare LF and a NUL in it,
    // which other programs interpret differently. Of a folded field, `MHD.fields` passes the end of the line, too.
    if name.contains(where: Self.isControl) || value.contains(where: Self.isControl) {
      problem = "a field contains a control character or is folded"
    }
    // RFC 9112 section 5.1: with a space before the colon, some programs ignore the field and others do not.
    if name.isEmpty || name.contains(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
      problem = "a field's name contains a space"
    }
    let name = String(streamSafe: name)
    let value = String(streamSafe: value)
    fields.append(name, value)
    if name.isEqual(ignoringASCIICase: "content-length") {
      if length != nil || isChunked { problem = "the length of the body is given twice" }
      guard let number = Int(value), number >= 0 else {
        problem = "Content-Length is not a number"
        return
      }
      length = number
    } else if name.isEqual(ignoringASCIICase: "transfer-encoding") {
      if length != nil || isChunked { problem = "the length of the body is given twice" }
      if !value.isEqual(ignoringASCIICase: "chunked") { problem = "the only Transfer-Encoding is chunked" }
      isChunked = true
    }
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < UInt8(ascii: " ") && byte != UInt8(ascii: "\t") || byte == ASCII.delete
  }
}

/// The parts of a request's target.
struct RequestTarget {
  /// Decoded segments of the path; empty for the root.
  var path: [String]
  var query: HTTPParameters
  /// The host in a target of the form `http://host/path`.
  var authority: String?

  init(_ target: [UInt8]) {
    var rest = target[...]
    for scheme in ["http://", "https://"] where rest.starts(with: scheme.utf8) {
      let afterScheme = rest.dropFirst(scheme.utf8.count)
      let end =
        afterScheme.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? afterScheme.endIndex
      authority = String(streamSafe: afterScheme[..<end])
      rest = afterScheme[end...]
    }
    let question = rest.firstIndex(of: UInt8(ascii: "?"))
    let path = rest[..<(question ?? rest.endIndex)]
    query = question.map { HTTPParameters(encoded: rest[($0 + 1)...]) } ?? HTTPParameters()
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // Drop the empty segment before the first slash.
    self.path = segments.dropFirst().map { PercentCoding.decodeLeniently($0) }
    if self.path == [""] { self.path = [] }
  }

  /// Removes the prefix of `web.url` if the path has it: a proxy may have removed it already.
  mutating func remove(prefix: [String]) {
    guard !prefix.isEmpty, path.starts(with: prefix) else { return }
    path.removeFirst(prefix.count)
    if path == [""] { path = [] }
  }
}
