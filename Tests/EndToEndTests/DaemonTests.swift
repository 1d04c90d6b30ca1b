import Glibc
import TestSupport
import Testing
import TestServer

@Suite(.blocking) struct `Daemon` {
  private let directory = TemporaryDirectory()
  private let server: TestServer
  private var newsd: Program { Program(in: directory) }

  init() throws {
    server = try TestServer()
    server.on("/feed", .ok(Sample.rss(["First"])), .ok(Sample.rss(["Second", "First"])))
  }

  @Test func `The daemon polls on SIGUSR1, logs a line for each refresh, and stops cleanly`() throws {
    #expect(try newsd.run("feeds", "add", server.url("/feed")).status == 0)
    let daemon = try newsd.start(["run", "--log-format", "json"])
    #expect(daemon.wait { $0.errors.contains(#""event":"start""#) }, "\(daemon.errors)")
    daemon.send(signal: SIGUSR1)
    #expect(daemon.wait { $0.errors.contains(#""event":"refresh""#) }, "\(daemon.errors)")
    #expect(try newsd.run("list", "--format", "tsv").lines.count == 2)
    daemon.send(signal: SIGTERM)
    let result = try daemon.finish(seconds: 20)
    #expect(result.status == 0)
    let refresh = result.errors.split(separator: "\n").filter { $0.contains(#""event":"refresh""#) }
    #expect(refresh.count == 1)
    #expect(refresh.first?.contains(#""new":1"#) == true, "\(refresh)")
    #expect(result.errors.contains(#""event":"stop""#))
  }

  @Test func `The daemon has loaded what polls need before it starts`() throws {
    let daemon = try newsd.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=start") }, "\(daemon.errors)")
    let maps = try newsd.run(program: "cat", ["/proc/\(daemon.pid)/maps"]).output
    for library in ["libxml2", "libcurl", "libpsl"] { #expect(maps.contains(library)) }
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
  }

  @Test func `A second daemon on the same store is rejected, and the error names the first`() throws {
    let daemon = try newsd.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=start") })
    let second = try newsd.run("run", seconds: 20)
    #expect(second.status == 73)
    #expect(second.errors.contains("process \(daemon.pid)"))
    daemon.send(signal: SIGINT)
    #expect(try daemon.finish(seconds: 20).status == 0)
    let third = try newsd.start(["run"])
    #expect(third.wait { $0.errors.contains("event=start") })
    third.send(signal: SIGTERM)
    #expect(try third.finish(seconds: 20).status == 0)
  }

  @Test func `SIGHUP reloads the configuration; an invalid one is reported with its file and line`() throws {
    let path = directory.write("poll:\n  minimum_interval: 20m\n", to: "newsd.yaml")
    let daemon = try newsd.start(["--config", path, "run"])
    #expect(daemon.wait { $0.errors.contains("event=start") })
    daemon.send(signal: SIGHUP)
    #expect(daemon.wait { $0.errors.contains("level=info event=reload") }, "\(daemon.errors)")
    directory.write("poll:\n  minimum_intervall: 20m\n", to: "newsd.yaml")
    daemon.send(signal: SIGHUP)
    #expect(daemon.wait { $0.errors.contains("level=error event=reload") }, "\(daemon.errors)")
    #expect(daemon.errors.contains("newsd.yaml:2"))
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
  }

  @Test func `The daemon notifies the service manager that it is ready, alive and stopping`() throws {
    let socket = try NotifySocket(directory.path + "/notify")
    let program = Program(
      in: directory,
      environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "200000"]
    )
    let daemon = try program.start(["run"])
    #expect(socket.wait(for: "READY=1"))
    #expect(socket.wait(for: "WATCHDOG=1"))
    #expect(socket.wait(for: "WATCHDOG=1"))
    daemon.send(signal: SIGTERM)
    #expect(socket.wait(for: "STOPPING=1"))
    #expect(try daemon.finish(seconds: 20).status == 0)
  }

  @Test func `A feed that never answers does not keep the daemon from stopping`() throws {
    server.on("/silent", .ok(Sample.rss(["Once"], title: "Silent")), .neverResponds)
    #expect(try newsd.run("feeds", "add", server.url("/silent")).status == 0)
    let daemon = try newsd.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=start") })
    daemon.send(signal: SIGUSR1)
    let server = server
    #expect(daemon.wait { _ in server.requests(to: "/silent").count == 2 })
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 10).status == 0)
  }
}
