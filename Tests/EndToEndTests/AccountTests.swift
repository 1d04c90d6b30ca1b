import FoundationEssentials
import Glibc
import TestServer
import TestSupport
import Testing

/// A newsd whose configuration has accounts: in a folder, or in schemas of a database of their own.
struct AccountRig {
  enum Place { case folder, server }

  /// Where the accounts of the running test are.
  @TaskLocal static var place = Place.folder

  let directory = TemporaryDirectory()
  /// The address of the database; nil: the accounts are in the folder.
  let server = place == .server ? TestDatabase.shared?.newDatabase() : nil

  var folder: String { directory.path + "/accounts" }

  /// newsd with the folder of accounts; `environment` is added.
  func newsd(_ environment: [String: String] = [:]) -> Program {
    let accounts =
      server.map { ["NEWSD_DB": "", "NEWSD_ACCOUNTS_STORE": $0] }
      ?? ["NEWSD_DB": "", "NEWSD_ACCOUNTS_DIR": folder]
    return Program(in: directory, environment: accounts.merging(environment) { $1 })
  }

  /// newsd without accounts.
  var plain: Program { Program(in: directory) }

  func add(_ names: String...) throws {
    for name in names {
      let made = try newsd().run("accounts", "add", name)
      #expect(made.status == 0, "\(made.errors)")
    }
  }

  func ingest(_ title: String, into account: String) throws {
    let line = "{\"id\":\"\(title)\",\"title\":\"\(title)\"}\n"
    let stored = try newsd().run(["--account", account, "ingest", "--feed", "of-\(account)"], input: line)
    #expect(stored.status == 0, "\(stored.errors)")
  }

  func titles(of account: String) throws -> String {
    try newsd().run("--account", account, "list", "--format", "tsv", "--fields", "title").output
  }
}

/// Runs each test for accounts in a folder and, where PostgreSQL is installed, for accounts on a server.
struct EveryPlaceOfAccounts: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await function()
    guard TestDatabase.shared != nil else { return }
    try await AccountRig.$place.withValue(.server, operation: function)
  }
}

extension Trait where Self == EveryPlaceOfAccounts {
  static var everyPlaceOfAccounts: Self { EveryPlaceOfAccounts() }
}

@Suite(.blocking) struct `Accounts` {
  private let rig = AccountRig()

  @Test func `Without an account, commands for all of them fail`() throws {
    for words in [
      ["status", "--health"], ["backup", rig.directory.path + "/kept", "--keep", "2"], ["prune"],
    ] {
      let result = try rig.newsd().run(words)
      // A monitor gets a report.
      let isReport = words == ["status", "--health"]
      #expect(result.status == (isReport ? 2 : 66), "\(words): \(result.errors)")
      let text = isReport ? result.output : result.errors
      #expect(text.contains("'newsd accounts add NAME' makes one"), "\(text)")
    }
  }

  @Test func `An account that begins with the store of another is set up by its own address`() throws {
    let web = ["NEWSD_WEB_LISTEN": "127.0.0.1:0"]
    #expect(try rig.newsd(web).run("accounts", "add", "ben").errors.contains("token=ben."))
    let copy = try rig.newsd(web).run("accounts", "add", "dora", "--from", rig.folder + "/ben.db")
    #expect(copy.errors.contains("token=dora."), "\(copy.errors)")
  }

