@testable import NewsCore
import Synchronization
import Testing

/// Hooks that are added on the page: presets, what is filled in, and the registry.
@Suite struct `Hooks of the page` {
  private func preset(_ hook: Hook, _ secrets: [String: String] = [:]) -> HookPreset {
    HookPreset(name: hook.name, summary: "A: b", advice: "", hook: hook, secrets: secrets)
  }

  private var links: HookPreset {
    var hook = Hook(name: "links", target: .url("https://links.example/api/add"))
    hook.events = [.saved]
    hook.query = nil
    hook.headers = [.init(name: "Authorization", value: "config:links"), .init(name: "Accept", value: "a/b")]
    hook.next = .init(url: "https://links.example/api/{id}", template: "x")
    return preset(hook, ["links": "LOW ACCESSKEY:SECRET"])
  }

  private func filled(_ preset: HookPreset, _ values: [String: String], query: String? = nil) throws -> (
    hook: Hook, secrets: [String: String]
  ) {
    try preset.filled(with: PageHook(name: "mine", preset: preset.name, query: query, values: values))
  }

  @Test func `The address and the words in capitals are asked, secrets are marked, and other words stay`()
    throws
  {
    #expect(links.fields.map(\.name) == ["address", "accesskey", "secret"])
    #expect(links.fields.map(\.isSecret) == [false, true, true])
    let values = ["address": "https://my.example.org/a/b//", "accesskey": "SECRET k", "secret": "s"]
    let (hook, secrets) = try filled(links, values)
    #expect(hook.name == "mine" && hook.isOfPage && hook.query == nil && !hook.allowsPrivate)
    #expect(hook.target == .url("https://my.example.org/a/b/api/add"))
    #expect(hook.next?.url == "https://my.example.org/a/b/api/{id}")
    let name = try #require(Hook.secretName(in: hook.headers[0].value))
    // What was filled in is not filled in again.
    #expect(secrets == [name: "LOW SECRET k:s"] && hook.headers[1].value == "a/b")
    #expect(hook.secretNames == [name] && Set(hook.hiddenTexts) == ["SECRET k", "s"])
  }

  @Test func `A name and a password become Basic credentials, or fields of a form`() throws {
    var hook = Hook(name: "a", target: .url("https://api.a.org/"))
    hook.headers = [.init(name: "Authorization", value: "config:a")]
    let basic = preset(hook, ["a": "Basic BASE64"])
    #expect(basic.fields.map(\.name) == ["name", "password"])
    let secrets = try filled(basic, ["name": "a@b", "password": "p ä"]).secrets
    #expect(Array(secrets.values) == ["Basic YUBiOnAgw6Q="])
    hook.headers = []
    hook.token = .oauth(url: "https://api.a.org/token", form: "a")
    let form = preset(hook, ["a": "id=ID&password=PASSWORD"])
    let (made, fields) = try filled(form, ["id": "1", "password": "a&b=c"])
    #expect(fields.values.map { $0 } == ["id=1&password=a%26b%3Dc"])
    #expect(made.token?.secretName == fields.keys.first)
  }

  @Test func `A word in a template or URL takes no sign with a meaning there`() throws {
    var hook = Hook(name: "n", target: .url("https://n.org/?token=TOKEN&url={url|url}"))
    hook.query = "title:x"
    hook.hasNoBody = true
    let preset = preset(hook)
    for wrong in ["a&b", "a{b", "a\"", "ä", "a b", ""] {
      #expect(throws: StoreError.self, "\(wrong)") { try filled(preset, ["token": wrong]) }
    }
    let made = try filled(preset, ["token": "a-B.9_~"]).hook
    #expect(made.target == .url("https://n.org/?token=a-B.9_~&url={url|url}"))
    // Without a query, a hook for new items takes all of them.
    #expect(made.query == "" && made.hiddenTexts == ["a-B.9_~"])
    #expect(try filled(preset, ["token": "a"], query: "tag:b").hook.query == "tag:b")
  }

  @Test(arguments: [
    "links.example.org", "ftp://a.org", "https://a.org/?x", "https://u:p@a.org", "https://a.org/{url}",
    "https://a.org/ b", "https://a.org#x", "https://", "exec:true",
    String(repeating: "https://a.org/", count: 99),
  ])
  func `An address that is no plain URL is refused`(_ address: String) {
    #expect(throws: StoreError.self) {
      try filled(links, ["address": address, "accesskey": "a", "secret": "s"])
    }
  }

  @Test func `A secret with a line break and a mail address that is an option are refused`() throws {
    let values = ["address": "https://a.org", "accesskey": "a", "secret": "s\r\nX: y"]
    #expect(throws: StoreError.self) { try filled(links, values) }
    let mail = preset(Hook(name: "m", target: .mail("you@example.org")))
    #expect(mail.fields.map(\.example) == ["you@example.org"])
    #expect(try filled(mail, ["mail": "me@a.org"]).hook.target == .mail("me@a.org"))
    for wrong in ["-C/etc/x", "a@b,c@d", "a b@c", ""] {
      #expect(throws: StoreError.self) { try filled(mail, ["mail": wrong]) }
    }
  }

  @Test func `What was filled in is read back as it was stored`() {
    var hook = PageHook(name: "a", preset: "b", values: ["token": "\"ä\\\n\u{0}", "address": ""])
    let again = PageHook(name: "a", preset: "b", query: nil, storedValues: hook.storedValues)
    #expect(again == hook)
    hook = PageHook(name: "a", preset: "b", query: "q", storedValues: "no JSON")
    #expect(hook.values.isEmpty && hook.query == "q")
  }

  // MARK: The registry

  private final class Store: PageHookKeeping {
    let hooks = Mutex<[PageHook]>([])
    func pageHooks() async throws(StoreError) -> [PageHook] { hooks.withLock { $0 } }
    func keep(_ hook: PageHook) async throws(StoreError) { hooks.withLock { $0.append(hook) } }
    func removePageHook(_ name: String) async throws(StoreError) {
      hooks.withLock { $0.removeAll { $0.name == name } }
    }
  }

  @Test func `A hook of the configuration takes precedence, and what cannot fire does not`() async throws {
    var source = HookRegistry.Source()
    source.configured = HookSet(
      configured: [Hook(name: "own", target: .exec(["true"]))],
      secrets: ["links": "x"]
    )
    let program = preset(Hook(name: "program", target: .exec(["sh", "TOKEN"])))
    source.presets = { [links = self.links] in [links, program] }
    let values = ["address": "https://a.org", "accesskey": "a", "secret": "s", "token": "t"]
    let store = Store()
    let registry = HookRegistry(source)
    for (name, preset) in [
      ("Own", "links"), ("b", "links"), ("c", "unknown"), ("d", "program"), ("a b", "links"),
      ("e\r\n", "links"),
    ] {
      try await store.keep(PageHook(name: name, preset: preset, values: values))
    }
    try await store.keep(PageHook(name: "empty", preset: "links"))
    let set = try await registry.read(store)
    #expect(set.hooks.map(\.name) == ["own", "b"] && set.added.count == 7)
    #expect(set.secrets["links"] == "x" && set.secrets.count == 2)
    #expect(registry.current == set && set.hook(named: "b")?.allowsPrivate == false)
    source.configured = HookSet()
    source.mayReachLocal = true
    registry.follow(source)
    let other = try await registry.read(store)
    #expect(other.hooks.map(\.name) == ["Own", "b"] && other.hooks.allSatisfy(\.allowsPrivate))
  }
}
