import NewsCore
import TestServer
import Testing

@testable import NewsNetwork

/// Tests of content codings (RFC 9110 section 8.4).
@Suite(.timeLimit(.minutes(5)))
struct `Compressed bodies` {
  private static let text = "<feed>" + String(repeating: "words and words ", count: 5000) + "</feed>"
  private static let packed = Gzip.stored(Array(text.utf8))

  private func fetch(_ body: [UInt8], _ coding: String) async throws -> FetchResponse {
    try await withServer { server in
      server.on("/feed", .ok(body, headers: [("Content-Encoding", coding)]))
      return try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
    }
  }

  @Test func `Accept-Encoding lists the codings that can be unpacked`() async throws {
    try await withServer { server in
      server.on("/feed", .ok("x"))
      _ = try await CurlFetcher.forTests().fetch(FetchRequest(url: server.url("/feed")))
      let field = try #require(server.requests.first?.header("Accept-Encoding"))
      #expect(field.hasPrefix("gzip, deflate"))
      #expect(server.requests.first?.headers.count { $0.name.lowercased() == "accept-encoding" } == 1)
    }
  }

  @Test(arguments: ["gzip", "x-gzip", "GZIP"]) func `gzip is unpacked`(name: String) async throws {
    let response = try await fetch(Self.packed, name)
    #expect(response.text == Self.text)
    #expect(!response.isTruncated)
  }

  @Test func `Several gzip members are unpacked as one body`() async throws {
    let half = Array(Self.text.utf8)
    let body = Gzip.stored(Array(half[..<10])) + Gzip.stored([]) + Gzip.stored(Array(half[10...]))
    let response = try await fetch(body, "gzip")
    #expect(response.text == Self.text)
    #expect(!response.isTruncated)
  }

  @Test(arguments: ["\n", "\r\n", "junk after the end", "\u{1F}", "\0\0\0\0\0\0\0\0"])
  func `Data after the last gzip member is ignored`(rest: String) async throws {
    let response = try await fetch(Self.packed + Array(rest.utf8), "gzip")
    #expect(response.text == Self.text)
    #expect(!response.isTruncated)
  }

  @Test(arguments: [11, 4000, 50_000]) func `A body whose gzip stream lacks its end is truncated`(count: Int)
    async throws
  {
    let response = try await fetch(Array(Self.packed.prefix(count)), "gzip")
    #expect(response.isTruncated)
    #expect(Self.text.hasPrefix(response.text))
  }

  @Test func `A body whose second gzip member lacks its end is truncated`() async throws {
    let response = try await fetch(Self.packed + Self.packed.prefix(1000), "gzip")
    #expect(response.isTruncated)
    #expect(response.text.hasPrefix(Self.text))
  }

  @Test(arguments: ["utf-8", "UTF-8", "none", "identity", "", "binary"])
  func `An unknown coding is ignored`(name: String) async throws {
    #expect(try await fetch(Array("<feed/>".utf8), name).text == "<feed/>")
  }

  @Test func `Deflate is unpacked with and without a zlib header`() async throws {
    // A stored block, raw and with zlib's header and checksum.
    let bare: [UInt8] = [1, 7, 0, 0xF8, 0xFF] + Array("<feed/>".utf8)
    #expect(try await fetch(bare, "deflate").text == "<feed/>")
    let enveloped: [UInt8] = [0x78, 0x01] + bare + [0x09, 0x64, 0x02, 0x3E]
    let response = try await fetch(enveloped, "deflate")
    #expect(response.text == "<feed/>")
    #expect(!response.isTruncated)
  }

  @Test(arguments: ["gzip, gzip", "zstd, br, gzip"]) func `A body with more than one coding is rejected`(
    codings: String
  )
    async throws
  {
    try await withServer { server in
      server.on("/feed", .ok(Gzip.stored(Self.packed), headers: [("Content-Encoding", codings)]))
      let error = await CurlFetcher.forTests().failure(FetchRequest(url: server.url("/feed")))
      #expect(error?.code == .badResponse)
      #expect(error?.message.contains("cannot be unpacked") == true)
    }
  }

  @Test func `Too many empty gzip members are rejected as a body that is too large`() async throws {
    try await withServer { server in
      let body = [[UInt8]](repeating: Gzip.stored([]), count: 20_000).flatMap(\.self)
      server.on("/feed", .ok(body, headers: [("Content-Encoding", "gzip")]))
      let error = await CurlFetcher.forTests()
        .failure(FetchRequest(url: server.url("/feed"), limits: .with { $0.bodyBytes = 100_000 }))
      #expect(error?.code == .bodyTooLarge)
    }
  }

  @Test func `Many concurrent gzip bombs are all received although the byte budget is small`() async throws {
    try await withServer { server in
      for n in 0..<24 { server.on("/\(n)", .gzipBomb(8 << 20)) }
      let fetcher = CurlFetcher.forTests { $0.bodyBudget = 1 << 20 }
      let counts = await withTaskGroup(of: Int.self) { group in
        for n in 0..<24 {
          group.addTask {
            let response = try? await fetcher.fetch(FetchRequest(url: server.url("/\(n)")))
            return response?.body.count ?? 0
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      // All bodies are received in the end, although transfers wait for memory; only the checksum is wrong.
      #expect(counts == Array(repeating: (8 << 20) / 258 * 258 + 1, count: 24))
    }
  }
}