  @Test func `The copy of another account has none of its app passwords, that of a store has all`() throws {
    try rig.add("ben")
    #expect(try rig.newsd().run("--account", "ben", "web", "apps", "add", "phone").status == 0)
    for (name, source) in [("dora", rig.folder + "/ben.db"), ("eve", rig.directory.path + "/moved.db")] {
      if name == "eve" { #expect(rename(rig.folder + "/ben.db", source) == 0) }
      let made = try rig.newsd().run("accounts", "add", name, "--from", source)
      #expect(made.status == 0, "\(made.errors)")
    }
    #expect(try rig.newsd().run("--account", "dora", "web", "apps").output == "")
    #expect(try rig.newsd().run("--account", "eve", "web", "apps").output.hasPrefix("phone\t"))
  }

  @Test func `What a killed 'accounts add' leaves keeps no account from being used, and is removed`() throws {
    try rig.add("anna")
    let left = rig.folder + "/.anna.2147483646"
    #expect(link(rig.folder + "/anna.db", left) == 0)
    close(open(rig.folder + "/.carl.2147483646-wal", O_CREAT | O_WRONLY, 0o600))
    close(open(rig.folder + "/.dora.\(getpid())", O_CREAT | O_WRONLY, 0o600))
    let states = try rig.newsd().run("accounts", "--format", "tsv", "--fields", "account,state")
    #expect(states.output == "anna\tactive\n")
    try rig.add("ben")
    let names = try FileManager.default.contentsOfDirectory(atPath: rig.folder)
    #expect(names.filter { $0.hasPrefix(".") } == [".dora.\(getpid())"], "\(names)")
    #expect(try rig.newsd().run("accounts", "--format", "ids").output == "anna\nben\n")
  }

  @Test(.enabled(if: getuid() == 0))
  func `What root makes in another user's folder is that user's, and follows no link`() throws {
    let newsd = rig.newsd()
    try FileManager.default.createDirectory(atPath: rig.folder, withIntermediateDirectories: true)
    for place in [rig.directory.path, rig.folder] { chmod(place, 0o755) }
    chown(rig.folder, 4711, 4711)
    let source = rig.directory.path + "/source.db"
    #expect(
      try rig.plain.run(["--db", source, "ingest", "--feed", "a"], input: "{\"id\":\"1\"}\n").status == 0
    )
    chmod(source, 0o600)
    for words in [["anna"], ["ben", "--from", source]] {
      let made = try newsd.run(["accounts", "add"] + words)
      #expect(made.status == 0, "\(made.errors)")
      var status = stat()
      #expect(stat(rig.folder + "/\(words[0]).db", &status) == 0)
      #expect(status.st_uid == 4711 && status.st_mode & 0o777 == 0o600)
    }
    #expect(try rig.newsd().run("--account", "ben", "list", "--format", "ids").lines.count == 1)
    // The folder for removed stores leads into one of root's.
    let own = rig.directory.path + "/own"
    mkdir(own, 0o700)
    symlink(own, rig.folder + "/removed")
    let refused = try newsd.run("accounts", "remove", "anna", "--yes")
    #expect(refused.status != 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: own).isEmpty)
    #expect(access(rig.folder + "/anna.db", F_OK) == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: rig.folder)
    #expect(!left.contains { $0.hasPrefix(".") }, "\(left)")
  }

  @Test func `The configuration gives rights to accounts by name`() throws {
    try rig.add("anna", "bob")
    let feed = "file://" + rig.directory.write(Sample.rss(["One"]), to: "feed.xml")
    let file = rig.directory.write("accounts: {may: {anna: [file]}}\n", to: "newsd.yaml")
    let newsd = rig.newsd(["NEWSD_CONFIG": file])
    let added = try newsd.run("--account", "anna", "feeds", "add", feed)
    #expect(added.status == 0, "\(added.errors)")
    let refused = try newsd.run("--account", "bob", "feeds", "add", feed)
    #expect(refused.status != 0 && refused.errors.contains("which accounts may not do"), "\(refused.errors)")
    #expect(try rig.titles(of: "anna") == "One\n")
    rig.directory.write("accounts: {may: {anna: [root]}}\n", to: "newsd.yaml")
    let wrong = try newsd.run("accounts")
    #expect(wrong.status == 78)
    #expect(wrong.errors.contains("newsd.yaml:1: the rights of accounts are exec, file, env, proxy, local"))
  }

