import Glibc
import NewsCore
import NewsToolbox
import Synchronization
import TestSupport
import Testing

@testable import NewsHTTP

/// Threads are never ended, so all tests share them.
private let threads = TaskThreads(4)

@Suite(.timeLimit(.minutes(2))) struct `Shares of a server's work` {
  /// Work that has the only turn of a share until the test ends it.
  private final class LongWork: Sendable {
    private let state = Mutex((isRunning: false, mayEnd: false))

    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Returns when the work is running.
    func begin(in turns: TaskTurns) async {
      Task(executorPreference: turns) {
        self.state.withLock { $0.isRunning = true }
        while !self.state.withLock({ $0.mayEnd }) { usleep(1000) }
      }
      while !isRunning { try? await Task.sleep(for: .milliseconds(1)) }
    }

    func end() { state.withLock { $0.mayEnd = true } }
  }

  private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
  }

  private static let html = HTTPFields([("Content-Type", "text/html")])
  private static let text = String(repeating: "a", count: 10_000)

  private func makeCore() -> ServerCore {
    ServerCore(
      HTTPServerConfiguration(),
      routes: WebRouter([]),
      account: nil,
      observer: nil,
      hosts: HostRule()
    )
  }

  private func request(_ method: HTTPMethod = .get) -> HTTPRequest {
    var request = HTTPRequest()
    request.method = method
    request.fields.append("Accept-Encoding", "gzip")
    return request
  }

  @Test(arguments: ["form", "bytes", "head of a stream"])
  func `A form is read and an answer compressed in the turns and the place of the request`(
    part: String
  ) async throws {
    let core = makeCore()
    let turns = TaskTurns(threads, most: 1)
    let places = HandlerSlots(limit: 1)
    let share = WorkShare(turns: turns, places: places)
    let work = LongWork()
    let handled = Flag()
    let ended = Flag()
    var route = WebRoute(
      api: "test",
      path: [],
      methods: [.get, .post],
      access: .head { request in
        guard request.place.enter(share) else { return .refused(.noPlace) }
        if part == "form" { await work.begin(in: turns) }
        return .stranger
      },
      handler: Handler { _ in
        handled.set()
        if part != "form" { await work.begin(in: turns) }
        let isStream = part == "head of a stream"
        return HTTPReply(
          status: 200,
          fields: Self.html,
          body: isStream ? .stream(Pieces(3, Self.text)) : .bytes(Array(Self.text.utf8))
        )
      }
    )
    route.readsForm = true
    var sent = request(part == "form" ? .post : part == "bytes" ? .get : .head)
    if part == "form" { sent.body = Array("a=b".utf8) }
    let answer = Task { [sent, route] in
      let reply = await core.answer(sent, by: route, isAdmitted: false)
      ended.set()
      return reply
    }
    try await eventually { work.isRunning }
    // Meanwhile, requests without a share are answered.
    let other = WebRoute(api: "test", path: [], handler: Handler { _ in .text(200, "other") })
    for _ in 0..<100 {
      #expect(await core.answer(request(), by: other, isAdmitted: false).status == 200)
    }
    #expect(handled.isSet == (part != "form"))
    #expect(!ended.isSet)
    #expect(!places.enter())
    work.end()
    let reply = await answer.value
    #expect(reply.status == 200)
    #expect(reply.fields.first("Content-Encoding") == "gzip")
    #expect(places.enter())
  }

  @Test func `The pieces of a stream are compressed before they leave the share`() async throws {
    let share = WorkShare(turns: TaskTurns(threads, most: 1), places: HandlerSlots(limit: 1))
    let route = WebRoute(
      api: "test",
      path: [],
      handler: Handler { request in
        #expect(request.place.enter(share))
        return HTTPReply(status: 200, fields: Self.html, body: .stream(Pieces(3, Self.text)))
      }
    )
    let reply = await makeCore().answer(request(), by: route, isAdmitted: false)
    guard case .stream(let stream) = reply.body else { return #expect(Bool(false), "\(reply.body)") }
    #expect(stream is SharedStream)
    var bytes: [UInt8] = []
    while let piece = try await stream.next() { bytes += piece }
    #expect(bytes.starts(with: [0x1F, 0x8B]) && bytes.count < 1000)
    #expect(try await stream.next() == nil)
  }

  @Test func `A stream ends when its credentials are revoked, also while all places are taken`() async throws
  {
    var configuration = HTTPServerConfiguration()
    configuration.watchPeriod = .zero
    let core = ServerCore(
      configuration,
      routes: WebRouter([]),
      account: nil,
      observer: nil,
      hosts: HostRule()
    )
    let places = HandlerSlots(limit: 1)
    let share = WorkShare(turns: nil, places: places)
    let isRevoked = Flag()
    let app = AppPassword(id: 1, name: "test", made: Timestamp(seconds: 0))
    let route = WebRoute(
      api: "test",
      path: [],
      access: .head { request in
        guard request.place.enter(share) else { return .refused(.noPlace) }
        return isRevoked.isSet ? .stranger : .app(app)
      },
      handler: Handler { _ in HTTPReply(status: 200, body: .stream(Endless())) }
    )
    let reply = await core.answer(request(), by: route, isAdmitted: false)
    guard case .stream(let stream) = reply.body else { return #expect(Bool(false), "\(reply.body)") }
    #expect(places.enter())
    #expect(try await stream.next() != nil)
    isRevoked.set()
    #expect(try await stream.next() == nil)
  }

  @Test func `A request has one place, and can take it again`() {
    let places = HandlerSlots(limit: 1)
    let (share, other) = (
      WorkShare(turns: nil, places: places), WorkShare(turns: nil, places: HandlerSlots(limit: 1))
    )
    let place = RequestPlace()
    #expect(place.enter(share) && place.enter(share))
    #expect(!RequestPlace().enter(share))
    #expect(place.enter(other))
    #expect(RequestPlace().enter(share))
    place.leave()
    #expect(place.enter())
    #expect(!RequestPlace().enter(other))
    #expect(places.enter())
    // A request that finds no place has none elsewhere, either.
    #expect(!place.enter(share))
    #expect(RequestPlace().enter(other))
    #expect(RequestPlace().enter())
  }
}

private struct Endless: HTTPBodyStream {
  var isEndless: Bool { true }
  func next() async throws -> [UInt8]? { [1] }
}

extension WorkShare {
  convenience init(turns: TaskTurns?, places: HandlerSlots) {
    self.init(turns: turns, enter: { places.enter() }, leave: { places.leave() })
  }
}
