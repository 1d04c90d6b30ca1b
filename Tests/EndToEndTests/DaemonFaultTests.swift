import Glibc
import TestSupport
import Testing
import TestServer

/// The daemon's behaviour when its surroundings fail.
@Suite(.blocking) struct `A daemon under adverse conditions` {
  private let directory = TemporaryDirectory()
  private let server: TestServer
  private var newsd: Program { Program(in: directory) }
  private var store: String { directory.path + "/newsd.db" }

  init() throws {
    server = try TestServer()
    server.on("/feed", .ok(Sample.rss(["First"])), .ok(Sample.rss(["Second", "First"])))
  }

  private func started(serving: Bool = false) throws -> RunningProgram {
    #expect(try newsd.run("feeds", "add", server.url("/feed")).status == 0)
    let environment = serving ? ["NEWSD_WEB_LISTEN": "127.0.0.1:0"] : [:]
    let daemon = try Program(in: directory, environment: environment).start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=schedule") }, "\(daemon.errors)")
    return daemon
  }

  @Test func `The daemon exits with 74 when its store is deleted`() throws {
    let daemon = try started()
    for ending in ["", "-wal", "-shm"] { unlink(store + ending) }
    let result = try daemon.finish(seconds: 30)
    #expect(result.status == 74)
    #expect(result.errors.contains("was deleted while newsd was running"), "\(result.errors)")
    #expect(access(store, F_OK) != 0)
  }

  @Test func `A replaced store is reopened, and its feeds are polled`() throws {
    let copy = directory.path + "/copy.db"
    server.on("/other", .ok(Sample.rss(["Other"])))
    #expect(try newsd.run("--db", copy, "feeds", "add", server.url("/other")).status == 0)
    let daemon = try started()
    for ending in ["-wal", "-shm"] { unlink(store + ending) }
    rename(copy, store)
    #expect(daemon.wait(seconds: 30) { $0.errors.contains("reopened=") }, "\(daemon.errors)")
    daemon.send(signal: SIGUSR1)
    let server = server
    #expect(daemon.wait { _ in server.requests(to: "/other").count == 2 }, "\(daemon.errors)")
    #expect(server.requests(to: "/feed").count == 1)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
    #expect(try newsd.run("check").status == 0)
  }

  @Test func `A restore in the first seconds of the daemon is noticed`() throws {
    let copy = directory.path + "/copy.db"
    server.on("/other", .ok(Sample.rss(["Other"])))
    #expect(try newsd.run("--db", copy, "feeds", "add", server.url("/other")).status == 0)
    let daemon = try started()
    #expect(try newsd.run("restore", copy).status == 0)
    #expect(daemon.wait(seconds: 30) { $0.errors.contains("reopened=") }, "\(daemon.errors)")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
  }

  @Test func `A backup that is copied over the store in use is opened, and the store passes check`() throws {
    let backup = directory.path + "/backup.db"
    let daemon = try started()
    #expect(try newsd.run("backup", backup).status == 0)
    daemon.send(signal: SIGUSR1)
    let (server, newsd) = (server, newsd)
    let isStored = daemon.wait { _ in (try? newsd.run("list").output.contains("Second")) == true }
    #expect(isStored, "\(daemon.errors)")
    #expect(try newsd.run(program: "cp", [backup, store]).status == 0)
    #expect(daemon.wait(seconds: 30) { $0.errors.contains("reopened=") }, "\(daemon.errors)")
    #expect(access(store + "-wal.1", F_OK) == 0)
    daemon.send(signal: SIGUSR1)
    #expect(daemon.wait { _ in server.requests(to: "/feed").count == 3 }, "\(daemon.errors)")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
    #expect(try newsd.run("check").status == 0)
  }

