import Glibc
import TestServer

/// Runs other programs as TLS servers for one test, with certificates made for it.
final class TLSServer {
  let directory = TemporaryDirectory()
  private(set) var port: UInt16
  private var running: RunningProgram?

  var origin: String { "https://127.0.0.1:\(port)" }
  func path(_ name: String) -> String { directory.path + "/" + name }

  init() throws {
    port = try UnusedPort.next()
    try makeCertificate("server")
  }

  /// Makes a self-signed certificate for 127.0.0.1 in `NAME.crt`, and one with its key in `NAME.pem`.
  func makeCertificate(_ name: String) throws {
    let made = try Program(in: directory).run(
      program: Tool.openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj",
        "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", path("\(name).key"), "-out",
        path("\(name).crt"),
      ]
    )
    guard made.status == 0 else { throw Program.Failure(message: made.errors) }
    let joined = "cat '\(path(name)).key' '\(path(name)).crt' > '\(path(name)).pem'"
    _ = try Program(in: directory).run(program: "/bin/sh", ["-c", joined])
  }

  /// Starts `openssl s_server`, which answers each path with the file of that name. The file contains header and
  /// body.
  func serveFiles(_ extra: [String] = []) throws {
    try start { [Tool.openssl, "s_server", "-accept", "127.0.0.1:\($0)", "-HTTP"] + certificate + extra }
  }

  /// Starts `openssl s_server` as a bare TLS connection that offers HTTP/2. It forwards its standard input to the
  /// client.
  func serveFrames() throws -> RunningProgram {
    try start {
      [Tool.openssl, "s_server", "-accept", "127.0.0.1:\($0)", "-quiet", "-alpn", "h2"] + certificate
    }
    guard let running else { throw Program.Failure(message: "not started") }
    return running
  }

  /// Starts nginx with HTTP/2, which answers every path with `body`.
  func serveHTTP2(_ body: String) throws {
    try start { port in
      directory.write(
        """
        worker_processes 1; pid \(path("pid")); error_log \(path("log")); daemon off; master_process off;
        events { worker_connections 64; }
        http {
          access_log off; default_type application/rss+xml;
          client_body_temp_path \(path("a")); proxy_temp_path \(path("b"));
          fastcgi_temp_path \(path("c")); uwsgi_temp_path \(path("d")); scgi_temp_path \(path("e"));
          server {
            listen 127.0.0.1:\(port) ssl http2;
            ssl_certificate \(path("server.crt")); ssl_certificate_key \(path("server.key"));
            location / { return 200 "\(body)"; }
          }
        }
        """,
        to: "nginx.conf"
      )
      return [Tool.nginx, "-p", directory.path, "-c", path("nginx.conf")]
    }
  }

  private var certificate: [String] { ["-cert", path("server.pem"), "-key", path("server.pem")] }

  private func start(_ words: (UInt16) -> [String]) throws {
    var program = Program(in: directory)
    program.executable = "/bin/sh"
    var said = ""
    for _ in 1...5 {
      if Self.isListening(port) { port = try UnusedPort.next() }
      // `s_server` serves its working directory.
      let running = try program.start(["-c", "cd \"$0\" && exec \"$@\"", directory.path] + words(port))
      // `s_server` accepts one connection at a time, so do not test it by connecting.
      let isListening = running.wait { _ in Self.isListening(self.port) }
      // A server whose port was taken ends at once, and the listening process is another one.
      if isListening, !running.hasEnded {
        self.running = running
        return
      }
      said += running.output + running.errors
      port = try UnusedPort.next()
    }
    throw Program.Failure(message: said)
  }

  private static func isListening(_ port: UInt16) -> Bool {
    guard let file = fopen("/proc/net/tcp", "r") else { return false }
    defer { fclose(file) }
    let wanted = "0100007F:" + String(port, radix: 16, uppercase: true).leftPadded(4)
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, 512, file) != nil {
      let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        .split(separator: " ")
      if words.count > 3, words[1] == wanted, words[3] == "0A" { return true }
    }
    return false
  }
}

extension String {
  fileprivate func leftPadded(_ width: Int) -> String {
    String(repeating: "0", count: max(0, width - count)) + self
  }
}
