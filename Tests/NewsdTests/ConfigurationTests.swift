import DIContainer
import FoundationEssentials
import Modules
import NewsCore
import NewsToolbox
import Testing

@testable import NewsTerminal
@testable import newsd

@Suite struct Configuration {
  @Test func `Settings of the page are fixed by keys with their words`() throws {
    let text =
      "web: {start_page: /folder/A%20b, mark_read: later, mark_scrolled: yes, oldest_first: no, time_zone: Asia/Tokyo, sort_tree: true}"
    let choices = try load(text).web.choices
    #expect(choices.start == "/folder/A%20b" && choices.marking == .later && choices.zone == "Asia/Tokyo")
    #expect(choices.marksScrolled == true && choices.showsOldestFirst == false && choices.sortsTree == true)
    for wrong in [
      "start_page: /logout", "start_page: //evil.example/", "start_page: unread", "mark_read: often",
      "mark_scrolled: 2", "time_zone: Europe Berlin",
    ] {
      #expect(throws: ConfigurationError.self, "\(wrong)") { try load("web: {\(wrong)}") }
    }
  }

  private func load(_ text: String, environment: [String: String] = [:]) throws -> Settings {
    var settings = Settings()
    try ConfigurationLoader(environment: environment).apply(
      Array(text.utf8),
      file: "newsd.yaml",
      to: &settings
    )
    return settings
  }

