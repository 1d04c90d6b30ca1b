import Glibc
import TestServer
import TestSupport
import Testing

/// Hooks that are added on the page of a running daemon.
@Suite(.blocking) struct `Hooks of the page of the daemon` {
  private let wire: Wire

  init() throws {
    wire = try Wire()
    wire.environment["NEWSD_WEB_LISTEN"] = "127.0.0.1:0"
  }

  private func start() throws -> (RunningProgram, AccountClient) {
    #expect(try wire.newsd.run(["web", "password"], input: "a long password\n").status == 0)
    let daemon = try wire.newsd.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=start") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web ") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    var client = AccountClient(port: try #require(UInt16(port)))
    #expect(try client.logIn("newsd", "a+long+password") == 303)
    return (daemon, client)
  }

  private func stop(_ daemon: RunningProgram) throws -> Program.Result {
    daemon.send(signal: SIGTERM)
    let result = try daemon.finish(seconds: 30)
    #expect(result.status == 0, "\(result.errors)")
    return result
  }

  private func ingest(_ title: String) throws {
    let line = "{\"id\":\"\(title)\",\"title\":\"\(title)\",\"url\":\"https://example.org/\(title)\"}\n"
    #expect(try wire.newsd.run(["ingest", "--feed", "F"], input: line).status == 0)
  }

  private func post(_ form: String, _ client: AccountClient, password: String = "a+long+password") throws
    -> AccountClient.Answer
  {
    let fields = "csrf=\(try client.formToken())&current=\(password)&\(form)"
    return try client.send("POST", "/hooks", body: fields)
  }

  @Test func `An item reaches a hook that was added on the page, until the hook is removed`() throws {
    wire.server.on("/message", .ok("{}"))
    let (daemon, client) = try start()
    let settings = try client.send("GET", "/settings").body
    #expect(settings.contains("value=\"gotify\"") && !settings.contains("value=\"markdown\""))
    let form = "preset=gotify&name=phone&with-address=\(wire.server.origin)&with-token=t0ken"
    // A wrong password, and a program.
    #expect(try post("do=add&\(form)", client, password: "another+password").status == 403)
    _ = try post("do=add&preset=markdown&name=phone&with-address=x&with-token=x", client)
    #expect(try client.send("GET", "/settings").body.contains("The page has no hook for"))
    #expect(try wire.run("hooks", "--format", "tsv").output == "")

    let added = try post("do=add&\(form)", client)
    #expect(added.status == 303, "\(added.text)")
    let list = try wire.run("hooks").output
    #expect(
      list.hasPrefix("phone  url \(wire.server.origin)  0 pending") && list.contains("from the page (gotify)")
    )
    try ingest("One")
    #expect(daemon.wait { _ in wire.server.count("/message") == 1 }, "\(daemon.errors)")
    let request = try #require(wire.server.requests(to: "/message").first)
    #expect(request.header("X-Gotify-Key") == "t0ken")
    #expect(String(decoding: request.body, as: UTF8.self).contains("\"message\":\"One\""))

    let tested = try post("do=test&name=phone", client)
    #expect(tested.status == 303 && wire.server.count("/message") == 2, "\(tested.text)")
    #expect(try wire.run("hooks", "test", "phone").status == 0)
    #expect(try post("do=change&\(form)-2&query=title:two", client).status == 303)
    try ingest("Three")
    try ingest("Two")
    #expect(daemon.wait { _ in wire.server.count("/message") == 4 }, "\(daemon.errors)")
    #expect(wire.server.requests(to: "/message").last?.header("X-Gotify-Key") == "t0ken-2")

    // A reload keeps it.
    daemon.send(signal: SIGHUP)
    #expect(daemon.wait { $0.errors.contains("event=reload") }, "\(daemon.errors)")
    try ingest("Two again")
    #expect(daemon.wait { _ in wire.server.count("/message") == 5 }, "\(daemon.errors)")

    var shown = try wire.run("hooks", "--format", "jsonl").output + wire.run("support").output
    #expect(shown.contains("\"source\":\"page\""), "\(shown)")
    shown += try client.send("GET", "/settings").body + client.send("GET", "/hooks?name=phone").body
    #expect(try post("do=remove&name=phone", client).status == 303)
    try ingest("Two at last")
    #expect(try wire.run("hooks", "--format", "tsv").output == "")
    shown += try stop(daemon).errors
    #expect(!shown.contains("t0ken"), "\(shown)")
    #expect(wire.server.count("/message") == 5)
  }

  @Test func `A hook is there after a restart, and one of the configuration takes its place`() throws {
    wire.server.on("/message", .ok("{}"))
    let (first, client) = try start()
    let form = "do=add&preset=gotify&name=phone&with-address=\(wire.server.origin)&with-token=t0ken"
    #expect(try post(form, client).status == 303)
    _ = try stop(first)
    try ingest("One")
    let (second, _) = try start()
    #expect(second.wait { _ in wire.server.count("/message") == 1 }, "\(second.errors)")
    _ = try stop(second)
    let path = wire.directory.write("hooks: [{name: phone, exec: ['true']}]\n", to: "newsd.yaml")
    let list = try wire.run("--config", path, "hooks", "--format", "tsv", "--fields", "name,kind,source")
      .output
    #expect(list == "phone\texec\tconfiguration\n")
  }

  @Test func `A private address is refused, and one that the daemon learns later is not asked`() throws {
    wire.environment["NEWSD_ALLOW_PRIVATE"] = nil
    let (daemon, client) = try start()
    let form = "do=add&preset=gotify&name=phone&with-token=t0ken&with-address="
    for address in [
      wire.server.origin, "http://localhost", "http://10.1.2.3/x", "http://[::1]/", "http://nas",
    ] {
      let refused = try post(form + address, client)
      #expect(
        refused.status == 400 && refused.body.contains("need a public address"),
        "\(address): \(refused.text)"
      )
    }
    #expect(try wire.run("hooks", "--format", "tsv").output == "")
    // What an export brings is not asked either.
    let hook = "{\"address\":\"\(wire.server.origin)\",\"token\":\"t0ken\"}".replacing("\"", with: "\\\"")
    let line = "{\"type\":\"page_hook\",\"name\":\"phone\",\"preset\":\"gotify\",\"filled\":\"\(hook)\"}\n"
    var export = try wire.run("export", "--all").output
    export.replace("{\"type\":\"end\"", with: line + "{\"type\":\"end\"")
    let file = wire.directory.write(export, to: "export.jsonl")
    #expect(
      try wire.newsd.run(["--db", wire.directory.path + "/b.db", "import", "--trust", file]).status == 0
    )
    let tested = try wire.newsd.run(["--db", wire.directory.path + "/b.db", "hooks", "test", "phone"])
    #expect(
      tested.status == 69 && tested.errors.contains("set network.allow, or put the hook"),
      "\(tested.errors)"
    )
    #expect(wire.server.count("/message") == 0)
    _ = try stop(daemon)
  }
}
