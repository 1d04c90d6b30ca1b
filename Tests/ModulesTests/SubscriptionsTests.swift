@testable import NewsCore
import Synchronization
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

@Suite struct `Subscriptions` {
  private let store = FakeStore(feeds: [
    Feed(
      id: Feed.ID(rawValue: 1),
      url: "https://a.example/feed",
      title: "Alpha",
      position: 1,
      itemCount: 12,
      unreadCount: 3,
      fetchState: FetchState(lastFetched: .noon - 600)
    ),
    Feed(
      id: Feed.ID(rawValue: 2),
      url: "https://b.example/feed",
      title: "Beta",
      folder: "Tech/Linux",
      position: 2,
      itemCount: 5,
      fetchState: FetchState(
        lastFetched: .noon - 7200,
        failures: 2,
        failingSince: .noon - 86_400,
        lastError: "b.example does not answer.\u{1B}"
      )
    ),
    Feed(id: Feed.ID(rawValue: 3), url: "https://c.example/feed", title: "Gamma", position: 3),
  ])

  private func text(
    _ route: SubscriptionsRoute,
    _ format: OutputFormat = .text,
    fields: [String]? = nil
  ) async throws -> String {
    let shape = OutputShape(format: format, fields: fields, terminal: .plain())
    let writer = FakeOutput()
    let screen = Screen(
      view: try shape.feedView(text: SubscriptionsView(terminal: shape.terminal)),
      output: writer,
      messages: writer
    )
    let presenter = SubscriptionsPresenter(showsLines: format == .text, times: shape.terminal.times)
    try await SubscriptionsInteractor(feeds: store, presenter: presenter)
      .run(route, emit: screen.emit)
    return writer.text
  }

  @Test func `A feed or folder moves in the tree, which keeps the feeds of a folder together`() async throws {
    func arrange(_ entry: TreeEntry, _ place: TreePlace) async throws -> [Int64] {
      let presenter = SubscriptionsPresenter(showsLines: false, times: TimeDisplay(now: .noon, zone: .utc))
      try await SubscriptionsInteractor(feeds: store, presenter: presenter)
        .run(.arrange(entry, place)) { container in
          if let failure = container.failure { throw failure }
        }
      return try await store.feeds().map(\.id.rawValue)
    }
    let (alpha, gamma) = (TreeEntry.feed(Feed.ID(rawValue: 1)), TreeEntry.feed(Feed.ID(rawValue: 3)))
    #expect(try await arrange(.folder("Tech"), .up) == [2, 1, 3])
    #expect(try await arrange(gamma, .before(.folder("Tech"))) == [3, 2, 1])
    #expect(try await arrange(gamma, .down) == [2, 3, 1])
    // Beside a feed of another folder, a feed moves to that folder.
    #expect(try await arrange(alpha, .after(.feed(Feed.ID(rawValue: 2)))) == [2, 1, 3])
    #expect(try await store.feeds().map(\.folder) == ["Tech/Linux", "Tech/Linux", nil])
    #expect(try await arrange(alpha, .before(gamma)) == [2, 1, 3])
    #expect(try await store.feeds().map(\.folder) == ["Tech/Linux", nil, nil])
    for (entry, place) in [
      (gamma, TreePlace.down), (.folder("Tech"), .up), (.folder("Nowhere"), .up),
      (.folder("Tech"), .after(.folder("Tech/Linux"))),
    ] {
      await #expect(throws: UserMessage.self) { try await arrange(entry, place) }
    }
  }