  @Test(arguments: [#"store: "a\0b""#, #"hooks: [{name: x, exec: ["a\0b"]}]"#])
  func `A value with NUL is refused`(_ text: String) {
    #expect(throws: ConfigurationError.self) { try load(text) }
  }

  @Test func `Ways to log in and the OpenID provider are read`() throws {
    let settings = try load(
      """
      web: {log_in: [header, oidc], auth_header: X-User, listen: "unix:/x"}
      oidc: {issuer: "https://a.example/b/", client_id: news, client_secret_file: /s, groups: [g, h], links_accounts: true}
      """
    )
    #expect(settings.web.ways == [.header, .oidc] && settings.web.authHeader == "X-User")
    #expect(settings.openID.issuer == "https://a.example/b/" && settings.openID.clientID == "news")
    #expect(settings.openID.groups == ["g", "h"] && settings.openID.clientSecretFile == "/s")
    #expect(settings.openID.linksAccounts && !settings.openID.createsAccounts)
    #expect(Settings().web.ways == [.password])
    // Bug reports show none of it.
    for key in ["web.auth_header", "oidc.issuer", "oidc.client_id", "oidc.client_secret_file"] {
      #expect(settings.configured[key] == "set", "\(key)")
    }
  }

  @Test(arguments: [
    ("web: {log_in: [header], listen: '127.0.0.1:1'}", "name the reverse proxy there"),
    ("web: {log_in: [oidc]}", "web.log_in has oidc, but oidc.issuer or oidc.client_id is not set"),
    ("oidc: {creates_accounts: true}", "oidc.creates_accounts needs accounts.dir"),
    ("web: {log_in: [both]}", "takes one of password, header, oidc, not 'both'"),
    ("web: {auth_header: 'A B'}", "takes the name of a header field"),
    ("web: {auth_header: Cookie}", "takes the name of a header field"),
    ("oidc: {issuer: 'http://auth.example'}", "http:// with a loopback address"),
  ])
  func `Ways to log in that are not safe or cannot work are refused`(_ text: String, _ message: String) {
    let file = "/tmp/newsd-configuration-\(UInt64.random(in: .min ... .max)).yaml"
    #expect(FileManager.default.createFile(atPath: file, contents: Data(text.utf8)))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let error = #expect(throws: ConfigurationError.self) {
      try ConfigurationLoader(environment: [:]).load(flag: file)
    }
    #expect(error?.message.contains(message) == true, "\(error as Any)")
  }

  @Test func `A message about the configuration is one line`() {
    let (status, text) = ErrorReport.describe(ConfigurationError(message: "unknown key a\r\nb\u{1B}"))
    #expect(status == .configuration)
    #expect(text == "unknown key a??b?")
  }

  @Test func `Sections, durations, sizes and lists are read`() throws {
    let settings = try load(
      """
      store: /tmp/x.db
      network:
        per_site: 3
        spacing: 250ms
        allow: [10.0.0.0/8, intranet.example]
      fetch:
        maximum_size: 2MiB
      poll:
        minimum_interval: 30m
      log:
        format: json
      credentials:
        work: alice:secret
      """
    )
    #expect(settings.store == "/tmp/x.db")
    #expect(settings.network.perSite == 3)
    #expect(settings.network.spacing == 250)
    #expect(settings.network.allowedAddresses == ["10.0.0.0/8", "intranet.example"])
    #expect(settings.limits.bodyBytes == 2 << 20)
    #expect(settings.poll.minimumInterval == 1800)
    #expect(settings.log.format == .json)
    #expect(settings.credentials == ["work": "alice:secret"])
  }

  @Test(arguments: [
    ("network:\n  per_sit: 3", "newsd.yaml:2: unknown key network.per_sit: did you mean 'network.per_site'?"),
    ("netwrk:\n  per_site: 3", "newsd.yaml:1: unknown key netwrk: did you mean 'network'?"),
    (
      "network:\n\n  per_site: many",
      "newsd.yaml:3: network.per_site takes a whole number from 1 to 64, not 'many'"
    ),
    (
      "fetch:\n  total_timeout: 5",
      "newsd.yaml:2: fetch.total_timeout takes a duration such as 30s, 15m, 12h or 7d, not '5'"
    ),
    ("network:\n  allow: 10.0.0.0/8", "newsd.yaml:2: network.allow takes a list"),
    ("log:\n  format: xml", "newsd.yaml:2: log.format takes text or json, not 'xml'"),
    ("store: a\nstore: b", "newsd.yaml:2: store is set twice"),
    ("- a\n- b", "newsd.yaml:1: the configuration must consist of 'key: value' lines"),
    ("network: [", "newsd.yaml:2: did not find expected node content"),
  ])
  func `A wrong key or value is reported with file and line`(_ text: String, _ message: String) {
    let error = #expect(throws: ConfigurationError.self) { try load(text) }
    #expect(error?.message == message)
  }

  @Test func `A former name of a key is read with a warning, also as a variable`() throws {
    var loader = ConfigurationLoader(environment: ["NEWSD_HTTP_SPACING": "3s"])
    loader.renamedKeys = ["http.per_site": "network.per_site", "http.spacing": "network.spacing"]
    var settings = Settings()
    try loader.apply(Array("http:\n  per_site: 3".utf8), file: "newsd.yaml", to: &settings)
    #expect(settings.network.perSite == 3)
    #expect(
      settings.configurationWarnings == [
        "newsd.yaml:2: http.per_site is now called network.per_site; rename it"
      ]
    )
    loader.environment["HOME"] = "/nonexistent"
    let loaded = try loader.load(flag: nil)
    #expect(loaded.network.spacing == 3000)
    #expect(
      loaded.configurationWarnings == ["NEWSD_HTTP_SPACING is now called NEWSD_NETWORK_SPACING; rename it"]
    )
    var again = Settings()
    #expect(throws: ConfigurationError.self) {
      try loader.apply(
        Array("http: {per_site: 3}\nnetwork: {per_site: 4}".utf8),
        file: "newsd.yaml",
        to: &again
      )
    }
  }

  @Test func `The path of the store and its upgrade are separate keys`() throws {
    let settings = try load("store: /tmp/x.db\nstore.upgrade: manual")
    #expect(settings.store == "/tmp/x.db")
    #expect(settings.storeUpgrade == .manual)
  }

  @Test func `Folders can have separate retention limits`() throws {
    let settings = try load(
      "retention:\n  keep_days: 90\n  folders:\n    News/Local/: {keep_days: 7}\n    Podcasts:\n      keep_items: 5\n"
    )
    #expect(settings.retention.rules.folders["News/Local"] == RetentionPolicy(days: 7))
    #expect(settings.retention.rules.folders["Podcasts"] == RetentionPolicy(items: 5))
    #expect(settings.retention.rules.general == RetentionPolicy(days: 90))
    let wrong = #expect(throws: ConfigurationError.self) {
      try load("retention:\n  folders:\n    News:\n      keep_day: 7\n")
    }
    #expect(wrong?.message.contains("newsd.yaml:4") == true)
    #expect(wrong?.message.contains("keep_days") == true)
  }

  @Test func `Keys, colours and programs of the reader are read`() throws {
    let settings = try load(
      """
      reader:
        mark_read: 5s
      keys:
        list: {x: toggle-star, s: none, g s: reverse}
      colors:
        unread: "bold #ff8800 on blue"
      actions:
        save: [prog, "an argument"]
        mail: mail -s News
      """
    )
    let keys = settings.reader.keys
    #expect(keys.meaning(of: Key.sequence("x") ?? [], in: .list) == .action(.toggleStar))
    #expect(keys.meaning(of: Key.sequence("s") ?? [], in: .list) == .action(.none))
    #expect(keys.meaning(of: Key.sequence("gs") ?? [], in: .list) == .action(.reverse))
    let look = Appearance(.rgb(red: 255, green: 136, blue: 0), on: .indexed(4), [.bold])
    #expect(settings.reader.theme[.unread] == look)
    #expect(settings.reader.actions.map(\.words) == [["prog", "an argument"], ["mail", "-s", "News"]])
    #expect(settings.reader.marksRead == .after(seconds: 5))
  }

  @Test(arguments: [
    ("keys:\n  lst: {j: next}", "newsd.yaml:2: keys.lst is not a screen of the reader: did you mean 'list'?"),
    (
      "keys:\n  list:\n    j: nxt",
      "newsd.yaml:3: keys.list.j: there is no action 'nxt': did you mean 'next'?"
    ),
    (
      "colors:\n  unred: red",
      "newsd.yaml:2: colors.unred is not a part of the screen: did you mean 'unread'?"
    ),
    ("actions:\n  save: []", "newsd.yaml:2: actions.save takes a program and its arguments"),
  ])
  func `An unknown screen, action or part to colour, or an empty program, is reported with file and line`(
    _ text: String,
    _ message: String
  ) {
    let error = #expect(throws: ConfigurationError.self) { try load(text) }
    #expect(error?.message == message)
  }

  @Test func `The environment overrides the defaults`() throws {
    let loader = ConfigurationLoader(environment: [
      "NEWSD_NETWORK_PER_SITE": "7", "NEWSD_NETWORK_ALLOW": "10.0.0.0/8,::1/128", "HOME": "/nowhere",
      "NEWSD_ALLOW_PRIVATE": "1",
    ])
    let settings = try loader.load(flag: nil)
    #expect(settings.network.perSite == 7)
    #expect(settings.network.allowedAddresses == ["10.0.0.0/8", "::1/128"])
    #expect(settings.network.allowsPrivate)
  }

  @Test(arguments: ["NEWSD_STORE", "NEWSD_RETENTION_FOLDERS", "NEWSD_CREDENTIALS"])
  func `An environment variable that newsd would ignore is rejected`(_ name: String) {
    let loader = ConfigurationLoader(environment: [name: "x", "HOME": "/nowhere"])
    let error = #expect(throws: ConfigurationError.self) { try loader.load(flag: nil) }
    #expect(error?.message.hasPrefix("newsd does not read \(name): ") == true)
  }

  @Test(arguments: [
    ("network:\n  allow: [10.0.0.0/8, 10.0.0.0/33]", "newsd.yaml:2: network.allow takes networks"),
    ("network:\n  allow: [10.0.0]", "newsd.yaml:2: network.allow takes networks"),
    ("network:\n  allow: ['a b']", "newsd.yaml:2: network.allow takes networks"),
    ("network:\n  proxy: ftp://proxy.example", "newsd.yaml:2: network.proxy takes http://"),
    ("network:\n  proxy: 'http://proxy example'", "newsd.yaml:2: network.proxy takes http://"),
    ("network:\n  proxy: socks5h://", "newsd.yaml:2: network.proxy takes http://"),
  ])
  func `An invalid destination or proxy is rejected`(_ text: String, _ message: String) {
    let error = #expect(throws: ConfigurationError.self) { try load(text) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    "http://proxy.example:3128", "https://user:word@proxy.example", "socks5h://127.0.0.1:9050",
    "socks5://[::1]:1080", "proxy.example:3128",
  ])
  func `Proxies in libcurl's forms are accepted`(_ proxy: String) throws {
    #expect(try load("network:\n  proxy: '\(proxy)'").network.proxy == proxy)
  }

  @Test(arguments: ["NEWSD_WEB_PASSWORD", "NEWSD_WEB_LISTENER", "NEWSD_BD", "NEWSD_PAGE", "NEWSD_NODE_"])
  func `An unknown variable of a section, or one edit from a known one, is an error`(_ name: String) {
    let loader = ConfigurationLoader(environment: [name: "x", "HOME": "/nowhere"])
    #expect {
      try loader.load(flag: nil)
    } throws: {
      "\($0)".hasPrefix("unknown environment variable \(name)")
    }
  }

  @Test func `Any other unknown variable is a warning; known ones and those of other programs are not`()
    throws
  {
    let loader = ConfigurationLoader(environment: [
      "NEWSD_COLOUR_SCHEME": "x", "NEWSD_DB": "/a", "NEWSD_PAGER": "cat", "NEWSD_EVENT": "x", "NEWSDX": "x",
      "NEWSD_WEB_USER": "a", "HOME": "/nowhere",
    ])
    _ = try loader.load(flag: nil)
    #expect(loader.warnings == ["unknown environment variable NEWSD_COLOUR_SCHEME"])
  }

  @Test func `The error for an invalid environment variable names the variable`() {
    let loader = ConfigurationLoader(environment: ["NEWSD_FETCH_REDIRECTS": "lots", "HOME": "/nowhere"])
    let error = #expect(throws: ConfigurationError.self) { try loader.load(flag: nil) }
    #expect(error?.message == "NEWSD_FETCH_REDIRECTS takes a whole number from 0 to 50, not 'lots'")
  }

  @Test(arguments: [
    (["NEWSD_DB": "/a.db", "STATE_DIRECTORY": "/s"], "/a.db"),
    (["STATE_DIRECTORY": "/s:/t", "XDG_DATA_HOME": "/x"], "/s/newsd.db"),
    (["XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/newsd/newsd.db"),
    (["HOME": "/h"], "/h/.local/share/newsd/newsd.db"),
  ])
  func `The store's path is chosen in the documented order`(_ environment: [String: String], _ path: String) {
    let loader = ConfigurationLoader(environment: environment, isRoot: false)
    #expect(loader.storePath(flag: nil, settings: Settings()) == path)
    #expect(loader.storePath(flag: "/f.db", settings: Settings()) == "/f.db")
  }

  /// `#filePath` stands for a store that exists.
  @Test(arguments: [
    (["HOME": "/nowhere"], true, #filePath, true), (["HOME": "/nowhere"], false, #filePath, false),
    (["HOME": "/nowhere"], true, "/no/service", false),
    (["HOME": "/", "NEWSD_DB": "/a.db"], true, #filePath, false),
    (["STATE_DIRECTORY": "/s"], true, #filePath, false),
  ])
  func `Root without a store of its own uses the service's, if it exists and no store is named`(
    _ environment: [String: String],
    _ isRoot: Bool,
    _ service: String,
    _ isUsed: Bool
  ) {
    let loader = ConfigurationLoader(environment: environment, isRoot: isRoot, serviceStore: service)
    #expect(loader.usesServiceStore(flag: nil, settings: Settings()) == isUsed)
    #expect((loader.storePath(flag: nil, settings: Settings()) == service) == isUsed)
    #expect(!loader.usesServiceStore(flag: "/f.db", settings: Settings()))
    let note = loader.storeNote(flag: nil, settings: Settings())
    #expect(note?.hasPrefix("using the service's store") == (isUsed ? true : nil))
    var settings = Settings()
    settings.store = "/configured.db"
    #expect(loader.storePath(flag: nil, settings: settings) != service)
  }

  /// `#filePath` stands for a unit, a store and systemd that exist.
  @Test(arguments: [
    (["HOME": "/nowhere"], true, "/no/service", #filePath, true),
    (["HOME": "/nowhere"], false, "/no/service", #filePath, false),
    (["HOME": "/nowhere"], true, #filePath, #filePath, false),
    (["HOME": "/nowhere"], true, "/no/service", "/no/unit", false),
    (["HOME": "/nowhere", "NEWSD_DB": "/a.db"], true, "/no/service", #filePath, false),
    (["STATE_DIRECTORY": "/s"], true, "/no/service", #filePath, false),
  ])
  func `Root makes no store of its own while the installed service has none`(
    _ environment: [String: String],
    _ isRoot: Bool,
    _ service: String,
    _ unit: String,
    _ isAdvised: Bool
  ) {
    var loader = ConfigurationLoader(environment: environment, isRoot: isRoot, serviceStore: service)
    loader.serviceUnits = ["/no/other", unit]
    loader.systemdFolder = #filePath
    let advice = loader.serviceAdvice(flag: nil, settings: Settings())
    #expect(advice?.contains("'systemctl enable --now newsd'") == (isAdvised ? true : nil))
    #expect(loader.serviceAdvice(flag: "/f.db", settings: Settings()) == nil)
    loader.systemdFolder = "/no/systemd"
    #expect(loader.serviceAdvice(flag: nil, settings: Settings()) == nil)
  }

  @Test func `Root's own store stays in use when the service is installed later`() throws {
    let home = FileManager.default.temporaryDirectory.path + "/newsd-root-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: home + "/newsd", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    var loader = ConfigurationLoader(
      environment: ["XDG_DATA_HOME": home],
      isRoot: true,
      serviceStore: "/no/service"
    )
    loader.serviceUnits = [#filePath]
    loader.systemdFolder = #filePath
    #expect(loader.serviceAdvice(flag: nil, settings: Settings()) != nil)
    #expect(FileManager.default.createFile(atPath: home + "/newsd/newsd.db", contents: nil))
    #expect(loader.serviceAdvice(flag: nil, settings: Settings()) == nil)
  }

  /// Uncomments the documented defaults of config/newsd.yaml and loads them, so that the file cannot deviate from
  /// the code.
  @Test func `The documented configuration names every key and is valid`() throws {
    let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let bytes = try FileBytes.read("/\(path)/config/newsd.yaml")
    var settings = Settings()
    try ConfigurationLoader(environment: [:]).apply(bytes, file: "newsd.yaml", to: &settings)

    let keys = Set(ConfigurationKey.all.map(\.name))
    var section = ""
    var documented: Set<String> = []
    var uncommented = ""
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if !line.hasPrefix(" "), !line.hasPrefix("#"), line.hasSuffix(":") { section = line.dropLast() + "." }
      let isIndented = line.hasPrefix("  # ")
      let body = line.drop { $0 == " " || $0 == "#" }
      let name = (isIndented ? section : "") + body.prefix { $0 != ":" }
      if line.contains("# "), keys.contains(name) {
        documented.insert(name)
        uncommented += (isIndented ? "  " : "") + body + "\n"
      } else if !line.hasPrefix("#"), !line.hasPrefix(" ") {
        uncommented += line + "\n"
      }
    }
    #expect(documented == keys)
    #expect(throws: Never.self) { try load(uncommented) }
  }
}
