import NewsSearch
@testable import NewsCore
import Testing

@testable import Modules

/// The message and exit status for each error.
@Suite struct `User messages` {
  private struct Strange: Error {}

  @Test func `Errors of Core become messages with their exit statuses, and other errors do not`() {
    let feed = Feed(id: Feed.ID(rawValue: 1), url: "https://example.org/", title: "F", position: 1)
    let cases: [(any Error, Modules.ExitStatus)] = [
      (StoreError(code: .corrupt, message: "x"), .io),
      (StoreError(code: .noSuchFeed, message: "x"), .notFound),
      (StoreError(code: .ambiguousFeed, message: "x"), .usage),
      (QueryError(code: .badDate, message: "x"), .usage),
      (QueryError(code: .unknownFeed, message: "x"), .notFound),
      (FeedParseError(code: .htmlPage, message: "x"), .badData),
      (FeedAdditionError(code: .unreachable, message: "x"), .unreachable),
      (FeedAdditionError(code: .duplicate(feed), message: "x"), .badData),
      (FeedAdditionError(code: .store(.full), message: "x"), .io),
      (FileError(code: .io, message: "x"), .io), (TypedAddress.Problem(message: "x"), .usage),
      (UserMessage(code: .someFailed, text: "x"), .someFailed),
    ]
    for (error, code) in cases {
      let message = UserMessage(reporting: error)
      #expect(message?.code == code && message?.text == "x", "\(error)")
    }
    #expect(UserMessage(reporting: Strange()) == nil)
  }

  @Test func `An error that is not from Core is rethrown instead of shown`() async throws {
    let collected = Collected<MarkViewModel>()
    await #expect(throws: Strange.self) {
      try await Failing(error: Strange()).run((), emit: collected.emit)
    }
    #expect(collected.all.isEmpty)
  }

  @Test func `An interactor emits an error of Core as its last container`() async throws {
    let collected = Collected<MarkViewModel>()
    try await Failing(error: StoreError(code: .full, message: "x")).run((), emit: collected.emit)
    #expect(collected.all.map(\.failure) == [UserMessage(StoreError(code: .full, message: "x"))])
  }

  /// An interactor whose use case fails.
  private struct Failing: Interactor {
    let error: any Error
    func respond(to request: Void, emit: @escaping Emit<MarkViewModel>) async throws { throw error }
  }
}

@Suite struct `Messages after adding, ingesting and importing` {
  private let feed = Feed(
    id: Feed.ID(rawValue: 4),
    url: "https://example.org/feed",
    title: "F\u{1B}",
    position: 1
  )

  @Test func `The note on an added feed has its title and the number of its items`() {
    let content = FeedsAddPresenter().present(.added(feed, items: 1)).content
    #expect(content?.notes.map(\.string) == ["added 'F\u{FFFD}' (4) with 1 item"])
  }

  @Test func `A feed without certificate verification, or an unreachable one, is added with a warning`() {
    var unverified = feed
    unverified.settings.verifiesTLS = false
    let content = FeedsAddPresenter().present(.added(unverified, items: 0)).content
    #expect(content?.warnings.map(\.string) == ["the certificates of this feed are not verified"])
    let failure = RefreshFailure(code: .status(500), message: "no")
    let forced = FeedsAddPresenter().present(.addedUnreached(feed, failure)).content
    #expect(forced?.warnings.map(\.string) == ["added, but it could not be reached: no"])
  }

  @Test func `Feeds to choose from are listed with their numbers`() {
    let choices = ["a", "b"].map { (name: String) in
      DiscoveredFeed(url: "https://example.org/\(name)", title: name)
    }
    let container = FeedsAddPresenter().present(.choices(page: "https://example.org/", choices))
    #expect(container.content?.choices == choices && container.failure?.code == .badData)
    #expect(container.failure?.text.contains("\n2  https://example.org/b  b") == true)
  }

  @Test func `The report on ingested items lists invalid lines and counts the rest`() {
    var report = ItemIngestion.Report()
    report.inserted = 2
    report.problems = [.init(line: 3, message: "no JSON")]
    report.problemCount = 5
    let container = IngestPresenter().present(report)
    #expect(container.failure == UserMessage(code: .badData, text: "5 entries could not be read"))
    #expect(
      container.content?.warnings.map(\.string) == ["line 3: no JSON", "and 4 more that could not be read"]
    )
    #expect(container.content?.notes.map(\.string) == ["2 new, 0 changed, 0 were stored before"])
    report.failure = StoreError(code: .overQuota, message: "the store is above its quota")
    let stopped = IngestPresenter().present(report)
    #expect(stopped.failure?.text == "the store is above its quota")
    #expect(stopped.content?.notes.map(\.string) == ["2 new, 0 changed, 0 were stored before"])
  }

  @Test func `An import reports rejected entries and the number of added feeds, and shows no password`() {
    var report = SubscriptionTransfer.Report()
    report.added = [feed]
    report.refused = [("exec:x", "runs a program")]
    report.stripped = [NewFeed(url: "https://u:p@example.org/")]
    let content = FeedsImportPresenter().present(report).content
    #expect(content?.warnings.first?.string == "exec:x: runs a program")
    #expect(content?.warnings.last?.string.contains("u:p") == false)
    #expect(content?.notes.last?.string == "added 1 feed")
  }
}
