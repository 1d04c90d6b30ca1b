import NewsStoresShared
import NewsCore
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import NewsNetwork

/// Tests of concurrent fetches: the limits that they share, and that no fetch can delay the others.
@Suite(.timeLimit(.minutes(5)))
struct `Concurrent fetches` {
  @Test func `At most two concurrent requests go to one site`() async throws {
    try await withServer { server in
      for n in 0..<10 { server.on("/\(n)", Reply.ok("x").delayed(30), whenInFlight: 2) }
      let fetcher = CurlFetcher.forTests { $0.requestsPerSite = 2 }
      let statuses = await fetchAll(
        (0..<10).map { FetchRequest(url: server.url("/\($0)"), isUrgent: true) },
        fetcher
      )
      #expect(statuses == Array(repeating: 200, count: 10))
      #expect(server.mostInFlight == 2)
      #expect(server.connectionCount == 2)
    }
  }

  @Test func `Scheduled requests to one site are spaced`() async throws {
    try await withServer { server in
      for n in 0..<4 { server.on("/\(n)", .ok("x")) }
      let fetcher = CurlFetcher.forTests {
        $0.requestsPerSite = 2
        $0.spacing = 200
      }
      let start = ContinuousClock.now
      _ = await fetchAll((0..<3).map { FetchRequest(url: server.url("/\($0)")) }, fetcher)
      // Arrivals at a busy server can be close together; the requests before the last one still take their time.
      #expect(ContinuousClock.now - start >= .milliseconds(2 * 200))
      let times = server.requests.map(\.time)
      _ = await fetchAll([FetchRequest(url: server.url("/3"), isUrgent: true)], fetcher)
      let last = try #require(server.requests.last?.time)
      #expect(server.requests.count == 4)
      #expect(last >= times[2])
    }
  }

  private final class Held: Sendable {
    let responses = Mutex<[FetchResponse]>([])
  }

