@testable import DIContainer
import NewsCore
import Synchronization
import Testing

@testable import NewsWeb

@Suite struct `Web page: hooks` {
  private static let preset: HookPreset = {
    var hook = Hook(name: "links", target: .url("https://links.example/api"))
    hook.headers = [.init(name: "Authorization", value: "config:links")]
    hook.events = [.saved, .starred]
    hook.query = nil
    let advice = "The token is under \"Integrations\"."
    let secrets = ["links": "Token TOKEN"]
    return HookPreset(
      name: "links",
      summary: "Links: save the page",
      advice: advice,
      hook: hook,
      secrets: secrets
    )
  }()

  private func rig(_ change: (inout Settings) -> Void = { _ in }) async throws -> WebRig {
    let rig = try WebRig { settings in
      settings.hookPresets = { [Self.preset] }
      change(&settings)
    }
    await rig.logIn()
    return rig
  }

  private let complete = [
    (name: "do", value: "add"), (name: "preset", value: "links"), (name: "name", value: "mine"),
    (name: "with-address", value: "https://a.example/links"), (name: "with-token", value: " t0ken "),
    (name: "current", value: "secret"),
  ]

  private func form(_ changes: [String: String]) -> [(name: String, value: String)] {
    complete.map { ($0.name, changes[$0.name] ?? $0.value) }
      + changes.filter { change in !complete.contains { $0.name == change.key } }.map { ($0.key, $0.value) }
  }

  @Test func `The settings offer services, and a form asks for what one needs`() async throws {
    let rig = try await rig()
    let settings = await rig.get("settings")
    #expect(settings.text.contains("<option value=\"links\">Links</option>"))
    let page = await rig.get("hooks", "preset=links")
    for part in [
      "Add a hook: Links", "Save the page.", "The token is under &quot;Integrations&quot;.",
      "name=\"name\" value=\"links\"", "name=\"with-address\" placeholder=\"https://links.example\"",
      "type=\"password\" name=\"with-token\"", "name=\"current\"",
    ] {
      #expect(page.text.contains(part), "\(part): \(page.text)")
    }
    #expect(await rig.get("hooks").location == "/news/settings#hooks")
    #expect(await rig.get("hooks", "name=other").status == 404)
  }

  @Test func `A hook is added, changed and removed with the password, and its secret is not shown`()
    async throws
  {
    let rig = try await rig()
    #expect(await rig.post("hooks", complete).location == "/news/settings#hooks")
    let hook = PageHook(
      name: "mine",
      preset: "links",
      values: ["address": "https://a.example/links", "token": "t0ken"]
    )
    #expect(try await rig.store.pageHooks() == [hook])
    #expect(try await rig.store.hooks(with: .saved) == ["mine"])
    #expect(rig.services.hooks.current.hooks.map(\.name) == ["mine"])
    let settings = await rig.get("settings")
    #expect(settings.text.contains("Added the hook mine.") && settings.text.contains("/news/hooks?name=mine"))
    #expect(settings.text.contains("Links, https://a.example<"))
    let page = await rig.get("hooks", "name=mine")
    #expect(page.text.contains("value=\"https://a.example/links\""))
    #expect(!page.text.contains("t0ken") && !settings.text.contains("t0ken"))
    let change = form(["do": "change", "with-token": "", "query": "tag:a"])
    #expect(await rig.post("hooks", change).location == "/news/settings#hooks")
    #expect(try await rig.store.pageHooks().first?.query == "tag:a")
    #expect(try await rig.store.pageHooks().first?.values == hook.values)
    #expect(await rig.post("hooks", form(["do": "remove"])).location == "/news/settings#hooks")
    #expect(try await rig.store.pageHooks().isEmpty)
    #expect(try await rig.store.hooks(with: .saved).isEmpty)
    #expect(try await rig.store.hookStates().isEmpty)
  }