  @Test(.everyPlaceOfAccounts)
  func `A command works on the store of the account that an option or the environment names`() throws {
    let none = try rig.newsd().run("list")
    #expect(none.status == 64)
    #expect(none.errors.contains("there is no account yet; 'newsd accounts add NAME' makes one"))
    try rig.add("anna", "bob")
    try rig.ingest("Apple", into: "anna")
    try rig.ingest("Banana", into: "bob")
    #expect(try rig.titles(of: "anna") == "Apple\n")
    #expect(try rig.newsd(["NEWSD_ACCOUNT": "bob"]).run("list", "--format", "ids").lines.count == 1)
    #expect(try rig.newsd(["NEWSD_ACCOUNT": "bob"]).run("search", "Apple").status == 1)
    for command in [
      ["list"], ["status"], ["feeds"], ["web", "apps"], ["export", "--all"], ["restore", "x.db"],
    ] {
      let unnamed = try rig.newsd().run(command)
      #expect(unnamed.status == 64, "\(command): \(unnamed.errors)")
      #expect(unnamed.errors.contains("name one with --account NAME: anna, bob"))
    }
    let wrong = try rig.newsd().run("--account", "ana", "list")
    #expect(wrong.status == 66)
    #expect(wrong.errors.contains("there is no account 'ana': did you mean 'anna'?"))
    // Commands without a store need no name.
    let feed = rig.directory.write(Sample.rss(["One"]), to: "feed.xml")
    #expect(try rig.newsd().run("parse", feed).status == 0)
    #expect(try rig.newsd().run("help", "accounts").output.contains("accounts.dir"))
    #expect(try rig.newsd().run("help", "web").output.contains("accounts.dir"))
    #expect(try rig.newsd().run("help", "restore").output.contains("--from"))
  }

  @Test(.everyPlaceOfAccounts)
  func `The name of the account is the user name of its app passwords`() throws {
    try rig.add("anna")
    let made = try rig.newsd().run("--account", "anna", "web", "apps", "add", "phone")
    #expect(made.errors.contains("the user name is anna."), "\(made.errors)")
  }

