import Glibc
import TestSupport
import Testing
import TestServer

@Suite(.blocking) struct `Health and metrics` {
  private let directory = TemporaryDirectory()
  private let server: TestServer
  private var newsd: Program { Program(in: directory) }

  init() throws {
    server = try TestServer()
    server.on("/feed", .ok(Sample.rss(["First"])))
  }

  @Test func `Without a daemon or a store the verdict is critical, and with both it is good`() throws {
    let missing = try newsd.run("status", "--health")
    #expect(missing.status == 2)
    #expect(missing.output.contains("CRITICAL") && missing.output.contains("there is no store"))
    #expect(try newsd.run("feeds", "add", server.url("/feed")).status == 0)
    let idle = try newsd.run("status", "--health")
    #expect(idle.status == 2)
    #expect(idle.output.hasPrefix("newsd CRITICAL: no daemon runs on the store\n"), "\(idle.output)")
    let daemon = try newsd.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=schedule") })
    let good = try newsd.run("status", "--health", "--format", "tsv", "--fields", "health,daemon_pid,overdue")
    #expect(good.status == 0)
    #expect(good.output == "good\t\(daemon.pid)\t0\n")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
  }

  @Test func `A file that is not a store makes health critical and is not changed`() throws {
    let text = String(repeating: "no store ", count: 1000)
    directory.write(text, to: "newsd.db")
    let result = try newsd.run("status", "--health")
    #expect(result.status == 2)
    #expect(result.output.contains("CRITICAL"))
    #expect(try newsd.run(program: "cat", [directory.path + "/newsd.db"]).output == text)
  }

  @Test func `Each metric has a HELP and a TYPE line, and the exit status is 0 even if health is critical`()
    throws
  {
    #expect(try newsd.run("feeds", "add", server.url("/feed")).status == 0)
    let result = try newsd.run("status", "--format", "prometheus")
    #expect(result.status == 0)
    let names = result.lines.filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != " " && $0 != "{" } }
    for name in Set(names) {
      #expect(result.output.contains("# HELP \(name) "))
      #expect(result.output.contains("# TYPE \(name) gauge\n"))
    }
    #expect(result.lines.contains("newsd_health 2"))
    #expect(result.lines.contains("newsd_daemon_up 0"))
    #expect(result.lines.contains("newsd_items 1"))
    #expect(result.lines.contains("newsd_feeds_failing{kind=\"http_5xx\"} 0"))
    #expect(result.lines.contains { $0.hasPrefix("newsd_store_bytes ") })
    #expect(try newsd.run("list", "--format", "prometheus").status == 64)
    #expect(try newsd.run("status", "--health", "--failing").status == 64)
  }
}
