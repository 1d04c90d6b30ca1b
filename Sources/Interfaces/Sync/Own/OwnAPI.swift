package import NewsHTTP
import Modules
public import NewsCore
import NewsText

/// newsd's own HTTP API: the formats of the command line, the change log, saved searches as feeds, marks and ingestion.
public struct OwnAPI: Sendable {
  /// The ports that it needs from the store.
  public typealias Store = ItemReading & ItemMarking & ChangeReading & DefinitionKeeping & FeedKeeping

  let store: any Store
  let ingestion: ItemIngestion
  let richText: any RichTextRendering
  let clock: any WallClock
  /// The places of event streams, which last as long as their clients want.
  let followers: WorkShare

  /// The number of clients of a server that may follow change logs.
  package static let mostFollowers = 64

  /// `followers` is the account's share of the server's places for event streams; nil: the account is alone.
  package init(
    store: any Store,
    ingestion: ItemIngestion,
    richText: any RichTextRendering,
    clock: any WallClock,
    followers: WorkShare? = nil
  ) {
    self.store = store
    self.ingestion = ingestion
    self.richText = richText
    self.clock = clock
    let all = HandlerSlots(limit: Self.mostFollowers)
    self.followers = followers ?? WorkShare(turns: nil, enter: { all.enter() }, leave: { all.leave() })
  }

  var filters: FilterResolver { FilterResolver(feeds: store, searches: store, clock: clock) }

  /// Properties of the output for programs: no width limit, no colour, UTC.
  var terminal: Terminal { Terminal(showsAges: false, now: clock.now()) }
}

/// Answers the requests of one endpoint.
protocol OwnEndpoint: Sendable {
  func answer(_ request: HTTPRequest) async throws -> HTTPReply
}