  @Test(arguments: [
    (["--db", "x.db", "list"], "", "--db cannot be used together with accounts.dir; use --account NAME"),
    (
      ["list"], "store: x.db",
      "store cannot be set together with accounts.dir; remove it; 'newsd accounts add"
    ),
    (["list"], "web: {user: anna}", "web.user cannot be set together with accounts.dir; remove it"),
    (["list"], "web: {password_file: x}", "'newsd --account NAME web password' sets the password"),
    (["accounts"], "store: x.db", "store cannot be set together with accounts.dir"),
    (["run"], "store: x.db", "store cannot be set together with accounts.dir"),
  ])
  func `Settings of one store and one account are refused`(
    _ words: [String],
    _ configuration: String,
    _ message: String
  ) throws {
    let file = rig.directory.write(configuration, to: "newsd.yaml")
    let result = try rig.newsd(["NEWSD_CONFIG": file]).run(words)
    #expect(result.status == 78)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func `A store in the environment and an account without accounts are refused`() throws {
    let both = try rig.newsd(["NEWSD_DB": "x.db"]).run("list")
    #expect(both.status == 78)
    #expect(both.errors.contains("NEWSD_DB cannot be set together with accounts.dir; set NEWSD_ACCOUNT"))
    for environment in [[:], ["NEWSD_ACCOUNT": "anna"]] {
      let newsd = Program(in: rig.directory, environment: environment)
      let result = try environment.isEmpty ? newsd.run("--account", "anna", "list") : newsd.run("list")
      #expect(result.status == 78)
      #expect(
        result.errors.contains("names an account, but neither accounts.dir nor accounts.store is set"),
        "\(result.errors)"
      )
    }
    #expect(try rig.plain.run("accounts").status == 78)
  }

  @Test(arguments: ["Anna", "-a", ".a", "a/b", "ä", "a b", "", String(repeating: "a", count: 33)])
  func `A name that is no name of a file in the folder is refused`(_ name: String) throws {
    let result = try rig.newsd().run("accounts", "add", "--", name)
    #expect(result.status == 64, "\(name): \(result.errors)")
  }

  @Test func `A link, a hard link, an empty file, a writable file and a wrong name are listed with reasons`()
    throws
  {
    try rig.add("anna", "twin", "open")
    let folder = rig.folder
    #expect(symlink(folder + "/anna.db", folder + "/link.db") == 0)
    #expect(link(folder + "/twin.db", folder + "/other.db") == 0)
    close(open(folder + "/empty.db", O_CREAT | O_WRONLY, 0o600))
    chmod(folder + "/open.db", 0o666)
    close(open(folder + "/Big.db", O_CREAT | O_WRONLY, 0o600))
    let list = try rig.newsd().run("accounts", "--format", "tsv", "--fields", "account,state,problem")
    #expect(list.status == 0)
    let rows = Dictionary(
      uniqueKeysWithValues: list.lines.map { line in
        let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), String(parts[1]))
      }
    )
    #expect(rows["anna"]?.hasPrefix("active") == true)
    for (name, reason) in [
      ("link", "is a symbolic link"), ("other", "has a second name"), ("twin", "has a second name"),
      ("empty", "is an empty file"), ("open", "other users can write"), ("Big", "the name must have"),
    ] {
      #expect(rows[name]?.hasPrefix("failed") == true, "\(name): \(rows)")
      #expect(rows[name]?.contains(reason) == true, "\(name): \(rows)")
      let used = try rig.newsd().run("--account", name, "list")
      #expect(used.status == 74, "\(name): \(used.errors)")
      #expect(used.errors.contains(reason), "\(used.errors)")
    }
  }

  @Test(.everyPlaceOfAccounts)
  func `An account made from a store keeps its items, marks and app passwords`() throws {
    let line = "{\"id\":\"1\",\"title\":\"Kept\"}\n"
    #expect(try rig.plain.run(["ingest", "--feed", "a"], input: line).status == 0)
    #expect(try rig.plain.run("web", "apps", "add", "phone").status == 0)
    let store = rig.directory.path + "/newsd.db"
    let made = try rig.newsd().run("accounts", "add", "anna", "--from", store)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try rig.titles(of: "anna") == "Kept\n")
    #expect(try rig.newsd().run("--account", "anna", "web", "apps").output.contains("phone"))
    // The store itself stays.
    #expect(try rig.plain.run("list", "--format", "ids").lines.count == 1)
    let again = try rig.newsd().run("accounts", "add", "anna")
    #expect(again.status == 73)
    #expect(again.errors.contains("there is an account 'anna' already"))
    let daemon = try rig.plain.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=start") })
    let busy = try rig.newsd().run("accounts", "add", "bob", "--from", store)
    #expect(busy.status == 73)
    #expect(busy.errors.contains("stop it first"), "\(busy.errors)")
    daemon.send(signal: SIGTERM)
    _ = try daemon.finish()
    let missing = try rig.newsd().run("accounts", "add", "bob", "--from", "/nonexistent.db")
    #expect(missing.status == 66)
    #expect(try rig.newsd().run("accounts", "--format", "ids").output == "anna\n")
  }

  @Test func `A removal asks for the name and moves the store aside`() throws {
    try rig.add("anna", "bob")
    try rig.ingest("Apple", into: "anna")
    let refused = try rig.newsd().run(["accounts", "remove", "anna"], input: "bob\n")
    #expect(refused.status == 65)
    #expect(refused.errors.contains("nothing was changed"))
    #expect(try rig.newsd().run(["accounts", "remove", "anna"], input: "anna\n").status == 0)
    #expect(try rig.newsd().run("accounts", "--format", "ids").output == "bob\n")
    let removed = try FileManager.default.contentsOfDirectory(atPath: rig.folder + "/removed")
    let place = try rig.folder + "/removed/" + #require(removed.first { $0.hasPrefix("anna-") })
    let kept = try rig.plain.run("--db", place + "/anna.db", "list", "--format", "ids")
    #expect(kept.lines.count == 1)
    // A new account of the same name begins empty.
    try rig.add("anna")
    #expect(try rig.titles(of: "anna") == "")
    #expect(try rig.newsd().run("accounts", "remove", "bob", "--yes").status == 0)
    #expect(try rig.newsd().run("accounts", "remove", "bob", "--yes").status == 66)
  }

  @Test(.everyPlaceOfAccounts)
  func `A disabled account keeps its store and is left out by maintenance`() throws {
    try rig.add("anna", "bob")
    try rig.ingest("Apple", into: "anna")
    #expect(try rig.newsd().run("accounts", "disable", "anna").status == 0)
    let states = try rig.newsd().run("accounts", "--format", "tsv", "--fields", "account,state,items").output
    #expect(states == "anna\tdisabled\t1\nbob\tactive\t0\n")
    #expect(try rig.titles(of: "anna") == "Apple\n")
    let health = try rig.newsd().run("status", "--health", "--format", "tsv", "--fields", "account")
    #expect(health.output == "bob\n")
    #expect(try rig.newsd().run("accounts", "enable", "anna").status == 0)
    #expect(try rig.newsd().run("accounts", "enable", "carl").status == 66)
  }

  @Test func `Backup, prune, health, metrics and upgrade work on all accounts, and name the one that fails`()
    throws
  {
    try rig.add("anna", "bob", "carl")
    try rig.ingest("Apple", into: "anna")
    try rig.ingest("Banana", into: "bob")
    let copies = rig.directory.path + "/copies"
    let backup = try rig.newsd().run("backup", copies)
    #expect(backup.status == 0, "\(backup.errors)")
    #expect(backup.errors.contains("bob: copied to \(copies)/bob.db"))
    let copy = try rig.plain.run("--db", copies + "/bob.db", "list", "--format", "tsv", "--fields", "title")
    #expect(copy.output == "Banana\n")
    #expect(try rig.newsd().run("backup", copies).status == 73)
    #expect(try rig.newsd().run("backup", "--keep", "2", copies).status == 0)
    let kept = try FileManager.default.contentsOfDirectory(atPath: copies + "/anna")
    #expect(kept.count == 1 && kept[0].hasPrefix("newsd-"), "\(kept)")
    let pruned = try rig.newsd().run(
      "prune",
      "--items",
      "1",
      "--dry-run",
      "--format",
      "tsv",
      "--header"
    )
    #expect(pruned.status == 0, "\(pruned.errors)")
    #expect(pruned.output.hasPrefix("account\tfeed_id\titems\tfeed\n"), "\(pruned.output)")
    let metrics = try rig.newsd().run("status", "--format", "prometheus").output
    #expect(metrics.contains("newsd_items{account=\"anna\"} 1\n"))
    #expect(metrics.contains("newsd_feeds_failing{account=\"bob\",kind=\"network\"} 0\n"))
    #expect(metrics.split(separator: "# TYPE newsd_items gauge").count == 2)
    let check = try rig.newsd().run("upgrade", "--check")
    #expect(check.status == 0 && check.lines.count == 3, "\(check.output)\(check.errors)")
    // A damaged store does not keep the others from being copied.
    let damaged = open(rig.folder + "/bob.db", O_WRONLY | O_TRUNC)
    _ = write(damaged, "not a database, but something else", 34)
    close(damaged)
    let second = rig.directory.path + "/second"
    let partly = try rig.newsd().run("backup", second)
    #expect(partly.status == 74, "\(partly.errors)")
    #expect(partly.errors.contains("newsd: bob: "), "\(partly.errors)")
    #expect(access(second + "/anna.db", F_OK) == 0 && access(second + "/carl.db", F_OK) == 0)
    for command in [["upgrade"], ["upgrade", "--check"]] {
      let upgrade = try rig.newsd().run(command)
      #expect(upgrade.status == 74, "\(command): \(upgrade.errors)")
      #expect(upgrade.errors.contains("newsd: bob: ") && !upgrade.errors.contains("newsd: anna: "))
    }
    let health = try rig.newsd().run("status", "--health")
    #expect(health.status == 2)
    #expect(health.lines.contains { $0.hasPrefix("bob: newsd CRITICAL: ") }, "\(health.output)")
    let one = try rig.newsd().run("--account", "anna", "status", "--health", "--format", "json")
    #expect(!one.output.contains("account"), "\(one.output)")
  }

  @Test(.everyPlaceOfAccounts)
  func `Hooks and credentials belong to the account that they name`() throws {
    try rig.add("anna", "bob")
    let file = rig.directory.write(
      """
      credentials:
        anna: {push: secret}
      hooks:
        - {name: phone, account: anna, url: "https://push.example/", secret: config:push}
        - {name: phone, account: bob, exec: [/bin/true]}
        - {name: nobody, exec: [/bin/true]}
      """,
      to: "newsd.yaml"
    )
    let newsd = rig.newsd(["NEWSD_CONFIG": file])
    func hooks(_ account: String) throws -> String {
      try newsd.run("--account", account, "hooks", "--format", "tsv", "--fields", "name,kind").output
    }
    #expect(try hooks("anna") == "phone\turl\n")
    #expect(try hooks("bob") == "phone\texec\n")
    let alone = Program(in: rig.directory, environment: ["NEWSD_CONFIG": file])
    let refused = try alone.run("list")
    #expect(refused.status == 78)
    #expect(
      refused.errors.contains(
        "belong to the account 'anna', but neither accounts.dir nor accounts.store is set"
      )
    )
  }
}
