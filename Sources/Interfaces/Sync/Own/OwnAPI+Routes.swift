public import NewsHTTP
import NewsToolbox

extension OwnAPI {
  public var routes: [WebRoute] {
    [
      route(["api", "items"], [.get], ItemsEndpoint(api: self)),
      route(["api", "changes"], [.get], ChangesEndpoint(api: self)),
      route(["api", "follow"], [.get], FollowEndpoint(api: self)),
      route(["api", "marks"], [.post], body: 4 << 20, MarksEndpoint(api: self)),
      route(["api", "ingest"], [.post], body: 32 << 20, IngestEndpoint(api: self)),
      route(["q"], [.get], isExact: false, SavedSearchEndpoint(api: self)),
    ]
  }

  private func route(
    _ path: [String],
    _ methods: [HTTPMethod],
    isExact: Bool = true,
    body: Int = 0,
    _ endpoint: any OwnEndpoint
  ) -> WebRoute {
    WebRoute(
      api: "newsd",
      path: path,
      isExact: isExact,
      methods: methods,
      bodyLimit: body,
      access: .appPassword(),
      foreign: .withToken,
      handler: OwnHandler(endpoint: endpoint)
    )
  }
}

/// Answers the requests of newsd's own API. Errors are JSON objects with one member, `error`.
private struct OwnHandler: HTTPHandling {
  let endpoint: any OwnEndpoint

  func reply(to request: HTTPRequest) async -> HTTPReply {
    do {
      return try await endpoint.answer(request)
    } catch {
      let (status, message) = SyncReply.failure(error)
      let reply = SyncReply.object(status) { json in
        json.field("error", message)
      }
      return status == 503 ? reply.with("Retry-After", "5") : reply
    }
  }
}
