import NewsCore
import Testing

@Suite struct `Settings of a feed` {
  /// A list of unknown origin that has the same number in every setting.
  struct NumberList: SubscriptionListCoding {
    var number: Int64
    func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList {
      var feed = NewFeed(url: "https://a.example/feed")
      feed.settings.minimumInterval = number
      feed.settings.maximumInterval = number
      feed.settings.timeout = number
      feed.settings.maximumBytes = Int(number)
      feed.settings.keepDays = Int(number)
      feed.settings.keepItems = Int(number)
      return SubscriptionList(feeds: [feed])
    }
    func encodeOPML(_ feeds: [Feed], searches: [SavedSearch], title: String) -> String { "" }
  }

  private func imported(_ number: Int64, isTrusted: Bool = true) async throws -> FeedSettings {
    let store = FakeStore()
    _ = try await SubscriptionTransfer(
      coder: NumberList(number: number),
      subscriptions: store,
      clock: ManualClock()
    ).importList([], isTrusted: isTrusted)
    return try await store.feeds()[0].settings
  }

  @Test(arguments: [Int64.max, .min, 0]) func `Numbers in an imported list are clamped`(_ number: Int64)
    async throws
  {
    let settings = try await imported(number)
    #expect(FeedSettings.intervals.contains(try #require(settings.minimumInterval)))
    #expect(FeedSettings.intervals.contains(try #require(settings.maximumInterval)))
    #expect(FeedSettings.timeouts.contains(try #require(settings.timeout)))
    #expect(FeedSettings.bodySizes.contains(try #require(settings.maximumBytes)))
    #expect(FeedSettings.days.contains(try #require(settings.keepDays)))
    #expect(FeedSettings.itemCounts.contains(try #require(settings.keepItems)))
    #expect(settings.clamped() == settings)
  }

  @Test func `An untrusted list cannot raise the configured body size`() async throws {
    let usual = FetchLimits().bodyBytes
    #expect(try await imported(.max, isTrusted: false).maximumBytes == usual)
    #expect(try await imported(5000, isTrusted: false).maximumBytes == 5000)
    #expect(try await imported(Int64(usual) + 1, isTrusted: true).maximumBytes == usual + 1)
  }

  @Test func `Due times with the longest intervals do not overflow`() async throws {
    let settings = try await imported(.max)
    let now = Timestamp(seconds: 1_795_000_000)
    let response = FetchResponse(
      status: 200,
      headers: [("Cache-Control", "max-age=\(Int64.max)")],
      url: "https://a.example/feed",
      received: now
    )
    let context = PollPolicy.Context(
      now: now,
      url: "https://a.example/feed",
      settings: settings,
      siteFeeds: 100_000,
      random: 0.99
    )
    let error = FetchError(code: .refused, message: "no")
    for exchange in [
      PollPolicy.Exchange.parsed(response, PollHints(), bodyHash: 1), .notModified(response), .failed(error),
      .refused(response, message: ""),
    ] {
      let due = PollPolicy().state(after: exchange, of: FetchState.unfetched, in: context).nextDue
      let wait = try #require(due) - now
      #expect(wait > 0 && wait <= 2 * 366 * 86_400)
    }
  }

  @Test func `A feed's settings override timeout and maximum size, within bounds`() {
    var settings = FeedSettings()
    #expect(FetchLimits().overridden(by: settings) == FetchLimits())
    settings.timeout = 30
    settings.maximumBytes = 1 << 20
    #expect(FetchLimits().overridden(by: settings).totalTimeout == 30_000)
    #expect(FetchLimits().overridden(by: settings).bodyBytes == 1 << 20)
    for number in [Int64.max, Int64.max / 1000, -1] {
      settings.timeout = number
      settings.maximumBytes = Int(number)
      let limits = FetchLimits().overridden(by: settings)
      #expect((1000...3_600_000).contains(limits.totalTimeout))
      #expect((1 << 10...1 << 32).contains(limits.bodyBytes))
    }
  }
}
