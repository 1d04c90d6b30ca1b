import Foundation
import NewsNetwork
import NewsCore
import TestServer
import TestSupport
import Testing

/// A server program for one test, with its own temporary folder. `stop` ends the program and deletes the folder.
private final class ServingProgram {
  let folder: URL
  private var process: ChildProcess?

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "newsd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Creates a self-signed certificate and its key in `NAME.pem`.
  func makeCertificate(_ name: String, subject: String, alternatives: String) throws {
    let arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
      "-subj", "/CN=\(subject)", "-addext", "subjectAltName=\(alternatives)", "-keyout", path("\(name).key"),
      "-out", path("\(name).crt"),
    ]
    try ChildProcess(Tool.openssl, arguments).wait()
    let pem = try ["key", "crt"].map { try String(contentsOfFile: path("\(name).\($0)"), encoding: .utf8) }
    try write(pem.joined(), to: "\(name).pem")
  }

  func start(_ tool: String, _ arguments: [String]) throws {
    // `s_server` serves the files of its working directory.
    process = try ChildProcess("/bin/sh", ["-c", "cd \"$0\" && exec \"$@\"", folder.path, tool] + arguments)
  }

  /// Starts `openssl s_server`, which sends the folder's files as complete responses. Returns its port.
  func startTLS(_ extra: [String] = []) async throws -> UInt16 {
    let port = try UnusedPort.next()
    try start(
      Tool.openssl,
      [
        "s_server", "-accept", "127.0.0.1:\(port)", "-cert", path("server.pem"), "-key", path("server.pem"),
        "-HTTP",
      ]
        + extra
    )
    let fetcher = CurlFetcher.forTests()
    try await eventually {
      await fetcher.failure(FetchRequest(url: "https://127.0.0.1:\(port)/none"))?.code != .refused
    }
    return port
  }

  func stop() {
    process?.kill()
    try? FileManager.default.removeItem(at: folder)
  }
}

private enum Tool {
  static let openssl = find("openssl")
  static let nginx = find("nginx")

  static func find(_ name: String) -> String {
    ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? ""
  }
}

@Suite(.enabled(if: !Tool.openssl.isEmpty, "openssl is not installed"), .timeLimit(.minutes(5)))
struct `TLS` {
  private func withTLS(
    names: String = "DNS:localhost,IP:127.0.0.1",
    client: Bool = false,
    _ body: (ServingProgram, String) async throws -> Void
  ) async throws {
    let program = try ServingProgram()
    defer { program.stop() }
    try program.makeCertificate("server", subject: "localhost", alternatives: names)
    try program.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 6\r\n\r\nsecure", to: "feed")
    var extra: [String] = []
    if client {
      try program.makeCertificate("client", subject: "reader", alternatives: "DNS:reader")
      extra = ["-Verify", "1", "-verify_return_error", "-CAfile", program.path("client.crt")]
    }
    let port = try await program.startTLS(extra)
    try await body(program, "https://127.0.0.1:\(port)")
  }

  private func request(_ url: String, _ change: (inout FeedSettings) -> Void = { _ in }) -> FetchRequest {
    var request = FetchRequest(url: url)
    change(&request.settings)
    return request
  }

  @Test func `The error for a certificate of an unknown authority mentions the certificate`() async throws {
    try await withTLS { _, origin in
      let error = await CurlFetcher.forTests().failure(request(origin + "/feed"))
      #expect(error?.code == .tls)
      #expect(error?.message.contains("certificate") == true)
    }
  }

  @Test func `A feed's own authority is trusted for that feed only`() async throws {
    try await withTLS { program, origin in
      let fetcher = CurlFetcher.forTests()
      let response = try await fetcher.fetch(
        request(origin + "/feed") { $0.certificateAuthority = program.path("server.crt") }
      )
      #expect(response.text == "secure")
      #expect(await fetcher.failure(request(origin + "/feed"))?.code == .tls)
    }
  }

  @Test func `Verification can be disabled for one feed`() async throws {
    try await withTLS { _, origin in
      let fetcher = CurlFetcher.forTests()
      let response = try await fetcher.fetch(request(origin + "/feed") { $0.verifiesTLS = false })
      #expect(response.text == "secure")
      #expect(await fetcher.failure(request(origin + "/feed"))?.code == .tls)
    }
  }