  @Test func `Feeds are listed in the user's order with counts and health`() async throws {
    let text = try await text(.list())
    #expect(
      text == """
        1   1 3/12 10m Alpha
        2 ! 2  0/5  2h Beta  Tech/Linux
            failed 2 times since 2026-11-19 12:00: b.example does not answer.\u{FFFD}
        3 + 3  0/0   - Gamma

        """
    )
  }

  @Test func `Each change of the subscriptions is reported in a sentence`() async throws {
    #expect(
      try await text(.rename(feed: "Alpha", title: " New\tname "))
        == "renamed 'Alpha' to 'New name'\n"
    )
    #expect(try await text(.move(feed: "3", folder: nil, position: 1)) == "moved 'Gamma' to position 1\n")
    #expect(try await text(.move(feed: "3", folder: nil, position: 99)) == "moved 'Gamma' to position 3\n")
    #expect(
      try await text(.move(feed: "Beta", folder: "News", position: nil))
        == "moved 'Beta' to the folder 'News'\n"
    )
    #expect(
      try await text(.move(feed: "Beta", folder: "", position: nil))
        == "moved 'Beta' out of its folder\n"
    )
    #expect(try await text(.remove(feeds: ["Beta"])) == "removed 'Beta' and its 5 items\n")
    #expect(store.state.withLock { $0.feeds.map(\.title) } == ["New name", "Gamma"])
  }

  @Test func `Invalid input is rejected with a message`() async throws {
    #expect(try await text(.rename(feed: "Alpha", title: "  ")).contains("is empty"))
    #expect(try await text(.move(feed: "Alpha", folder: nil, position: 0)).contains("begin at 1"))
    #expect(try await text(.remove(feeds: ["nope"])) == "newsd: No feed “nope”.\n")
  }

  @Test func `Several feeds are removed, or none if a name is unknown`() async throws {
    #expect(
      try await text(.remove(feeds: ["Alpha", "nope"])) == "newsd: No feed “nope”.\n"
    )
    #expect(store.state.withLock { $0.feeds.count } == 3)
    #expect(
      try await text(.remove(feeds: ["3", "Alpha", "1"]))
        == "removed 'Gamma' and its 0 items\nremoved 'Alpha' and its 12 items\n"
    )
    #expect(store.state.withLock { $0.feeds.map(\.title) } == ["Beta"])
  }

  private func ids(_ selection: FeedSelection) async throws -> String {
    try await text(.list(selection), .ids).split(separator: "\n").joined(separator: " ")
  }

  @Test func `Feeds are selected by unread items, failures and folder`() async throws {
    #expect(try await ids(FeedSelection(hasUnread: true)) == "1")
    #expect(try await ids(FeedSelection(isFailing: true)) == "2")
    #expect(try await ids(FeedSelection(folders: ["tech"])) == "2")
    #expect(try await ids(FeedSelection(folders: ["Tech/Linux"], hasUnread: true)) == "")
    #expect(
      try await ids(FeedSelection(folders: ["Tec"]))
        == "newsd: no feed is in a folder 'Tec'; the folders are Tech/Linux"
    )
  }

  @Test func `Feeds are sorted, and feeds with equal keys keep the user's order`() async throws {
    let orders = FeedSelection.Order.allCases
    var sorted: [String] = []
    for order in orders { sorted.append(try await ids(FeedSelection(order: order))) }
    #expect(orders.map(\.rawValue) == ["position", "title", "unread", "last", "failures"])
    #expect(sorted == ["1 2 3", "1 2 3", "1 2 3", "1 2 3", "2 1 3"])
    #expect(try await text(.rename(feed: "Alpha", title: "Zeta")) != "")
    #expect(try await ids(FeedSelection(order: .title)) == "2 3 1")
  }

  @Test func `Folders are listed with counts, parents included`() async throws {
    let writer = FakeOutput()
    let shape = OutputShape(format: .tsv, terminal: .plain())
    let screen = Screen(view: try shape.view(Tables.folders), output: writer, messages: writer)
    try await FeedsFoldersInteractor(feeds: store).run((), emit: screen.emit)
    #expect(writer.text == "Tech\t1\t0\t5\nTech/Linux\t1\t0\t5\n\t2\t3\t12\n")
  }

  @Test func `Formats for programs use the machine names of columns`() async throws {
    let json = try await text(.list(), .jsonl)
    #expect(
      json.split(separator: "\n").first == """
        {"schema":1,"id":1,"url":"https://a.example/feed","title":"Alpha","site_url":null,"folder":null,"position":1,\
        "items":12,"unread":3,"interval":null,"next_due":null,"next_due_reason":null,\
        "last_fetched":"2026-11-20T11:50:00Z","last_status":null,"failures":0,"last_error":null}
        """
    )
    let tsv = try await text(.list(), .tsv, fields: ["position", "title"])
    #expect(tsv == "1\tAlpha\n2\tBeta\n3\tGamma\n")
  }

  @Test func `The router of the subscriptions opens a feed's list and its refresh`() {
    let feed = Feed(id: Feed.ID(rawValue: 4), url: "https://example.org", title: "F", position: 1)
    #expect(SubscriptionsRouter().list(of: feed.id) == .list(ListRoute(filter: ItemFilter(feedID: feed.id))))
    #expect(SubscriptionsRouter().refresh(feed.id) == .refresh(RefreshRoute(feeds: ["4"])))
  }
}
