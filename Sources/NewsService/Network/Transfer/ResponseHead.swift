/// Status line and fields of a response, gathered line by line as libcurl hands them over: interim responses (1xx) and
/// those of a proxy's CONNECT come first and are forgotten when the next status line comes.
struct ResponseHead {
  private(set) var status = 0
  /// True when the connection carries one response after the other: HTTP/1.
  private(set) var isHTTP1 = false
  private(set) var fields: [(name: String, value: String)] = []
  /// Bytes of all lines so far, interim responses and trailers included: all of it has to be bounded.
  private(set) var byteCount = 0
  /// True when the empty line after a final response's fields has come.
  private(set) var isComplete = false

  mutating func receive(line: UnsafeRawBufferPointer) {
    byteCount += line.count
    var line = line[...]
    while let last = line.last, last == 0x0A || last == 0x0D { line = line.dropLast() }
    if line.isEmpty {
      isComplete = status >= 200
      return
    }
    if isComplete { return }  // a trailer
    if line.starts(with: "HTTP/".utf8) {
      let text = String(decoding: line, as: UTF8.self)
      status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
      isHTTP1 = line.starts(with: "HTTP/1".utf8)
      fields = []
    } else if let first = line.first, first == 0x20 || first == 0x09, let last = fields.last {
      // A folded line (RFC 9112 section 5.2): obsolete, and still sent.
      fields[fields.count - 1].value = (last.value + " " + HeaderText.decode(line).trimmed).trimmed
    } else if let colon = line.firstIndex(of: 0x3A) {
      fields.append(
        (
          HeaderText.decode(line[..<colon]).trimmed,
          HeaderText.decode(line[(colon + 1)...]).trimmed
        )
      )
    }
  }

  func field(_ name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }

  /// Announced length of the body as it is sent; nil when there is none.
  var length: Int? { field("Content-Length").flatMap { Int($0) } }

  /// How the body is packed, in the order in which that was done.
  var codings: [ContentCoding] {
    ContentCoding.named(
      in: fields.filter { $0.name.lowercased() == "content-encoding" }.map(\.value).joined(separator: ",")
    )
  }
}