  @Test
  func `A store that cannot grow pauses polling, /ready says so, and fetched items are stored afterwards`()
    throws
  {
    let daemon = try started(serving: true)
    #expect(daemon.wait { $0.errors.contains("event=web listen=") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web listen=") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    func isReady(_ status: Int) -> Bool {
      daemon.wait { _ in (try? Client.send("GET", "http://127.0.0.1:\(port)/ready").status) == status }
    }
    #expect(isReady(200), "\(daemon.errors)")
    let limit = ["--pid", "\(daemon.pid)", "--fsize=4096:unlimited"]
    #expect(try newsd.run(program: "prlimit", limit).status == 0)
    daemon.send(signal: SIGUSR1)
    #expect(daemon.wait { $0.errors.contains("level=error event=store") }, "\(daemon.errors)")
    #expect(server.requests(to: "/feed").count == 2)
    #expect(isReady(503))
    // Polls requested while the store is unwritable wait for it.
    daemon.send(signal: SIGUSR1)
    #expect(daemon.wait { $0.errors.split(separator: "\n").count { $0.contains("event=poll-now") } == 2 })
    #expect(try newsd.run(program: "prlimit", ["--pid", "\(daemon.pid)", "--fsize=unlimited"]).status == 0)
    #expect(daemon.wait(seconds: 40) { $0.errors.contains("event=store-up") }, "\(daemon.errors)")
    #expect(isReady(200))
    #expect(try newsd.run("list", "--format", "tsv").lines.count == 2)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
    #expect(try newsd.run("check").status == 0)
  }

  @Test func `A SIGTERM that waits when newsd run begins is a clean stop`() throws {
    let directory = TemporaryDirectory()
    let script = #"kill -TERM $$; exec "$0" run"#
    let result = try Program(in: directory).run(
      program: "env",
      ["--block-signal=TERM", "sh", "-c", script, Program.path]
    )
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("event=stop"), "\(result.errors)")
    // Commands that handle no signals end by it.
    let other = try Program(in: directory).run(
      program: "env",
      ["--block-signal=TERM", "sh", "-c", #"kill -TERM $$; exec "$0" version"#, Program.path]
    )
    #expect(other.status == 128 + SIGTERM)
  }

  @Test func `A low limit on open files leaves fewer connections of the web server, as the log says`() throws
  {
    let newsd = Program(in: directory, environment: ["NEWSD_WEB_LISTEN": "127.0.0.1:0"])
    #expect(try newsd.run("feeds", "add", server.url("/feed")).status == 0)
    var env = newsd
    env.executable = "/usr/bin/env"
    let daemon = try env.start(["sh", "-c", #"ulimit -n 256; exec "$0" run"#, Program.path])
    #expect(daemon.wait { $0.errors.contains("event=schedule") }, "\(daemon.errors)")
    #expect(daemon.errors.contains("only 69 of 1024 connections (web.connections)"), "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("port=") })
    let word = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") })
    let port = try #require(UInt16(word.dropFirst(5)))
    let silent = (0..<300).map { _ in Loopback.attempt(port) }
    defer { for socket in silent { close(socket) } }
    let files = "/proc/\(daemon.pid)/fd"
    #expect(daemon.wait { _ in (try? newsd.run(program: "ls", [files]).lines.count) ?? 0 > 69 })
    // Polls and the store have the descriptors that they need.
    daemon.send(signal: SIGUSR1)
    let server = server
    #expect(daemon.wait { _ in server.requests(to: "/feed").count == 2 }, "\(daemon.errors)")
    daemon.send(signal: SIGTERM)
    let result = try daemon.finish()
    #expect(!result.errors.contains("Too many open files"), "\(result.errors)")
  }

  @Test func `A stalled reader of the log delays neither polling nor a stop by SIGTERM`() throws {
    #expect(try newsd.run("feeds", "add", server.url("/feed")).status == 0)
    let pipe = directory.path + "/log"
    mkfifo(pipe, 0o600)
    let descriptor = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    defer { close(descriptor) }
    // Fill the pipe before the daemon starts.
    let block = [UInt8](repeating: UInt8(ascii: "."), count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    var shell = newsd
    shell.executable = "/bin/sh"
    let daemon = try shell.start(["-c", "exec \"$0\" run -v 2> \"$1\"", Program.path, pipe])
    // The daemon takes its lock after it has installed signal handlers.
    let lock = store + ".lock"
    #expect(daemon.wait { _ in access(lock, F_OK) == 0 })
    let server = server
    for polls in 2...4 {
      let asked = daemon.wait { daemon in
        daemon.send(signal: SIGUSR1)
        return server.requests(to: "/feed").count >= polls
      }
      #expect(asked)
    }
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
    #expect(try newsd.run("list", "--format", "tsv").lines.count == 2)
  }

  @Test func `The daemon refuses to start with too few descriptors`() throws {
    var shell = newsd
    shell.executable = "/bin/sh"
    let result = try shell.run("-c", "ulimit -n 32; exec \"$0\" run", Program.path)
    #expect(result.status == 74)
    #expect(result.errors.contains("needs 64 open files"), "\(result.errors)")
    #expect(result.errors.contains("LimitNOFILE"), "\(result.errors)")
  }

  @Test func `The daemon refuses to start with too little address space`() throws {
    var shell = newsd
    shell.executable = "/bin/sh"
    let result = try shell.run("-c", "ulimit -v 600000; exec \"$0\" run", Program.path)
    #expect(result.status == 70)
    #expect(result.errors.contains("needs 640 MiB of address space"), "\(result.errors)")
  }

  @Test func `Closed standard descriptors are opened on /dev/null`() throws {
    var shell = newsd
    shell.executable = "/bin/sh"
    let script = """
      "$0" feeds add "$1" >/dev/null && exec 3>&1
      "$0" run <&- >&- 2>&- 3>&- &
      pid=$!
      i=0
      until ls /proc/$pid/fd | grep -q '^4$' || [ $((i += 1)) -gt 1000 ]; do sleep 0.05; done
      for n in 0 1 2; do readlink /proc/$pid/fd/$n >&3; done
      kill -TERM $pid; wait $pid
      """
    let result = try shell.run("-c", script, Program.path, server.url("/feed"))
    #expect(result.output == "/dev/null\n/dev/null\n/dev/null\n", "\(result)")
    #expect(result.status == 0)
  }

  @Test func `After SIGHUP the log names the changed keys that need a restart`() throws {
    let path = directory.write("network:\n  concurrency: 5\n", to: "newsd.yaml")
    let daemon = try newsd.start(["--config", path, "run"])
    #expect(daemon.wait { $0.errors.contains("event=start") })
    directory.write("network:\n  concurrency: 6\nlog:\n  format: json\n  level: debug\n", to: "newsd.yaml")
    daemon.send(signal: SIGHUP)
    #expect(
      daemon.wait { $0.errors.contains("event=reload needs_restart=network.concurrency,log.format") },
      "\(daemon.errors)"
    )
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 20).status == 0)
  }

  @Test func `follow obeys SIGTERM when its reader stalls, and ends when its reader exits`() throws {
    let long = String(repeating: "A long text. ", count: 4000)
    let items = (0..<300).map {
      "<item><guid>\($0)</guid><title>T\($0)</title><description>\(long)</description></item>"
    }
    server.on("/long", .ok("<rss version=\"2.0\"><channel><title>L</title>\(items.joined())</channel></rss>"))
    #expect(try newsd.run("feeds", "add", server.url("/long")).status == 0)
    let follower = try newsd.start(["follow", "-n", "300", "--format", "jsonl"])
    // The first output shows that the stream has begun; the rest stays in the full pipe.
    #expect(follower.wait { !$0.output.isEmpty })
    follower.send(signal: SIGTERM)
    #expect(try follower.finish(seconds: 10).status == 0)
    let reader = try newsd.run(program: "sh", ["-c", "\(Program.path) follow -n 2 --format ids | head -n 2"])
    #expect(reader.lines.count == 2)
  }
}
