import NewsCore
import Synchronization
import Testing

@Suite struct `Servers that items are imported from` {
  /// The feeds of a server, an answer with one item, and the one at the end.
  private static func answers(_ api: ServerAPI) -> (feeds: [String], item: String, end: String) {
    switch api {
    case .greader:
      (
        ["Auth=token", #"{"subscriptions":[{"id":"feed/1","url":"https://n.example/feed"}]}"#],
        #"{"items":[{"id":"1","origin":{"streamId":"feed/1"}}],"continuation":"2"}"#, #"{"items":[]}"#
      )
    case .miniflux:
      (
        [#"[{"id":1,"feed_url":"https://n.example/feed"}]"#], #"{"entries":[{"id":1,"feed_id":1}]}"#,
        #"{"entries":null}"#
      )
    case .fever:
      (
        [#"{"auth":1,"groups":[],"feeds":[{"id":1,"url":"https://n.example/feed"}]}"#],
        #"{"auth":1,"items":[{"id":1,"feed_id":1}]}"#, #"{"auth":1,"items":[]}"#
      )
    }
  }

  private func server(_ api: ServerAPI, _ answers: [String]) -> any ItemServer {
    let requests = ServerRequests(poster: Answers(answers), reach: .publicOnly)
    return api.server(
      at: "https://old.example/",
      ServerCredentials(user: "me", password: "secret"),
      requests
    )
  }

  @Test(arguments: ServerAPI.allCases) func `An import ends after an answer without items`(_ api: ServerAPI)
    async throws
  {
    let answers = Self.answers(api)
    var server = server(api, answers.feeds + [answers.item, answers.end])
    #expect(try await server.feeds().map(\.feed.url) == ["https://n.example/feed"])
    #expect(try await server.nextItems()?.count == 1)
    let last = try await server.nextItems()
    #expect(last?.isEmpty ?? true)
    #expect(try await server.nextItems() == nil)
  }

  @Test(arguments: ServerAPI.allCases) func `An answer without the list that it must have is not the end`(
    _ api: ServerAPI
  ) async throws {
    let answers = Self.answers(api)
    for bad in ["{}", #"{"auth":1}"#, #"{"auth":1,"items":{},"entries":"1"}"#, #"{"auth":1,"entries":[{}]}"#]
    {
      var server = server(api, answers.feeds + [answers.item, bad])
      _ = try await server.feeds()
      _ = try await server.nextItems()
      await #expect(throws: ServerError.self, "\(bad)") { _ = try await server.nextItems() }
      var other = self.server(api, answers.feeds.dropLast() + [bad])
      await #expect(throws: ServerError.self, "\(bad)") { _ = try await other.feeds() }
    }
  }
}

@Suite struct `Groups of a Fever server` {
  @Test(arguments: [("1", "News"), (String(repeating: "2,", count: 100_000) + "1", nil)])
  func `The first hundred thousand members of groups count`(_ ids: String, _ folder: String?) async throws {
    let answer = """
      {"auth":1,"groups":[{"id":1,"title":"News"}],"feeds_groups":[{"group_id":1,"feed_ids":"\(ids)"}],
        "feeds":[{"id":1,"url":"https://n.example/feed"}]}
      """
    let requests = ServerRequests(poster: Answers([answer]), reach: .publicOnly)
    var server = ServerAPI.fever.server(
      at: "https://old.example/",
      ServerCredentials(user: "me", password: "secret"),
      requests
    )
    #expect(try await server.feeds().map(\.feed.folder) == [folder])
  }
}

/// Gives one answer after the other, and the last one for ever.
private final class Answers: BodyPosting {
  private let rest: Mutex<[String]>

  init(_ answers: [String]) { rest = Mutex(answers) }

  func get(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    let body = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    return FetchResponse(
      status: 200,
      headers: [],
      body: Array(body.utf8),
      url: request.url,
      received: Timestamp(seconds: 0)
    )
  }

  func post(raw bytes: [UInt8], _ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    try await get(request)
  }
}
