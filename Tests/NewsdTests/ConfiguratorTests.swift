import DIContainer
import FoundationEssentials
import Modules
import NewsCore
import NewsFormats
import NewsText
import Synchronization
import Testing

/// What the functions of `Configurator` decide besides building a module, with a store in a file.
@Suite struct `Functions of the configurator` {
  /// Collects output.
  private final class Collected: OutputWriter {
    private let bytes = Mutex<[UInt8]>([])
    func write(_ more: UnsafeRawBufferPointer) throws(OutputError) { bytes.withLock { $0 += Array(more) } }
    /// The text written since the last call.
    func take() -> String {
      bytes.withLock { bytes in
        defer { bytes = [] }
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// No host can be reached.
  private struct NoNetwork: Fetching {
    func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
      throw FetchError(code: .hostNotFound, message: "no such host")
    }
  }

  private struct FixedClock: WallClock {
    func now() -> Timestamp { Timestamp(seconds: 1_795_176_000) }
  }

  /// A new folder with a store, which is removed with it.
  private final class Rig: Sendable {
    let folder: String
    let output = Collected()
    let messages = Collected()
    let services: ServiceContainer
    let configurator: Configurator

    init(
      store: String = "news.db",
      mustExist: Bool = false,
      _ change: (inout Presentation) -> Void = { _ in }
    ) throws {
      folder = FileManager.default.temporaryDirectory.path + "/newsd-configurator-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      var settings = Settings()
      settings.store = "\(folder)/\(store)"
      settings.storeMustExist = mustExist
      var overrides = ServiceContainer.Overrides()
      overrides.fetcher = NoNetwork()
      overrides.clock = FixedClock()
      services = ServiceContainer(
        settings: settings,
        environment: [:],
        program: "newsd/1",
        overrides: overrides
      )
      let terminal = Terminal(now: FixedClock().now())
      let shape = OutputShape(format: .tsv, fields: ["title"], terminal: terminal)
      var presentation = Presentation(shape: shape, output: output, messages: messages)
      change(&presentation)
      configurator = Configurator(services: services, presentation: presentation)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Stores items with these titles, the oldest first.
    func ingest(_ titles: String...) async throws {
      let lines = Mutex(titles.map { Array("{\"title\":\"\($0)\"}\n".utf8) })
      let ingestion = try services.makeItemIngestion()
      _ = try await ingestion.run(into: "Log") { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    func ids(_ titles: String...) async throws -> [NewsItem.ID] {
      let items = try await services.store().items(ItemRequest()).map(\.item)
      return titles.compactMap { title in items.first { $0.title == title }?.id }
    }
  }

  private let all = Route.list(ListRoute(order: .oldest, extent: .all))

  @Test func `A list shows the items and marks nothing; without items it is exit status 1`() async throws {
    let rig = try Rig()
    #expect(try await rig.configurator.open(all) == .nothingMatched)
    try await rig.ingest("One", "Two")
    #expect(try await rig.configurator.open(all) == .done)
    #expect(rig.output.take() == "One\nTwo\n")
    #expect(try await rig.services.store().count(ItemRequest(query: .isRead(true))) == 0)
  }

  @Test func `Of two routes to an item, only one marks it as read`() async throws {
    let rig = try Rig()
    try await rig.ingest("One", "Two")
    let ids = try await rig.ids("One", "Two")
    #expect(try await rig.configurator.open(.items([ids[0]])) == .done)
    #expect(try await rig.configurator.open(.read([ids[1]])) == .done)
    #expect(rig.output.take() == "One\nTwo\n")
    let read = try await rig.services.store().items(ItemRequest(query: .isRead(true))).map(\.item.title)
    #expect(read == ["Two"])
  }

  @Test(arguments: [(1, "One"), (3, "Three")])
  func `An item is opened by its number in a list, also if the list has no pages`(
    _ number: Int,
    _ title: String
  ) async throws {
    let rig = try Rig()
    try await rig.ingest("One", "Two", "Three")
    #expect(try await rig.configurator.item(number, in: all) == .done)
    #expect(rig.output.take() == "\(title)\n")
  }

  @Test func `A number beyond the list, and a screen without items, are errors`() async throws {
    let rig = try Rig()
    try await rig.ingest("One")
    for route in [all, .status] {
      let error = await #expect(throws: UserMessage.self) { try await rig.configurator.item(2, in: route) }
      #expect(error?.code == .usage)
    }
    #expect(rig.output.take().isEmpty)
  }

  @Test func `A cursor file makes the next list begin after this one`() async throws {
    let rig = try Rig()
    let cursor = rig.folder + "/cursor"
    try await rig.ingest("One")
    #expect(try await rig.configurator.arrivals(in: all, cursor: cursor) == .done)
    try await rig.ingest("Two")
    #expect(try await rig.configurator.arrivals(in: all, cursor: cursor) == .done)
    #expect(rig.output.take() == "One\nTwo\n")
    #expect(try await rig.configurator.arrivals(in: all, cursor: cursor) == .nothingMatched)
  }

  @Test func `A list that fails leaves the cursor as it was`() async throws {
    let rig = try Rig()
    let cursor = rig.folder + "/cursor"
    try await rig.ingest("One")
    let unknown = Route.list(ListRoute(filter: ItemFilter(feeds: ["nothing"]), extent: .all))
    let status = try? await rig.configurator.arrivals(in: unknown, cursor: cursor)
    #expect(status != .done)
    #expect(try await rig.configurator.arrivals(in: all, cursor: cursor) == .done)
    #expect(rig.output.take() == "One\n")
  }

  @Test(arguments: [true, false])
  func `Opened items are marked as read only if the browser was started`(_ works: Bool) async throws {
    let rig = try Rig()
    let lines = Mutex([Array(#"{"title":"One","url":"https://a.example/1"}"#.utf8)])
    let ingestion = try rig.services.makeItemIngestion()
    _ = try await ingestion.run(into: "Log") { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    let ids = try await rig.ids("One")
    let status = try? await rig.configurator.browse(ids, marksRead: true) { _, _ in
      if !works { throw UserMessage(code: .io, text: "there is no browser") }
    }
    #expect((status == .done) == works)
    #expect(try await rig.services.store().item(ids[0]).isRead == works)
  }

  @Test(arguments: [(false, Modules.ExitStatus.done), (true, .critical)])
  func
    `The health of a store that cannot be opened is critical, and exit status 0 unless the status is asked for`(
      _ answersVerdict: Bool,
      _ status: Modules.ExitStatus
    ) async throws
  {
    let rig = try Rig(mustExist: true) { $0.shape = OutputShape(terminal: Terminal(now: FixedClock().now())) }
    #expect(try await rig.configurator.health(answersVerdict: answersVerdict) == status)
    #expect(rig.output.take().contains("there is no store"))
  }

  @Test func `A file of another kind is not imported, and no store is created for it`() async throws {
    let rig = try Rig()
    try Data("hello".utf8).write(to: URL(fileURLWithPath: rig.folder + "/notes"))
    let status = try await rig.configurator.import(rig.folder + "/notes", feed: nil, isTrusted: false)
    #expect(status == .badData)
    #expect(!FileManager.default.fileExists(atPath: rig.folder + "/news.db"))
  }

  @Test func `A store that does not exist is not copied, and the copy is not created`() async throws {
    let rig = try Rig()
    let target = rig.folder + "/copy.db"
    let error = await #expect(throws: StoreError.self) {
      try await rig.configurator.copy(from: rig.folder + "/none.db", to: target)
    }
    #expect(error?.code == .missing)
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test func `A copy has the items of the store, and names its target`() async throws {
    let rig = try Rig()
    try await rig.ingest("One")
    let target = rig.folder + "/copy.db"
    #expect(try await rig.configurator.copy(from: rig.folder + "/news.db", to: target) == .done)
    #expect(rig.messages.take().contains("copied 1 feed and 1 item to \(target)"))
  }

  @Test(arguments: [(false, "no such host"), (true, "1 of 1 feed failed")])
  func `A refresh reports on standard error; a quiet one only its error`(_ isQuiet: Bool, _ text: String)
    async throws
  {
    let rig = try Rig { $0.isQuiet = isQuiet }
    _ = try await rig.services.store().add(NewFeed(url: "https://a.example/"), at: FixedClock().now())
    #expect(try await rig.configurator.open(.refresh(RefreshRoute())) == .unreachable)
    let told = rig.messages.take()
    #expect(told.contains(text))
    #expect(told.contains("no such host") == !isQuiet)
    #expect(rig.output.take().isEmpty)
  }

  @Test func `A folder for recordings is created by a fetch, and must exist for a replay`() async throws {
    let rig = try Rig()
    let folder = rig.folder + "/recordings"
    let error = await #expect(throws: UserMessage.self) {
      try await rig.configurator.replay(folder, isSeparate: true)
    }
    #expect(error?.code == .notFound)
    #expect(try await rig.configurator.open(.refresh(RefreshRoute(record: folder))) == .done)
    #expect(FileManager.default.fileExists(atPath: folder))
    let empty = await #expect(throws: UserMessage.self) {
      try await rig.configurator.replay(folder, isSeparate: true)
    }
    #expect(empty?.code == .badData)
  }
}
