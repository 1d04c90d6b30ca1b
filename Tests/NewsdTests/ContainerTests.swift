import FoundationEssentials
import NewsCore
import Testing

@testable import DIContainer

/// What the container decides when it makes services.
@Suite struct `Container of services` {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/newsd-container-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func container(store: String = "news.db", former: ServiceContainer? = nil) -> ServiceContainer {
    var settings = Settings()
    settings.store = store.contains("://") ? store : "\(folder)/\(store)"
    var overrides = ServiceContainer.Overrides()
    overrides.former = former
    let environment = ["STATE_DIRECTORY": folder]
    return ServiceContainer(
      settings: settings,
      environment: environment,
      program: "newsd/1",
      overrides: overrides
    )
  }

  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name)") }

  private func withFolderRemoved(_ body: () async throws -> Void) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body()
  }

  @Test func `An account that a command makes is linked to no person`() async throws {
    try await withFolderRemoved {
      var settings = Settings()
      settings.accounts.directory = folder
      let accounts = try #require(try AccountSet(settings: settings, environment: [:], program: "newsd/1"))
      let (draft, issuer) = ("\(folder)/.anna.draft", "https://id.example")
      // A log-in was interrupted.
      let begun = try StorePlace(draft).open(mustExist: false)
      _ = try await begun.ports.keep(SignOnLink(account: "anna", subject: "1"), to: issuer)
      await begun.close()
      try await accounts.fill(draft, from: nil)
      let made = try StorePlace(draft).open(mustExist: true)
      #expect(try await made.ports.signOnLink(to: issuer) == nil)
      await made.close()
    }
  }

  @Test func `Hooks that name no account, or one that is not there, are idle`() throws {
    var settings = Settings()
    settings.accounts.directory = folder
    func hook(_ name: String) -> Hook { Hook(name: name, target: .exec(["/bin/true"])) }
    settings.hooks = [hook("first")]
    settings.accounts.hooks = ["anna": [hook("second")], "ben": [hook("third")], "Zed": [hook("fourth")]]
    let accounts = try #require(try AccountSet(settings: settings, environment: [:], program: "newsd/1"))
    let disabled = Account(name: "anna", store: "\(folder)/anna.db", state: .disabled)
    let idle = accounts.idleHooks([disabled])
    #expect(idle.map(\.hook) == ["first", "fourth", "third"])
    let starts = [
      "the hook names no account", "there is no account 'Zed', and can be none: ",
      "there is no account 'ben'",
    ]
    #expect(zip(idle, starts).allSatisfy { $0.reason.hasPrefix($1) }, "\(idle)")
  }

  @Test
  func `The accounts of a process have one memory for parsed feeds, of which each leaves half to the others`()
    throws
  {
    var settings = Settings()
    settings.accounts.directory = folder
    let accounts = try #require(try AccountSet(settings: settings, environment: [:], program: "newsd/1"))
    let network = accounts.makeNetwork(SystemTime())
    func account(_ name: String, _ network: SharedNetwork, former: ServiceContainer? = nil) throws
      -> RefreshOptions
    {
      let account = Account(name: name, store: "\(folder)/\(name).db", state: .active)
      return try accounts.container(of: account, network: network, former: former).refreshOptions
    }
    let anna = try account("anna", network)
    #expect(try account("ben", network).memory === anna.memory)
    #expect(try account("anna", accounts.makeNetwork(SystemTime(), former: network)).memory === anna.memory)
    #expect(anna.heldBytes == settings.network.bodyBudget / 2)
    let single = container()
    #expect(single.refreshOptions.memory === single.refreshOptions.memory)
    #expect(container(former: single).refreshOptions.memory === single.refreshOptions.memory)
    #expect(single.refreshOptions.heldBytes == settings.network.bodyBudget)
  }

  @Test func `All that extracts articles for an account takes turns, also after a reload`() async throws {
    try await withFolderRemoved {
      let services = container()
      let turns = services.makeArticleFetch().turns
      #expect(services.makeArticleFetch().turns === turns)
      #expect(container(former: services).makeArticleFetch().turns === turns)
      #expect(container().makeArticleFetch().turns !== turns)
    }
  }

  @Test func `A store is not opened by what does not need it`() async throws {
    try await withFolderRemoved {
      let services = container()
      try await services.registerHooks()
      _ = services.makeItemImport()
      _ = services.fetcher
      await services.close()
      await services.shutdown()
      #expect(!exists("news.db"))
      _ = try await services.store().feeds()
      #expect(exists("news.db"))
      await services.close()
    }
  }

  @Test func `After a reload, the container has the store that was open before`() async throws {
    try await withFolderRemoved {
      let former = container()
      _ = try await former.store().add(NewFeed(url: "https://a.example/"), at: Timestamp(seconds: 1))
      let reloaded = container(store: "other.db", former: former)
      #expect(try await reloaded.store().feeds().map(\.url) == ["https://a.example/"])
      #expect(!exists("other.db"))
      await former.close()
    }
  }

  @Test func `The only process on a file has every duty, and no name as a node`() async throws {
    try await withFolderRemoved {
      let services = container()
      _ = try services.store()
      try await services.joinNodes(reportingClock: { _ in }, reportingFailures: { _ in }, ofStore: { _ in })
      #expect(await services.holds(.hubs))
      #expect(services.sharedNodeName == nil && services.feedListWaiter() == nil)
      #expect(try services.nodes() == nil)
      await services.close()
    }
  }

  @Test func `One daemon of a machine polls a store in a file; several poll a store on a server`()
    async throws
  {
    try await withFolderRemoved {
      let first = try container().takeInstanceLock()
      #expect(throws: InstanceLockError.self) { try container().takeInstanceLock() }
      let address = "postgresql://db.example/news"
      let second = try container(store: address).takeInstanceLock()
      let third = try container(store: address).takeInstanceLock()
      withExtendedLifetime((first, second, third)) {}
    }
  }

  @Test func `Nothing is fetched if the file with the locks is a link to another file`() async throws {
    try await withFolderRemoved {
      let services = container()
      _ = try services.store()
      let locks = "\(folder)/news.db.claims"
      try FileManager.default.createSymbolicLink(atPath: locks, withDestinationPath: "\(folder)/victim")
      let error = #expect(throws: StoreError.self) { _ = try services.makeRefresher() }
      #expect(error?.code == .unreadable)
      #expect(throws: StoreError.self) { _ = try services.makeFeedAdder() }
      #expect(!exists("victim"))
      await services.close()
    }
  }

  @Test func `Programs may not see the variables with credentials of the feeds, also new ones`() async throws
  {
    try await withFolderRemoved {
      let services = container()
      let variables = CredentialVariables { try? services.store() }
      #expect(await variables.names().isEmpty)
      var settings = FeedSettings()
      settings.credential = "env:SECRET"
      let feed = NewFeed(url: "https://a.example/", settings: settings)
      _ = try await services.store().add(feed, at: Timestamp(seconds: 1))
      #expect(await variables.names() == ["SECRET"])
      #expect(await CredentialVariables { nil }.names().isEmpty)
      await services.close()
    }
  }

  @Test func `Sendmail is found in PATH first; a file that cannot be executed is skipped`() async throws {
    try await withFolderRemoved {
      for (name, mode) in [("a", 0o644), ("b", 0o755)] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name)",
          withIntermediateDirectories: true
        )
        let path = "\(folder)/\(name)/sendmail"
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      }
      #expect(MailProgram.path(searching: "\(folder)/a:\(folder)/b") == "\(folder)/b/sendmail")
    }
  }
}

