/// A scripted reply of a `TestServer`: a sequence of steps.
public struct Reply: Sendable {
  enum Step: Sendable {
    case send([UInt8])
    /// Waits for this many milliseconds.
    case pause(Int)
    /// Waits for the test to open the gate, and tells it when the client's system has received these bytes.
    case gate(ReplyGate, [UInt8])
    /// Sends one byte at a time.
    case drip([UInt8], every: Int)
    /// Sends the same bytes until the client closes the connection.
    case repeating([UInt8])
    /// Sends nothing more and keeps the connection open.
    case hang
    case close
    /// Closes the connection with an RST instead of a FIN.
    case reset
    /// Calls the test's handler.
    case ask(@Sendable (ReceivedRequest) -> Reply)
  }

  var steps: [Step]

  static func from(_ handler: @escaping @Sendable (ReceivedRequest) -> Reply) -> Reply {
    Reply(steps: [.ask(handler)])
  }

  func resolved(for request: ReceivedRequest) -> Reply {
    guard case .ask(let handler)? = steps.first else { return self }
    return handler(request)
  }

  // MARK: - Well-behaved

  /// A complete response with `Content-Length`.
  public static func status(
    _ status: Int,
    headers: [(String, String)] = [],
    body: String = ""
  ) -> Reply {
    response(status, headers: headers, body: Array(body.utf8))
  }

  public static func ok(_ body: String, headers: [(String, String)] = []) -> Reply {
    response(200, headers: headers, body: Array(body.utf8))
  }

  public static func ok(_ body: [UInt8], headers: [(String, String)] = []) -> Reply {
    response(200, headers: headers, body: body)
  }

  public static func redirect(_ status: Int, to location: String) -> Reply {
    response(status, headers: [("Location", location)], body: Array("moved".utf8))
  }

  /// A response with a gzip-coded body.
  public static func gzip(_ body: String, headers: [(String, String)] = []) -> Reply {
    response(200, headers: headers + [("Content-Encoding", "gzip")], body: Gzip.stored(Array(body.utf8)))
  }

  /// A response with a body in chunks of `size` bytes.
  public static func chunked(
    _ body: String,
    size: Int,
    pause: Int = 0,
    headers: [(String, String)] = []
  ) -> Reply {
    var steps: [Step] = [.send(head(200, headers + [("Transfer-Encoding", "chunked")]))]
    var rest = Array(body.utf8)[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(size)
      rest = rest.dropFirst(size)
      steps.append(.send(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)))
      if pause > 0 { steps.append(.pause(pause)) }
    }
    return Reply(steps: steps + [.send(Array("0\r\n\r\n".utf8))])
  }

  // MARK: - Misbehaving

  /// Sends exactly these bytes and closes the connection.
  public static func raw(_ bytes: [UInt8]) -> Reply { Reply(steps: [.send(bytes), .close]) }
  public static func raw(_ text: String) -> Reply { raw(Array(text.utf8)) }

  /// Sends exactly these bytes and keeps the connection open.
  public static func bytes(_ bytes: [UInt8]) -> Reply { Reply(steps: [.send(bytes)]) }

  /// This reply, followed by unsolicited bytes after a delay.
  public func followed(by bytes: [UInt8], after milliseconds: Int = 0) -> Reply {
    Reply(steps: steps + [.pause(milliseconds), .send(bytes)])
  }

  /// This reply, followed by unsolicited bytes when the test opens the gate.
  public func followed(by bytes: [UInt8], behind gate: ReplyGate) -> Reply {
    Reply(steps: steps + [.gate(gate, bytes)])
  }

  /// Accepts the request and never responds.
  public static let neverResponds = Reply(steps: [.hang])

  /// Closes the connection without a response.
  public static let closes = Reply(steps: [.close])

  /// Announces a longer body than it sends.
  public static func short(_ body: String, announced: Int, headers: [(String, String)] = []) -> Reply {
    Reply(steps: [
      .send(head(200, headers + [("Content-Length", "\(announced)")]) + Array(body.utf8)), .close,
    ])
  }

  /// Sends part of the body and resets the connection.
  public static func resetAfter(_ body: String, announced: Int) -> Reply {
    Reply(steps: [
      .send(head(200, [("Content-Length", "\(announced)")]) + Array(body.utf8)), .pause(50), .reset,
    ])
  }

  /// Sends part of the body, then nothing more.
  public static func stall(
    after body: [UInt8],
    announced: Int,
    headers: [(String, String)] = []
  ) -> Reply {
    Reply(steps: [.send(head(200, headers + [("Content-Length", "\(announced)")]) + body), .hang])
  }

  /// Sends part of the body when the test opens the gate, then nothing more.
  public static func stall(after body: [UInt8], announced: Int, behind gate: ReplyGate) -> Reply {
    Reply(steps: [.send(head(200, [("Content-Length", "\(announced)")])), .gate(gate, body), .hang])
  }

  /// Sends an endless body.
  public static func endless(_ piece: String = "0123456789abcdef", headers: [(String, String)] = []) -> Reply
  {
    let block = Array(String(repeating: piece, count: max(1, 16_384 / max(piece.utf8.count, 1))).utf8)
    return Reply(steps: [.send(head(200, headers)), .repeating(block)])
  }

  /// Sends the body byte by byte.
  public static func drip(_ body: String, every milliseconds: Int, headers: [(String, String)] = []) -> Reply
  {
    let body = Array(body.utf8)
    return Reply(steps: [
      .send(head(200, headers + [("Content-Length", "\(body.count)")])), .drip(body, every: milliseconds),
    ])
  }

  /// Sends a header section byte by byte; it never ends.
  public static func dripHeaders(every milliseconds: Int) -> Reply {
    let line = Array("X-Drip: \(String(repeating: "d", count: 4096))\r\n".utf8)
    return Reply(steps: [.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .drip(line, every: milliseconds), .hang])
  }

  /// Sends a header section of about `count` bytes, in fields of 1 KiB.
  public static func hugeHeaders(_ count: Int) -> Reply {
    let fields = (0..<(count / 1024)).map { ("X-Large-\($0)", String(repeating: "h", count: 1000)) }
    return response(200, headers: fields, body: Array("small".utf8))
  }

  /// A gzip body that unpacks to about `size` zero bytes and is a thousand times smaller on the wire.
  public static func gzipBomb(_ size: Int, headers: [(String, String)] = []) -> Reply {
    response(200, headers: headers + [("Content-Encoding", "gzip")], body: Gzip.bomb(size))
  }

  /// This reply after a delay.
  public func delayed(_ milliseconds: Int) -> Reply {
    Reply(steps: [.pause(milliseconds)] + steps)
  }

  /// This reply, followed by the end of the connection.
  public var thenClose: Reply { Reply(steps: steps + [.close]) }

  // MARK: - Parts

  /// A status line and fields, including the final empty line.
  public static func head(_ status: Int, _ headers: [(String, String)]) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(reasons[status] ?? "Status")\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  private static func response(_ status: Int, headers: [(String, String)], body: [UInt8]) -> Reply {
    if status == 304 || status == 204 { return Reply(steps: [.send(head(status, headers))]) }
    return Reply(steps: [.send(head(status, headers + [("Content-Length", "\(body.count)")]) + body)])
  }

  private static let reasons = [
    200: "OK", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 404: "Not Found", 410: "Gone",
    429: "Too Many Requests",
    500: "Internal Server Error", 503: "Service Unavailable",
  ]
}