  @Test func `Bodies that are still in memory delay further bodies`() async throws {
    try await withServer { server in
      for n in 0..<8 { server.on("/\(n)", .ok([UInt8](repeating: UInt8(ascii: " "), count: 1 << 20))) }
      let fetcher = CurlFetcher.forTests { $0.bodyBudget = 1 << 20 }
      server.on("/other", .ok("x"))
      let held = Held()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for n in 0..<8 {
          group.addTask {
            let response = try await fetcher.fetch(FetchRequest(url: server.url("/\(n)")))
            held.responses.withLock { $0.append(response) }
          }
        }
        try await eventually { held.responses.withLock { !$0.isEmpty } }
        // Without the budget, the others would arrive meanwhile. A fetch that waits for many seconds may pass the budget,
        // so these are few.
        let other = CurlFetcher.forTests()
        for _ in 0..<8 { _ = try await other.fetch(FetchRequest(url: server.url("/other"))) }
        #expect(held.responses.withLock { $0.count } <= 4)
        var received = 0
        while received < 8 {
          try await eventually { held.responses.withLock { !$0.isEmpty } }
          received += held.responses.withLock { held in
            defer { held = [] }
            #expect(held.allSatisfy { $0.body.count == 1 << 20 })
            return held.count
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `A redirect within a site waits for the spacing of requests`() async throws {
    try await withServer { server in
      server.on("/a", .redirect(302, to: "/b"))
      server.on("/b", .ok("x"))
      let fetcher = CurlFetcher.forTests { $0.spacing = 200 }
      _ = try await fetcher.fetch(FetchRequest(url: server.url("/a")))
      let times = server.requests.map(\.time)
      #expect(times.count == 2)
      #expect((times.last ?? 0) - (times.first ?? 0) >= 150)
    }
  }

  @Test
  func `Servers that never respond do not delay other fetches, even if they exceed the concurrency limit`()
    async throws
  {
    try await withServer(address: "127.0.0.3") { dead in
      try await withServer { server in
        for n in 0..<20 { dead.on("/\(n)", .neverResponds) }
        for n in 0..<20 { server.on("/\(n)", .ok("x")) }
        let fetcher = CurlFetcher.forTests { $0.concurrency = 8 }
        let hanging = (0..<20).map { n in
          Task { await fetcher.failure(FetchRequest(url: dead.url("/\(n)"))) }
        }
        try await eventually { dead.requests.count >= 8 }
        let statuses = await fetchAll((0..<20).map { FetchRequest(url: server.url("/\($0)")) }, fetcher)
        #expect(statuses == Array(repeating: 200, count: 20))
        for task in hanging { task.cancel() }
        for task in hanging { #expect(await task.value?.code == .cancelled) }
      }
    }
  }

  @Test func `Servers that send slowly do not take slots reserved for feeds whose last poll succeeded`()
    async throws
  {
    try await withServer(address: "127.0.0.3") { slow in
      try await withServer { server in
        // 20 KB/s for 50 s: too fast to count as stalled.
        for n in 0..<40 {
          slow.on("/\(n)", .chunked(String(repeating: "x", count: 1_000_000), size: 4096, pause: 200))
        }
        for n in 0..<20 { server.on("/\(n)", .ok("x")) }
        let fetcher = CurlFetcher.forTests { $0.concurrency = 8 }
        let dripping = (0..<40).map { n in
          Task { await fetcher.failure(FetchRequest(url: slow.url("/\(n)"))) }
        }
        try await eventually { slow.requests.count >= 6 }
        let proven = (0..<20).map { FetchRequest(url: server.url("/\($0)"), lastPollSucceeded: true) }
        #expect(await fetchAll(proven, fetcher) == Array(repeating: 200, count: 20))
        // Long transfers free their slots, so that the other slow servers get requests, too.
        try await eventually { slow.requests.count >= 20 }
        #expect(await fetchAll(proven, fetcher) == Array(repeating: 200, count: 20))
        for task in dripping { task.cancel() }
        for task in dripping { #expect(await task.value?.code == .cancelled) }
      }
    }
  }

  @Test func `One account has at most half of the transfers, and all of its requests are sent`() async throws
  {
    @Sendable func request(_ url: String, _ account: String) -> FetchRequest {
      var request = FetchRequest(url: url, isUrgent: true, lastPollSucceeded: true)
      request.account = account
      return request
    }
    try await withServer(address: "127.0.0.3") { slow in
      try await withServer { server in
        // 20 KB/s for 50 s: too fast to count as stalled.
        let dripping = Reply.chunked(String(repeating: "x", count: 1_000_000), size: 4096, pause: 200)
        for n in 0..<20 {
          slow.on("/\(n)", dripping)
          server.on("/\(n)", .ok("x"))
        }
        let fetcher = CurlFetcher.forTests { $0.concurrency = 8 }
        let eves = (0..<20).map { n in
          Task { await fetcher.failure(request(slow.url("/\(n)"), "eve")) }
        }
        try await eventually { slow.requests.count >= 4 }
        let annas = (0..<20).map { request(server.url("/\($0)"), "anna") }
        #expect(await fetchAll(annas, fetcher) == Array(repeating: 200, count: 20))
        #expect(slow.mostInFlight < 8)
        for task in eves { task.cancel() }
        for task in eves { #expect(await task.value?.code == .cancelled) }
        let later = (0..<20).map { request(server.url("/\($0)"), "eve") }
        #expect(await fetchAll(later, fetcher) == Array(repeating: 200, count: 20))
      }
    }
  }

  @Test func `Feeds whose last poll succeeded get memory before slow bodies that hold it`() async throws {
    try await withServer { server in
      let part = [UInt8](repeating: UInt8(ascii: "a"), count: 300 << 10)
      var slowly = Reply.bytes(Reply.head(200, [("Content-Length", "4000000")]) + part)
      for _ in 0..<100 {
        slowly = slowly.followed(by: [UInt8](repeating: UInt8(ascii: "a"), count: 2048), after: 200)
      }
      for n in 0..<6 { server.on("/slow/\(n)", slowly) }
      server.on("/good", .ok([UInt8](repeating: UInt8(ascii: "b"), count: 800 << 10)))
      let fetcher = CurlFetcher.forTests { $0.bodyBudget = 512 << 10 }
      let slow = (0..<6).map { n in
        Task { await fetcher.failure(FetchRequest(url: server.url("/slow/\(n)"))) }
      }
      try await eventually { server.requests.count >= 6 }
      let good = (0..<6).map { _ in FetchRequest(url: server.url("/good"), lastPollSucceeded: true) }
      #expect(await fetchAll(good, fetcher) == Array(repeating: 200, count: 6))
      for task in slow { task.cancel() }
      for task in slow { #expect(await task.value != nil) }
    }
  }

  @Test func `An account whose slow bodies hold the memory gives way to another account`() async throws {
    @Sendable func request(_ url: String, _ account: String) -> FetchRequest {
      var request = FetchRequest(url: url, isUrgent: true, lastPollSucceeded: true)
      request.account = account
      return request
    }
    try await withServer { server in
      // 40 KB/s for two minutes: too fast to count as hoarding.
      let part = [UInt8](repeating: UInt8(ascii: "a"), count: 300 << 10)
      var slowly = Reply.bytes(Reply.head(200, [("Content-Length", "5222400")]) + part)
      for _ in 0..<600 {
        slowly = slowly.followed(by: [UInt8](repeating: UInt8(ascii: "a"), count: 8 << 10), after: 200)
      }
      for n in 0..<6 { server.on("/slow/\(n)", slowly) }
      server.on("/good", .ok([UInt8](repeating: UInt8(ascii: "b"), count: 800 << 10)))
      let fetcher = CurlFetcher.forTests { $0.bodyBudget = 512 << 10 }
      let slow = (0..<6).map { n in
        Task { await fetcher.failure(request(server.url("/slow/\(n)"), "eve")) }
      }
      try await eventually { server.requests.count >= 6 }
      let start = ContinuousClock.now
      #expect(try await fetcher.fetch(request(server.url("/good"), "anna")).status == 200)
      #expect(ContinuousClock.now - start < .seconds(60))
      for task in slow { task.cancel() }
      for task in slow { #expect(await task.value != nil) }
    }
  }

  @Test func `All bodies arrive although together they exceed the memory budget and none is released`()
    async throws
  {
    try await withServer { server in
      let megabyte = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
      for n in 0..<8 { server.on("/large\(n)", .ok(megabyte)) }
      server.on("/small", .ok("x"))
      let fetcher = CurlFetcher.forTests { $0.bodyBudget = 2 << 20 }
      let large = (0..<8).map { n in
        Task { try await fetcher.fetch(FetchRequest(url: server.url("/large\(n)"))) }
      }
      let small = try await fetcher.fetch(FetchRequest(url: server.url("/small")))
      #expect(small.text == "x")
      // No response is released here, and still all bodies are received: one transfer at a time may exceed the budget.
      var held: [FetchResponse] = []
      for task in large { held.append(try await task.value) }
      #expect(held.map(\.body.count) == Array(repeating: 1 << 20, count: 8))
    }
  }

  @Test
  func `The bytes of a response return to the budget once, with the last copy of the response`()
    async throws
  {
    let wakes = Counter()
    let budget = ByteBudget(capacity: 100) { wakes.value.add(1, ordering: .relaxed) }
    budget.take(80)
    #expect(!budget.hasSpace(for: 21))
    budget.requestWake()
    var response: FetchResponse? = FetchResponse(
      status: 200,
      url: "",
      received: Timestamp(seconds: 0),
      bodyShare: budget.share(of: 80)
    )
    var copy = response
    response = nil
    #expect(budget.used == 80)
    #expect(copy != nil)
    copy = nil
    #expect(budget.used == 0)
    #expect(wakes.value.load(ordering: .relaxed) == 1)
    budget.take(1)
    budget.release(1)
    #expect(wakes.value.load(ordering: .relaxed) == 1)
  }

  @Test func `A stalled transfer is ended if it holds memory that other transfers wait for`() async throws {
    try await withServer { server in
      let part = [UInt8](repeating: UInt8(ascii: "a"), count: 900 << 10)
      let gates = [ReplyGate(), ReplyGate()]
      for n in 0...1 { server.on("/stall/\(n)", .stall(after: part, announced: 2 << 20, behind: gates[n])) }
      server.on("/small", .ok("x"))
      server.on("/good", .ok([UInt8](repeating: UInt8(ascii: "b"), count: 800 << 10)))
      let fetcher = CurlFetcher.forTests { $0.bodyBudget = 1 << 20 }
      var stalled: [Task<FetchError?, Never>] = []
      for n in 0...1 {
        stalled.append(Task { await fetcher.failure(FetchRequest(url: server.url("/stall/\(n)"))) })
        try await gates[n].open()
        // The fetcher reads what the system has received of the part before this response.
        if n == 0 { _ = try await fetcher.fetch(FetchRequest(url: server.url("/small"))) }
      }
      // The second one may exceed the budget and then stalls, so the good ones must wait until it is ended.
      let good = (0..<3).map { _ in FetchRequest(url: server.url("/good")) }
      #expect(await fetchAll(good, fetcher) == [200, 200, 200])
      for task in stalled { task.cancel() }
      var errors: [FetchError] = []
      for task in stalled { if let error = await task.value { errors.append(error) } }
      #expect(errors.contains { $0.code == .timedOut && $0.message.contains("memory") })
    }
  }

  @Test func `A thousand concurrent fetches all get their response`() async throws {
    try await withServer { server in
      for n in 0..<100 { server.on("/\(n)", .ok("body \(n)")) }
      let fetcher = CurlFetcher.forTests { $0.concurrency = 32 }
      await withTaskGroup(of: Bool.self) { group in
        for n in 0..<1000 {
          group.addTask {
            let response = try? await fetcher.fetch(FetchRequest(url: server.url("/\(n % 100)")))
            return response?.text == "body \(n % 100)"
          }
        }
        var good = 0
        for await isGood in group where isGood { good += 1 }
        #expect(good == 1000)
      }
      #expect(server.mostInFlight <= 32)
      #expect(server.connectionCount <= 64)
    }
  }

  private final class Counter: Sendable {
    let value = Atomic<Int>(0)
  }

  private func fetchAll(_ requests: [FetchRequest], _ fetcher: CurlFetcher) async -> [Int?] {
    await withTaskGroup(of: (Int, Int?).self) { group in
      for (index, request) in requests.enumerated() {
        group.addTask { (index, try? await fetcher.fetch(request).status) }
      }
      var statuses = [Int?](repeating: nil, count: requests.count)
      for await (index, status) in group { statuses[index] = status }
      return statuses
    }
  }
}
