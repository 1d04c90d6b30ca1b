import NewsHTTP
import Modules
import NewsCore
import NewsFormats
import NewsText
import NewsToolbox

/// `GET /api/changes`: the entries of the change log after a number. The answer ends at the present end of
/// the log.
struct ChangesEndpoint: OwnEndpoint {
  let api: OwnAPI

  func answer(_ request: HTTPRequest) async throws -> HTTPReply {
    let shape = try ItemFormat.shape(request.query, among: OutputFormat.forRecords, api)
    let number = try request.query.number("n") ?? request.query.number("limit") ?? 0
    let body = ChangePages(
      api,
      after: try request.query.number("after") ?? 0,
      limit: number == 0 ? .max : Int(clamping: number),
      query: try await ItemSelection(request.query, api.filters, now: api.clock.now()).route.filter.query,
      view: try shape.view(Tables.changes, text: ChangesView(terminal: api.terminal))
    )
    // Errors of the first page get a status; later errors can only end the connection.
    try await body.prepare()
    return SyncReply.stream(type: shape.format.contentType, body)
  }
}

/// Writes the change log page by page.
private actor ChangePages: HTTPBodyStream {
  /// How many changes a page has at most; `ChangePortion` says how many bytes of text.
  private static let pageSize = 100

  private let interactor: ChangesInteractor
  private let query: Query
  private var after: Int64
  private var left: Int
  private var view: any ContentView<ChangesViewModel>
  private var waiting: [ChangesViewModel]?
  private var hasBegun = false
  private var isDone = false

  init(_ api: OwnAPI, after: Int64, limit: Int, query: Query, view: any ContentView<ChangesViewModel>) {
    interactor = ChangesInteractor(changes: api.store)
    self.after = after
    left = limit
    self.query = query
    self.view = view
  }

  /// Reads the first page.
  func prepare() async throws { waiting = try await read() }

  func next() async throws -> [UInt8]? {
    if let waiting {
      self.waiting = nil
      return try render(waiting)
    }
    return isDone ? nil : try render(try await read())
  }

  private func read() async throws -> [ChangesViewModel] {
    let size = min(left, Self.pageSize)
    let route = ChangesRequest(after: after, limit: size, query: query, isOneBatch: true)
    let result = try await ModuleRunning.contents(of: interactor, route)
    if let failure = result.failure { throw failure }
    left -= result.contents.reduce(0) { $0 + $1.records.count }
    let next = result.contents.last?.next
    after = next ?? after
    isDone = next == nil || left == 0
    return result.contents
  }

  private func render(_ contents: [ChangesViewModel]) throws -> [UInt8] {
    var buffer = ByteBuffer(capacity: 64 << 10)
    if !hasBegun { try view.begin(&buffer) }
    hasBegun = true
    for content in contents { try view.render(content, isLast: false, &buffer) }
    if isDone { try view.end(&buffer) }
    return buffer.withBytes { Array($0) }
  }
}

/// `GET /api/follow`: the change log as an event stream: new changes, or all after a number.
struct FollowEndpoint: OwnEndpoint {
  let api: OwnAPI

  func answer(_ request: HTTPRequest) async throws -> HTTPReply {
    let latest = try await api.store.latestSequence()
    // A client that reconnects names the last event it got.
    let resumed = request.fields.first("Last-Event-ID").flatMap { HTTPParameters.number($0) }
    let after = try resumed ?? request.query.number("after") ?? latest
    guard after <= latest else {
      throw BadRequest("\(after) is beyond the end of the change log (\(latest))")
    }
    let query = try await ItemSelection(request.query, api.filters, now: api.clock.now()).route.filter.query
    guard api.followers.enter() else {
      throw BadRequest("too many clients follow the change log; try again later", status: 503)
    }
    let body = ChangeEvents(api, after: after, query: query)
    return SyncReply.stream(type: "text/event-stream; charset=utf-8", body).with("X-Accel-Buffering", "no")
  }
}

/// Events of the change log: the number as `id`, the kind as `event`, the record of `/api/changes` as `data`.
private actor ChangeEvents: HTTPBodyStream {
  private static let pageSize = 50
  private static let pause = Duration.milliseconds(500)
  /// Number of pauses without a change after which a comment is sent, so that the client and proxies keep the
  /// connection open.
  private static let quietPauses = 40

  private let interactor: ChangesInteractor
  private let changes: any ChangeReading
  private let terminal: Terminal
  private let query: Query
  private let waiter: any ChangeAwaiting
  private let places: WorkShare
  private var after: Int64
  private var isFirst = true
  private var mustLook = true
  private var pauses = 0

  nonisolated var isEndless: Bool { true }

  /// Takes over the place of a follower, and gives it back at the end.
  init(_ api: OwnAPI, after: Int64, query: Query) {
    places = api.followers
    interactor = ChangesInteractor(changes: api.store)
    changes = api.store
    terminal = api.terminal
    waiter = api.store.changeWaiter(for: .log, every: Self.pause)
    self.after = after
    self.query = query
  }

  deinit { places.leave() }

  func next() async throws -> [UInt8]? {
    if isFirst {
      // The head of the answer is sent with the first piece.
      isFirst = false
      return Array("retry: 3000\n\n".utf8)
    }
    while true {
      if mustLook {
        let head = try await changes.latestSequence()
        if head > after {
          let bytes = try await events(to: head)
          if !bytes.isEmpty {
            pauses = 0
            return bytes
          }
          continue
        }
      }
      pauses += 1
      if pauses >= Self.quietPauses {
        pauses = 0
        return Array(":\n\n".utf8)
      }
      mustLook = try await waiter.wait(atMost: Self.pause)
    }
  }

  private func events(to head: Int64) async throws -> [UInt8] {
    let route = ChangesRequest(after: after, limit: Self.pageSize, query: query, isOneBatch: true)
    let result = try await ModuleRunning.contents(of: interactor, route)
    if let failure = result.failure { throw failure }
    let end = result.contents.last
    after = end?.next ?? end?.head ?? head
    var bytes: [UInt8] = []
    for content in result.contents { bytes += try text(of: content) }
    return bytes
  }

  private func text(of content: ChangesViewModel) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var lines = ByteBuffer(capacity: 4096)
    var view = try OutputShape(format: .jsonl, terminal: terminal).view(
      Tables.changes,
      text: ChangesView(terminal: terminal)
    )
    try view.begin(&lines)
    try view.render(content, isLast: true, &lines)
    try view.end(&lines)
    let data = lines.withBytes { Array($0) }.split(separator: UInt8(ascii: "\n"))
    for (entry, line) in zip(content.records, data) {
      bytes += "id: \(entry.sequence)\nevent: \(entry.kindName)\ndata: ".utf8
      bytes += line
      bytes += "\n\n".utf8
    }
    return bytes
  }
}