  @Test func `A wrong password changes nothing, and what was typed stays but for secrets`() async throws {
    let rig = try await rig()
    let answer = await rig.post("hooks", form(["current": "wrong"]))
    #expect(answer.status == 403 && answer.text.contains("The login password is wrong."))
    #expect(answer.text.contains("value=\"https://a.example/links\"") && !answer.text.contains("t0ken"))
    #expect(try await rig.store.pageHooks().isEmpty)
    _ = await rig.post("hooks", complete)
    let kept = try await rig.store.pageHooks()
    for action in ["change", "remove", "test"] {
      let wrong = form(["do": action, "with-token": "other", "current": ""])
      #expect(await rig.post("hooks", wrong).status == 403)
    }
    #expect(try await rig.store.pageHooks() == kept)
    rig.account.state.withLock { $0.isBlocked = true }
    #expect(await rig.post("hooks", form(["do": "remove"])).text.contains("Too many wrong passwords"))
    #expect(try await rig.store.pageHooks() == kept)
    #expect(await rig.post("hooks", form(["do": "remove"]), hasToken: false).status == 403)
  }

  @Test(arguments: [
    (["preset": "markdown"], "no hook for"), (["with-address": "http://127.0.0.1/"], "loopback address"),
    (["with-address": "http://nas.local/"], "private network"), (["with-address": "x"], "http or https"),
    (["with-token": ""], "token is missing"), (["name": "a b"], "letters, digits"),
    (["query": "colour:red"], "colour"), (["name": "FIXED"], "already"), (["do": "run"], "no action"),
  ])
  func `What cannot be a hook of the page is refused`(_ changes: [String: String], _ reason: String)
    async throws
  {
    let rig = try await rig { $0.hooks = [Hook(name: "fixed", target: .exec(["true"]))] }
    let answer = await rig.post("hooks", form(changes))
    let text = answer.status == 303 ? await rig.get("settings").text : answer.text
    #expect(text.contains(reason), "\(answer.status) \(text)")
    #expect(try await rig.store.pageHooks().isEmpty)
  }

  @Test func `Addresses that the configuration allows are taken`() async throws {
    let allowing = try await rig { $0.network.allowedAddresses = ["127.0.0.0/8"] }
    #expect(await allowing.post("hooks", form(["with-address": "http://127.0.0.1/"])).status == 303)
    #expect(try await allowing.store.pageHooks().count == 1)
  }

  @Test func `A hook of the configuration is shown as fixed and cannot be changed`() async throws {
    let rig = try await rig { $0.hooks = [Hook(name: "fixed", target: .exec(["true"]))] }
    let settings = await rig.get("settings")
    #expect(
      settings.text.contains("fixed in the configuration") && !settings.text.contains("hooks?name=fixed")
    )
    #expect(await rig.get("hooks", "name=fixed").status == 404)
    for action in ["change", "remove", "test"] {
      #expect(await rig.post("hooks", form(["do": action, "name": "fixed"])).status == 404)
    }
  }

  @Test func `A test tells whether the service took the item`() async throws {
    let rig = try await rig { $0.network.allowedAddresses = ["127.0.0.1"] }
    try await rig.fill([ParsedItem("One")])
    // Nothing listens there.
    _ = await rig.post("hooks", form(["with-address": "http://127.0.0.1:1"]))
    let answer = await rig.post("hooks", form(["do": "test", "with-token": ""]))
    #expect(answer.status == 503 && answer.text.contains("mine: http://127.0.0.1:1: "), "\(answer.text)")
  }

  @Test func `Accounts get mail only with the right to run programs, and local addresses only with theirs`()
    async throws
  {
    let mail = HookPreset(
      name: "mail",
      summary: "Mail: send",
      advice: "",
      hook: Hook(name: "mail", target: .mail("you@example.org")),
      secrets: [:]
    )
    for (rights, hasMail, mayReachLocal) in [
      (Set<AccountRight>(), false, false), ([.exec], true, false), ([.local], false, true),
    ] {
      let rig = try WebRig { settings in
        settings.hookPresets = { [mail, Self.preset] }
        settings.account = "anna"
        settings.accountRights = rights
      }
      await rig.logIn()
      #expect(await rig.get("settings").text.contains("value=\"mail\"") == hasMail)
      #expect(
        await rig.post("hooks", form(["with-address": "http://10.0.0.1/"])).status
          == (mayReachLocal ? 303 : 400)
      )
      #expect(rig.services.hooks.current.hooks.first?.allowsPrivate == (mayReachLocal ? true : nil))
    }
  }
}
