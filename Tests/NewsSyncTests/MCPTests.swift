@testable import NewsHTTP
import Modules
import NewsCore
import NewsSQLite
import NewsStoresShared
import NewsToolbox
import Synchronization
import Testing

@testable import NewsSync

@Suite struct `The Model Context Protocol` {
  private func ask(_ server: MCPServer, _ message: String) async -> JSONValue? {
    await server.answer(Array(message.utf8)).flatMap { JSONValue(valid: String(decoding: $0, as: UTF8.self)) }
  }

  private func call(_ server: MCPServer, _ tool: String, _ arguments: String) async -> (
    JSONValue, isError: Bool
  ) {
    let message = """
      {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\(tool)","arguments":\(arguments)}}
      """
    let answer = await ask(server, message)
    let text = answer?["result"]?["content"]?.array?.first?["text"]?.string ?? ""
    return (JSONValue(valid: text) ?? .string(text), answer?["result"]?["isError"]?.bool ?? true)
  }

  @Test(arguments: [("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("2099-01-01", "2025-11-25")])
  func `A client and the server agree on a version`(_ wanted: String, _ spoken: String) async throws {
    let server = try await SyncFixture().mcp(writes: false)
    let message = """
      {"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"\(wanted)","capabilities":{},
      "clientInfo":{"name":"test","version":"1"}}}
      """
    let answer = await ask(server, message)
    #expect(answer?["id"]?.string == "a")
    #expect(answer?["result"]?["protocolVersion"]?.string == spoken)
    #expect(answer?["result"]?["capabilities"]?["tools"] != nil)
    #expect(
      await server.answer(Array("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}".utf8)) == nil
    )
  }

  @Test func `Tools that change the store are offered only if they are allowed`() async throws {
    let fixture = try await SyncFixture()
    for writes in [false, true] {
      let answer = await ask(
        fixture.mcp(writes: writes),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"
      )
      let tools = answer?["result"]?["tools"]?.array ?? []
      let names = tools.compactMap { $0["name"]?.string }
      #expect(
        names == ["search", "list", "show", "feeds", "status"]
          + (writes ? ["mark", "label", "subscribe"] : [])
      )
      #expect(tools.allSatisfy { $0["inputSchema"]?["type"]?.string == "object" })
    }
    let refused = await ask(
      fixture.mcp(writes: false),
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"mark\",\"arguments\":{}}}"
    )
    #expect(refused?["error"]?["code"]?.integer == -32602)
  }

  @Test func `The tools read and change the store`() async throws {
    let fixture = try await SyncFixture()
    let server = fixture.mcp(writes: true)
    let found = await call(server, "search", "{\"query\":\"subject\",\"limit\":3}")
    #expect(found.0["items"]?.array?.count == 3)
    let next = try #require(found.0["next_before"]?.integer)
    let more = await call(server, "search", "{\"query\":\"subject\",\"limit\":50,\"before\":\(next)}")
    #expect(more.0["items"]?.array?.count == 9)
    #expect(more.0["next_before"] == nil)
    let marked = await call(server, "mark", "{\"ids\":[1,99],\"state\":\"read\"}")
    #expect(marked.0["marked"]?.integer == 1)
    #expect(await call(server, "list", "{\"unread\":true,\"feed\":1}").0["items"]?.array?.count == 3)
    let shown = await call(server, "show", "{\"id\":1,\"max_chars\":4}")
    #expect(shown.0["text"]?.string == "Text")
    #expect(shown.0["next_offset"]?.integer == 4)
    #expect(await call(server, "feeds", "{}").0["total"]?.integer == 3)
    #expect(await call(server, "status", "{}").0["unread"]?.integer == 11)
    let added = await call(server, "subscribe", "{\"url\":\"http://feeds.example/x\"}")
    #expect(added.0["feed_id"]?.integer == 4)
  }

  @Test(arguments: [
    ("search", "{}"), ("search", "{\"query\":\"is:nonsense\"}"), ("show", "{\"id\":99}"), ("show", "{}"),
    ("mark", "{\"ids\":[],\"state\":\"read\"}"), ("mark", "{\"ids\":[1],\"state\":\"x\"}"),
    ("subscribe", "{\"url\":\"exec:true\"}"), ("list", "{\"since\":\"nonsense\"}"),
  ])
  func `A tool call that fails returns an error with a text`(_ tool: String, _ arguments: String) async throws
  {
    let answer = await call(try await SyncFixture().mcp(writes: true), tool, arguments)
    #expect(answer.isError)
    #expect(answer.0.string?.isEmpty == false)
  }

  @Test func `A model's subscription reaches public and listed addresses only, whatever else is allowed`()
    async throws
  {
    let fixture = try await SyncFixture()
    let server = fixture.mcp(writes: true)
    let (answer, isError) = await call(server, "subscribe", "{\"url\":\"http://feeds.example/local\"}")
    #expect(!isError, "\(answer)")
    #expect(FakeFetcher.reaches.withLock { $0["http://feeds.example/local"] } == .listedOnly)
    withExtendedLifetime(fixture) {}
  }

  @Test func `A page with several feeds is answered with them, and one is added when it is named`()
    async throws
  {
    let fixture = try await SyncFixture()
    let server = fixture.mcp(writes: true)
    let page = "{\"url\":\"http://pages.example/several\"}"
    let (answer, isError) = await call(server, "subscribe", page)
    #expect(!isError, "\(answer)")
    let candidates = try #require(answer["candidates"]?.array)
    let urls = ["http://feeds.example/several-news", "http://feeds.example/several-events"]
    #expect(candidates.map { $0["url"]?.string } == urls)
    #expect(candidates.map { $0["title"]?.string } == ["New feed", "New feed"])
    #expect(candidates.first?["rate"]?.string == "1 item without times")
    #expect(candidates.first?["newest"]?.array?.map(\.string) == ["One"])
    #expect(candidates.first?["feed_id"] == nil)
    #expect(try await fixture.store.feeds().count == 3)
    let reaches = FakeFetcher.reaches.withLock { $0 }
    #expect((urls + ["http://pages.example/several"]).allSatisfy { reaches[$0] == .listedOnly })
    #expect(await call(server, "subscribe", "{\"url\":\"\(urls[1])\"}").0["feed_id"]?.integer == 4)
    let again = await call(server, "subscribe", page).0["candidates"]?.array ?? []
    #expect(again.map { $0["feed_id"]?.integer } == [nil, 4])
    withExtendedLifetime(fixture) {}
  }

  @Test(arguments: [
    ("nonsense", -32700), ("[]", -32600), ("1", -32600), ("{\"id\":1,\"method\":\"ping\"}", -32600),
    ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nonsense\"}", -32601),
    ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}", -32602),
  ])
  func `Invalid messages get the protocol's errors`(_ message: String, _ code: Int64) async throws {
    let answer = await ask(try await SyncFixture().mcp(writes: false), message)
    #expect(answer?["error"]?["code"]?.integer == code)
  }

  @Test func `Each complete line is answered, in whatever pieces the input arrives`() async throws {
    let text = """
      {"jsonrpc":"2.0","id":1,"method":"ping"}

      {"jsonrpc":"2.0","method":"notifications/x"}
      {"jsonrpc":"2.0","id":2,"method":"ping"}
      """
    let pieces = Mutex(text.utf8.map { [$0] }[...])
    let output = Mutex<[UInt8]>([])
    let server = try await SyncFixture().mcp(writes: false)
    try await MCPLines(server: server) {
      pieces.withLock { $0.popFirst() }
    } write: { bytes in
      output.withLock { $0 += bytes }
    }
    .run()
    let lines = String(decoding: output.withLock { $0 }, as: UTF8.self).split(separator: "\n")
    #expect(
      lines == [
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}",
      ]
    )
  }

  @Test func `Over HTTP, requests with unknown versions are refused`() async throws {
    let server = try await SyncFixture().mcp(writes: false)
    func status(_ fields: [(name: String, value: String)], _ body: String) async -> Int {
      await MCPEndpoint(server: server).reply(
        to: HTTPRequest(method: .post, path: ["mcp"], fields: HTTPFields(fields), body: Array(body.utf8))
      ).status
    }
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
    #expect(await status([], ping) == 200)
    #expect(await status([("MCP-Protocol-Version", "2025-06-18")], ping) == 200)
    #expect(await status([("MCP-Protocol-Version", "1999-01-01")], ping) == 400)
    #expect(await status([], "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}") == 202)
  }
}
