import NewsCore
import TestServer
import Testing

@testable import NewsNetwork

@Suite(.timeLimit(.minutes(5)))
struct `Limits of a fetch` {
  @Test func `An endless body ends the fetch at the size limit`() async throws {
    try await withServer { server in
      server.on("/feed", .endless())
      let error = await CurlFetcher.forTests()
        .failure(FetchRequest(url: server.url("/feed"), limits: .with { $0.bodyBytes = 100_000 }))
      #expect(error?.code == .bodyTooLarge)
      #expect(error?.message.contains("100000 bytes") == true)
    }
  }

  @Test func `A body announced above the size limit is not read`() async throws {
    try await withServer { server in
      server.on("/feed", .stall(after: [], announced: 100_001))
      let error = await CurlFetcher.forTests()
        .failure(FetchRequest(url: server.url("/feed"), limits: .with { $0.bodyBytes = 100_000 }))
      #expect(error?.code == .bodyTooLarge)
    }
  }

  @Test func `A body of exactly the size limit is read`() async throws {
    try await withServer { server in
      server.on("/feed", .ok([UInt8](repeating: UInt8(ascii: " "), count: 100_000)))
      let response = try await CurlFetcher.forTests()
        .fetch(FetchRequest(url: server.url("/feed"), limits: .with { $0.bodyBytes = 100_000 }))
      #expect(response.body.count == 100_000)
    }
  }

  @Test func `A gzip bomb ends the fetch at the limit of unpacked bytes`() async throws {
    try await withServer { server in
      server.on("/small", .gzipBomb(258 * 1000))
      server.on("/bomb", .gzipBomb(1 << 30))
      let fetcher = CurlFetcher.forTests()
      let error = await fetcher.failure(
        FetchRequest(url: server.url("/bomb"), limits: .with { $0.bodyBytes = 1 << 20 })
      )
      #expect(error?.code == .bodyTooLarge)
    }
  }

  @Test(arguments: [200 << 10, 4 << 20])
  func `A header section above the size limit ends the fetch`(size: Int) async throws {
    try await withServer { server in
      server.on("/feed", .hugeHeaders(size))
      let error = await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/feed")))
      #expect(error?.code == .headersTooLarge)
    }
  }

  @Test func `A field of one megabyte ends the fetch`() async throws {
    try await withServer { server in
      let field = String(repeating: "x", count: 1 << 20)
      server.on("/feed", .raw("HTTP/1.1 200 OK\r\nX-Large: \(field)\r\nContent-Length: 0\r\n\r\n"))
      let error = await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/feed")))
      #expect(error?.code == .headersTooLarge)
    }
  }

  @Test func `Interim responses above the size limit of headers end the fetch`() async throws {
    try await withServer { server in
      server.on("/feed", .raw(String(repeating: "HTTP/1.1 100 Continue\r\nX: y\r\n\r\n", count: 20_000)))
      let error = await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/feed")))
      #expect(error?.code == .headersTooLarge)
    }
  }

  @Test func `A server that never responds ends the fetch at the first-byte timeout`() async throws {
    try await withServer { server in
      server.on("/feed", .neverResponds)
      let error = await CurlFetcher.forTests()
        .failure(FetchRequest(url: server.url("/feed"), limits: .with { $0.firstByteTimeout = 200 }))
      #expect(error?.code == .timedOut)
      #expect(error?.message.contains("did not answer within 200 ms") == true)
      #expect(error?.neverConnected == false)
    }
  }

  @Test func `A transfer below the minimum speed ends the fetch`() async throws {
    try await withServer { server in
      server.on("/feed", .drip(String(repeating: "x", count: 1000), every: 100))
      let limits = FetchLimits.with {
        $0.lowSpeed = 100
        $0.lowSpeedSeconds = 1
      }
      let error = await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/feed"), limits: limits))
      #expect(error?.code == .timedOut)
      #expect(error?.message.contains("bytes a second") == true)
    }
  }

  @Test func `A header section below the minimum speed ends the fetch`() async throws {
    try await withServer { server in
      server.on("/feed", .dripHeaders(every: 50))
      let limits = FetchLimits.with {
        $0.lowSpeed = 100
        $0.lowSpeedSeconds = 1
      }
      let error = await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/feed"), limits: limits))
      #expect(error?.code == .timedOut)
    }
  }

  @Test func `A transfer counts as stalled if its throughput is too low, even if data still arrives`() {
    var clock = TransferClock(limits: FetchLimits(), now: 0)
    for second in 1...5 {
      clock.received(100, now: Int64(second) * 500)
      #expect(clock.isStalled(now: Int64(second) * 500) == (second >= 3))
    }
    clock.received(TransferClock.livelyBytes, now: 2600)
    #expect(!clock.isStalled(now: 2600))
    #expect(!clock.isStalled(now: 4099))
    #expect(clock.isStalled(now: 4100))
    clock.paused(now: 4200)
    #expect(!clock.isStalled(now: 99_000))
  }

  @Test func `After a fixed time a transfer counts as stalled at any throughput`() {
    var clock = TransferClock(limits: FetchLimits(), now: 0)
    for time in stride(from: Int64(0), to: 20_000, by: 500) {
      clock.received(1 << 20, now: time)
      #expect(clock.isStalled(now: time) == (time >= TransferClock.slotTime))
    }
  }

  @Test(arguments: [(8000, true), (100_000, false)])
  func `A slow transfer counts as hoarding memory after five seconds; a fast or paused one does not`(
    bytesPerSecond: Int,
    isHoarding: Bool
  ) {
    var clock = TransferClock(limits: FetchLimits(), now: 0)
    for second in 1...20 {
      clock.received(bytesPerSecond, now: Int64(second) * 1000)
      let held = second * bytesPerSecond
      #expect(clock.isHoarding(held, now: Int64(second) * 1000) == (isHoarding && second >= 5))
    }
    #expect(clock.isHoarding(20 * bytesPerSecond, now: 25_000))
    clock.paused(now: 25_000)
    #expect(!clock.isHoarding(20 * bytesPerSecond, now: 26_000))
  }

  @Test func `A transfer ends at the total timeout`() async throws {
    try await withServer { server in
      server.on("/feed", .chunked(String(repeating: "x", count: 100_000), size: 1000, pause: 100))
      let request = FetchRequest(url: server.url("/feed"), limits: .with { $0.totalTimeout = 1000 })
      let error = await CurlFetcher.forTests().failure(request)
      #expect(error?.code == .timedOut)
      #expect(error?.message.contains("1 s") == true)
    }
  }
}