  @Test func `A certificate for another name is a TLS error`() async throws {
    try await withTLS(names: "DNS:other.example") { program, origin in
      let error = await CurlFetcher.forTests().failure(
        request(origin + "/feed") { $0.certificateAuthority = program.path("server.crt") }
      )
      #expect(error?.code == .tls)
    }
  }

  @Test func `The error for a missing authority file names the file`() async throws {
    try await withTLS { _, origin in
      let error = await CurlFetcher.forTests().failure(
        request(origin + "/feed") { $0.certificateAuthority = "/nonexistent/ca.pem" }
      )
      #expect(error?.code == .tls)
      #expect(error?.message.contains("/nonexistent/ca.pem") == true)
    }
  }

  @Test func `A feed's client certificate is sent`() async throws {
    try await withTLS(client: true) { program, origin in
      let fetcher = CurlFetcher.forTests { $0.certificateAuthority = program.path("server.crt") }
      let response = try await fetcher.fetch(
        request(origin + "/feed") { $0.clientCertificate = program.path("client.pem") }
      )
      #expect(response.text == "secure")
      #expect(await fetcher.failure(request(origin + "/feed")) != nil)
    }
  }

  @Test func `A redirect from https to http is rejected unless downgrades are allowed`() async throws {
    try await withServer { plain in
      try await withTLS { program, origin in
        plain.on("/feed", .ok("in the clear"))
        try program.write(
          "HTTP/1.1 301 Moved\r\nLocation: \(plain.url("/feed"))\r\nContent-Length: 0\r\n\r\n",
          to: "down"
        )
        let fetcher = CurlFetcher.forTests { $0.certificateAuthority = program.path("server.crt") }
        let error = await fetcher.failure(FetchRequest(url: origin + "/down"))
        #expect(error?.code == .downgradeRefused)
        #expect(plain.requests.isEmpty)
        let response = try await fetcher.fetch(
          FetchRequest(url: origin + "/down", limits: .with { $0.allowsDowngrade = true })
        )
        #expect(response.text == "in the clear")
      }
    }
  }
}

@Suite(
  .enabled(if: !Tool.openssl.isEmpty && !Tool.nginx.isEmpty, "nginx or openssl is not installed"),
  .timeLimit(.minutes(5))
)
struct `HTTP/2` {
  @Test func `Requests to one host share a connection`() async throws {
    let program = try ServingProgram()
    defer { program.stop() }
    try program.makeCertificate("server", subject: "localhost", alternatives: "IP:127.0.0.1")
    let port = try UnusedPort.next()
    try program.write(
      """
      worker_processes 1; pid \(program.path("pid")); error_log \(program.path("log")); daemon off; master_process off;
      events { worker_connections 64; }
      http {
        access_log off;
        client_body_temp_path \(program.path("a")); proxy_temp_path \(program.path("b"));
        fastcgi_temp_path \(program.path("c")); uwsgi_temp_path \(program.path("d")); scgi_temp_path \(program.path("e"));
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate \(program.path("server.crt")); ssl_certificate_key \(program.path("server.key"));
          location / { return 200 "$server_protocol $connection"; }
        }
      }
      """,
      to: "nginx.conf"
    )
    try program.start(Tool.nginx, ["-p", program.folder.path, "-c", program.path("nginx.conf")])
    let fetcher = CurlFetcher.forTests { $0.certificateAuthority = program.path("server.crt") }
    var first: FetchResponse?
    try await eventually {
      first = try? await fetcher.fetch(FetchRequest(url: "https://127.0.0.1:\(port)/"))
      return first != nil
    }
    #expect(first?.text.hasPrefix("HTTP/2.0 ") == true)
    let fresh = CurlFetcher.forTests {
      $0.certificateAuthority = program.path("server.crt")
      // Reuse handles of multiplexed transfers.
      $0.requestsPerSite = 2
    }
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for n in 0..<20 {
        group.addTask { try await fresh.fetch(FetchRequest(url: "https://127.0.0.1:\(port)/\(n)")).text }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    // All responses report the same protocol and the same connection.
    #expect(answers.count == 1)
  }
}
