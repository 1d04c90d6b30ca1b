import Modules
public import NewsCore
import NewsFormats
import NewsText
import NewsToolbox

/// newsd's own HTTP API: the formats of the command line, the change log, saved searches as feeds, marks and ingestion.
public struct OwnAPI: Sendable {
  /// The ports that it needs from the store.
  public typealias Store = ItemReading & ItemMarking & ChangeReading & FeedChangeReading & SavedSearchKeeping
    & FeedReading

  let store: any Store
  let ingestion: ItemIngestion
  let richText: any RichTextRendering
  let clock: any WallClock
  /// Waits between two looks at the change log.
  let pause: @Sendable () async throws -> Void

  public init(
    store: any Store,
    ingestion: ItemIngestion,
    richText: any RichTextRendering,
    clock: any WallClock,
    pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(500)) }
  ) {
    self.store = store
    self.ingestion = ingestion
    self.richText = richText
    self.clock = clock
    self.pause = pause
  }

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
      handler: OwnHandler(endpoint: endpoint)
    )
  }

  var filters: FilterResolver { FilterResolver(feeds: store, searches: store, clock: clock) }

  /// The output of a format as programs get it: wide, without colour, in UTC.
  var terminal: Terminal { Terminal(showsAges: false, now: clock.now()) }
}

/// Answers the requests of one endpoint.
protocol OwnEndpoint: Sendable {
  func answer(_ request: HTTPRequest) async throws -> HTTPReply
}

/// Errors are JSON objects with one member, `error`.
private struct OwnHandler: HTTPHandling {
  let endpoint: any OwnEndpoint

  func reply(to request: HTTPRequest) async -> HTTPReply {
    do {
      return try await endpoint.answer(request)
    } catch {
      let (status, message) = SyncReply.failure(error)
      let reply = SyncReply.json(status) { json in
        json.beginObject()
        json.field("error", message)
        json.endObject()
      }
      return status == 503 ? reply.with("Retry-After", "5") : reply
    }
  }
}