@Suite struct `Items of other programs` {
  @Test(arguments: [
    ("1700000000\tTitle\thttps://a.example/1\n", true), ("\tTitle\thttps://a.example/1\n", true),
    ("1700000000 Title\n", false), ("Title\thttps://a.example/1\n", false), ("", false),
  ])
  func `A table of sfeed begins with a time, or with an empty one, and a tab`(_ text: String, _ isTable: Bool)
  {
    #expect((ForeignItems().items(inTable: Array(text.utf8)) != nil) == isTable)
  }

  @Test func `Markup and addresses of a table are sanitized`() throws {
    let line = "1\tTitle\tjavascript:alert(1)\t<p>Text<script>alert(1)</script></p>\thtml\n"
    let items = try #require(ForeignItems().items(inTable: Array(line.utf8)))
    #expect(items[0].item.url == nil)
    #expect(items[0].item.contentHTML == "<p>Text</p>")
    #expect(items[0].item.contentText == "Text")
  }

  @Test func `Addresses are resolved against the item's own, and enclosures with unsafe ones are removed`() {
    var item = ParsedItem()
    item.url = "posts/1"
    item.image = "/logo.png"
    item.enclosures = [Enclosure(url: "javascript:1"), Enclosure(url: "episode.mp3")]
    let cleaned = ItemCleaner().cleaned(item, base: "https://a.example/feeds/all")
    #expect(cleaned.url == "https://a.example/feeds/posts/1")
    #expect(cleaned.image == "https://a.example/logo.png")
    #expect(cleaned.enclosures.map(\.url) == ["https://a.example/feeds/posts/episode.mp3"])
  }
}
