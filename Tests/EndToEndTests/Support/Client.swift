import Glibc
import TestServer

/// Sends HTTP requests as text, each over its own connection, for tests that act as a hub.
enum Client {
  struct Answer {
    var status: Int
    var body: String
  }

  /// Sends a request to 127.0.0.1 and reads the response until the connection ends.
  static func send(
    _ method: String,
    _ url: String,
    headers: [(String, String)] = [],
    body: String = ""
  ) throws -> Answer {
    let rest = url.dropFirst("http://127.0.0.1:".count)
    let target = rest.drop { $0 != "/" }
    guard url.hasPrefix("http://127.0.0.1:"), let port = UInt16(rest.prefix { $0 != "/" }) else {
      throw Program.Failure(message: "not here: \(url)")
    }
    let host = headers.first { $0.0 == "Host" }?.1 ?? "127.0.0.1"
    var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
    for (name, value) in headers where name != "Host" { text += "\(name): \(value)\r\n" }
    if method == "POST" { text += "Content-Length: \(body.utf8.count)\r\n" }
    let received = try exchange(Array((text + "\r\n" + body).utf8), port: port)
    let parts = received.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let status = parts.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(status: status, body: parts.count > 1 ? String(parts[1]) : "")
  }

  /// Sends a request, and receives until the connection ends or the server is silent for some seconds.
  static func exchange(_ request: [UInt8], port: UInt16, seconds: Int = 60) throws -> String {
    let descriptor = try Loopback.connect(port)
    defer { close(descriptor) }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    _ = request.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      received += buffer[..<count]
    }
    return String(decoding: received, as: UTF8.self)
  }
}

/// Paths of the programs that some tests need; empty if a program is not installed.
enum Tool {
  static let openssl = find("openssl")
  static let nginx = find("nginx")

  private static func find(_ name: String) -> String {
    ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/opt/homebrew/bin/"].map { $0 + name }
      .first { access($0, X_OK) == 0 } ?? ""
  }
}
