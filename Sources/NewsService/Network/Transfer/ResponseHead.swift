import NewsToolbox

/// Status and fields of a response, collected line by line. Interim responses (1xx) come first; they are
/// discarded at the next status line. libcurl does not pass on a proxy's response to CONNECT.
struct ResponseHead {
  private(set) var status = 0
  /// True for HTTP/1, where a connection carries one response at a time.
  private(set) var isHTTP1 = false
  private(set) var fields: [(name: String, value: String)] = []
  /// Size of all lines so far, including interim responses and trailers.
  private(set) var byteCount = 0
  /// True after the empty line that ends the fields of a final response.
  private(set) var isComplete = false

  mutating func receive(line: UnsafeRawBufferPointer) {
    byteCount += line.count
    var line = line[...]
    while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
      line = line.dropLast()
    }
    if line.isEmpty {
      isComplete = status >= 200
      return
    }
    if isComplete { return }  // a trailer
    if line.starts(with: "HTTP/".utf8) {
      let text = String(streamSafe: line)
      status = text.split(ascii: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
      isHTTP1 = line.starts(with: "HTTP/1".utf8)
      fields = []
    } else if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t"),
      let last = fields.last
    {
      // A folded line (RFC 9112 section 5.2), obsolete but still sent by some servers.
      fields[fields.count - 1].value = (last.value + " " + HeaderText.decode(line).trimmed).trimmed
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
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

  /// The value of Content-Length: the compressed size of the body.
  var length: Int? { field("Content-Length").flatMap { Int($0) } }

  /// The content codings, in the order in which they were applied.
  var codings: [ContentCoding] {
    ContentCoding.named(
      in: fields.filter { $0.name.lowercased() == "content-encoding" }.map(\.value).joined(separator: ",")
    )
  }
}
