import NewsCore
import Testing

/// What the fetchers of accounts pass on, and what they refuse.
@Suite struct `Fetching for an account` {
  /// Answers each request with its credential and its reach.
  private struct Echo: Fetching {
    func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
      let text = "\(request.settings.credential ?? "") \(request.reach)"
      return FetchResponse(
        status: 200,
        headers: [],
        body: Array(text.utf8),
        url: request.url,
        received: Timestamp(seconds: 0)
      )
    }
  }

  private func answer(_ request: FetchRequest, _ rights: Set<AccountRight> = []) async throws -> String {
    let fetcher = AccountFetcher(account: "anna", rights: rights, other: Echo())
    return String(decoding: try await fetcher.fetch(request).body, as: UTF8.self)
  }

  private func settings(_ change: (inout FeedSettings) -> Void) -> FetchRequest {
    var settings = FeedSettings()
    change(&settings)
    return FetchRequest(url: "https://a.example/feed", settings: settings)
  }

  @Test func `What touches the machine is refused unless the account has the right`() async throws {
    let cases: [(AccountRight, FetchRequest)] = [
      (.exec, FetchRequest(url: "exec:/bin/true")), (.file, FetchRequest(url: "file:///etc/passwd")),
      (.exec, FetchRequest(url: "https://a.example/", subscriptionURL: "exec:/bin/true")),
      (.env, settings { $0.credential = "env:HOME" }),
      (.file, settings { $0.credential = "file:/etc/passwd" }),
      (.file, settings { $0.credential = "other:x" }), (.proxy, settings { $0.proxy = "http://p.example:1" }),
      (.file, settings { $0.clientCertificate = "/a.pem" }),
      (.file, settings { $0.certificateAuthority = "/a.pem" }),
    ]
    for (right, request) in cases {
      let error = await #expect(throws: FetchError.self) { try await answer(request) }
      let missing = "accounts may not do without the right '\(right.rawValue)' (accounts.may)"
      #expect(error?.code == .forbiddenAddress && error?.message.contains(missing) == true)
      let others = Set(AccountRight.allCases).subtracting([right])
      await #expect(throws: FetchError.self) { try await answer(request, others) }
      _ = try await answer(request, [right])
    }
  }

  @Test func `A credential of the configuration is that of the account`() async throws {
    #expect(try await answer(settings { $0.credential = "config:work" }).hasPrefix("config:anna/work "))
    #expect(
      try await answer(settings { $0.credential = "config:bob/work" }).hasPrefix("config:anna/bob/work ")
    )
  }

  @Test func `A local address that the person types is not local for an account`() async throws {
    let request = FetchRequest(url: "http://10.0.0.1/", reach: .localOrigin(of: "http://10.0.0.1/"))
    #expect(try await answer(request).hasSuffix("publicOnly"))
    #expect(try await !answer(request, [.local]).hasSuffix("publicOnly"))
    for url in ["http://10.0.0.1/\u{80}", "exec:true \u{85}", "file:///a\u{9F}", "gopher://10.0.0.1/"] {
      await #expect(throws: FetchError.self) {
        try await answer(FetchRequest(url: url, reach: .localOrigin(of: url)), Set(AccountRight.allCases))
      }
    }
    let anywhere = FetchRequest(url: "http://10.0.0.1/", reach: .anywhere)
    #expect(try await answer(anywhere).hasSuffix("anywhere"))
  }
}
