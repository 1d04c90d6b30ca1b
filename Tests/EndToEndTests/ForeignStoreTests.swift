import Glibc
import TestServer
import TestSupport
import Testing

/// Root works on stores of another user. The tests need root, because they need two users.
@Suite(.blocking, .enabled(if: geteuid() == 0)) struct `Stores of another user` {
  private static let nobody: UInt32 = 65534
  private let directory = TemporaryDirectory()
  /// A folder that only root can enter.
  private let roots = TemporaryDirectory()
  private var newsd: Program

  init() {
    newsd = Program(in: directory, environment: ["SECRET": "me:variable", "NEWSD_ALLOW_PRIVATE": "1"])
    chmod(directory.path, 0o755)
    chown(directory.path, Self.nobody, Self.nobody)
  }

  private var store: String { directory.path + "/newsd.db" }

  /// Runs newsd as the other user.
  @discardableResult
  private func other(_ words: String...) throws -> Program.Result {
    let drop = ["--reuid=65534", "--regid=65534", "--clear-groups", Program.path]
    return try newsd.run(program: "setpriv", drop + words)
  }

  private func owner(_ path: String) -> UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_uid : nil
  }

  /// Subscribes the other user to a program that leaves a file, and returns the path of that file.
  private func plantProgram() throws -> String {
    let trap = directory.path + "/trap"
    let added = try other("feeds", "add", #"exec:sh -c 'touch \#(trap); echo "{\"id\":\"1\"}"'"#)
    #expect(added.status == 0, "\(added.errors)")
    #expect(unlink(trap) == 0)
    return trap
  }

  @Test func `Root sends no file, variable or configured secret for a feed of another user's store`() throws {
    let server = try TestServer()
    defer { server.stop() }
    server.on("/feed", .ok(Sample.rss(["One"])))
    let secret = roots.write("me:file\n", to: "secret")
    let settings = roots.write("credentials: {bank: 'me:configured'}\n", to: "c.yaml")
    #expect(try other("feeds", "add", server.url("/feed")).status == 0)
    let before = server.requests.count
    for reference in ["file:\(secret)", "env:SECRET", "config:bank"] {
      #expect(try other("feeds", "set", "1", "credential=\(reference)").status == 0)
      let result = try newsd.run("--config", settings, "fetch", "1")
      #expect(result.status == 69)
      #expect(result.errors.contains("\(directory.path) belongs to uid 65534"), "\(result.errors)")
    }
    #expect(server.requests.count == before)
  }

  @Test func `A backup that root makes stays the other user's, wherever it is linked`() throws {
    let trap = try plantProgram()
    var newsd = newsd
    let copy = roots.path + "/copy.db"
    #expect(try newsd.run("backup", copy).status == 0)
    #expect(owner(copy) == Self.nobody)
    #expect(try newsd.run("copy", store, roots.path + "/second.db").status == 0)
    #expect(owner(roots.path + "/second.db") == Self.nobody)
    for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
    symlink(copy, store)
    lchown(store, Self.nobody, Self.nobody)
    #expect(try newsd.run("fetch", "1").status == 69)
    newsd.environment["NEWSD_DB"] = copy
    #expect(try newsd.run("fetch", "1").status == 69)
    #expect(access(trap, F_OK) != 0)
  }

  @Test func `A restore gives a new store to the folder's owner, and refuses the store of another one`()
    throws
  {
    let trap = try plantProgram()
    let copy = roots.path + "/copy.db"
    #expect(try newsd.run("backup", copy).status == 0)
    for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
    #expect(try newsd.run("restore", copy).status == 0)
    #expect(owner(store) == Self.nobody)
    #expect(try newsd.run("fetch", "1").status == 69)
    #expect(try other("list").status == 0)
    var own = newsd
    own.environment["NEWSD_DB"] = roots.path + "/own.db"
    #expect(try own.run("ingest", "--feed", "R", input: "{\"id\":\"1\"}\n").status == 0)
    let refused = try own.run("restore", copy)
    #expect(refused.status == 74)
    #expect(refused.errors.contains("belongs to uid 65534"), "\(refused.errors)")
    #expect(access(trap, F_OK) != 0)
  }

  @Test(arguments: ["-wal", "-journal"])
  func `A log that another user puts beside root's store is not applied`(_ suffix: String) throws {
    #expect(try newsd.run("ingest", "--feed", "R", input: "{\"id\":\"1\"}\n").status == 0)
    chown(directory.write("", to: "newsd.db" + suffix), Self.nobody, Self.nobody)
    let result = try newsd.run("list")
    #expect(result.status == 74)
    #expect(result.errors.contains("newsd.db\(suffix) belongs to uid 65534"), "\(result.errors)")
  }

  @Test func `Root's own store in a folder of another user runs no program`() throws {
    let trap = directory.path + "/trap"
    #expect(try newsd.run("ingest", "--feed", "R", input: "{\"id\":\"1\"}\n").status == 0)
    let added = try newsd.run("feeds", "add", "exec:touch \(trap)")
    #expect(added.status != 0)
    #expect(added.errors.contains("the folder \(directory.path) belongs to uid 65534"), "\(added.errors)")
    #expect(access(trap, F_OK) != 0)
  }

  @Test func `A store is written neither into a file of another user nor through a dangling link`() throws {
    symlink(roots.path + "/target.db", directory.path + "/link.db")
    chown(directory.write("", to: "empty.db"), Self.nobody, Self.nobody)
    var newsd = newsd
    newsd.environment["NEWSD_DB"] = roots.path + "/own.db"
    #expect(try newsd.run("ingest", "--feed", "R", input: "{\"id\":\"1\"}\n").status == 0)
    for name in ["link.db", "empty.db"] {
      #expect(try newsd.run("copy", roots.path + "/own.db", "\(directory.path)/\(name)").status == 74)
    }
    #expect(access(roots.path + "/target.db", F_OK) != 0)
    // An empty store of another user would get the content, too.
    try other("--db", directory.path + "/theirs.db", "web", "apps", "add", "phone")
    #expect(owner(directory.path + "/theirs.db") == Self.nobody)
    let theirs = try newsd.run("copy", roots.path + "/own.db", directory.path + "/theirs.db")
    #expect(theirs.status == 74)
    #expect(
      theirs.errors.contains("theirs.db belongs to uid 65534, who would get the content"),
      "\(theirs.errors)"
    )
    // Another user has made the folder for the unfinished backup.
    mkdir(directory.path + "/b.db.partial", 0o777)
    chown(directory.path + "/b.db.partial", Self.nobody, Self.nobody)
    #expect(try newsd.run("backup", directory.path + "/b.db").status == 73)
  }

  @Test func `Root follows no link of another user to a file of its own`() throws {
    let own = roots.path + "/own.db"
    var newsd = newsd
    newsd.environment["NEWSD_DB"] = own
    #expect(try newsd.run("ingest", "--feed", "R", input: "{\"id\":\"1\"}\n").status == 0)
    let link = directory.path + "/link.db"
    symlink(own, link)
    lchown(link, Self.nobody, Self.nobody)
    let copy = directory.path + "/copy.db"
    #expect(try newsd.run("--db", link, "backup", copy).status == 74)
    #expect(try newsd.run("copy", link, copy).status == 74)
    #expect(access(copy, F_OK) != 0)
    let refused = try newsd.run("--db", store, "restore", link)
    #expect(refused.status == 74)
    #expect(refused.errors.contains("the link \(link) belongs to uid 65534"), "\(refused.errors)")
  }

  /// The first bytes of the store's file.
  private var header: [UInt8] {
    let file = open(store, O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 100)
    #expect(read(file, &bytes, 100) == 100)
    return bytes
  }

  private func damageHeader(of store: String? = nil) {
    let file = open(store ?? self.store, O_WRONLY)
    #expect(pwrite(file, [UInt8](repeating: 0, count: 16), 16, 0) == 16)
    close(file)
  }

  @Test(arguments: ["check", "restore"])
  func `Root repairs and restores a store with the rights of the folder's owner`(_ command: String) throws {
    let copy = roots.path + "/copy.db"
    #expect(try newsd.run("ingest", "--feed", "R", input: "{\"id\":\"1\"}\n").status == 0)
    #expect(try newsd.run("backup", copy).status == 0)
    chown(copy, 0, 0)
    let words = command == "check" ? ["check", "--repair"] : ["restore", copy]
    if command == "check" { damageHeader() }
    // A file of root, as a link of the other user could put it at the store's name.
    chown(store, 0, 0)
    chmod(store, 0o444)
    let before = header
    let refused = try newsd.run(words)
    #expect(refused.status == 74, "\(refused.errors)")
    #expect(header == before)
    for suffix in [".damaged", "-wal", "-shm", ".lock", ".claims"] { unlink(store + suffix) }
    chown(store, Self.nobody, Self.nobody)
    chmod(store, 0o600)
    let done = try newsd.run(words)
    #expect(done.status == 0, "\(done.errors)")
    #expect(owner(store) == Self.nobody)
    #expect(try other("feeds").output.contains("R"))
  }

  @Test(arguments: ["check", "restore", "restore of a damaged file"])
  func `Root repairs and restores a store whose folder lies in one that only root may enter`(
    _ command: String
  )
    throws
  {
    let folder = roots.path + "/newsd"
    mkdir(folder, 0o700)
    chown(folder, Self.nobody, Self.nobody)
    var newsd = newsd
    let (store, copy) = (folder + "/newsd.db", roots.path + "/copy.db")
    newsd.environment["NEWSD_DB"] = store
    #expect(try newsd.run("ingest", "--feed", "R", input: "{\"id\":\"1\"}\n").status == 0)
    for suffix in ["", ".lock", ".claims"] { chown(store + suffix, Self.nobody, Self.nobody) }
    #expect(try newsd.run("backup", copy).status == 0)
    #expect(try newsd.run("ingest", "--feed", "R", input: "{\"id\":\"2\"}\n").status == 0)
    if command != "restore" { damageHeader(of: store) }
    let done = try newsd.run(command == "check" ? ["check", "--repair"] : ["restore", copy])
    #expect(done.status == 0, "\(done.errors)")
    #expect(!(done.output + done.errors).contains("/proc/"))
    #expect(owner(store) == Self.nobody)
    #expect(try newsd.run("list", "--format", "ids").output == (command == "check" ? "2\n1\n" : "1\n"))
    if command != "restore" { #expect(owner(store + ".damaged") == Self.nobody) }
  }

  @Test(arguments: [false, true])
  func
    `Root's first account belongs to the owner of the folder above, also below one that only root may enter`(
      _ isPrivate: Bool
    ) throws
  {
    let place = isPrivate ? roots.path + "/newsd" : directory.path
    if isPrivate {
      mkdir(place, 0o700)
      chown(place, Self.nobody, Self.nobody)
    }
    let folder = place + "/accounts"
    var newsd = newsd
    newsd.environment["NEWSD_DB"] = nil
    newsd.environment["NEWSD_CONFIG"] = roots.write("accounts: {dir: '\(folder)'}\n", to: "a.yaml")
    for name in ["anna", "ben"] {
      let added = try newsd.run("accounts", "add", name)
      #expect(added.status == 0, "\(added.errors)")
      #expect(owner("\(folder)/\(name).db") == Self.nobody)
    }
    #expect(owner(folder) == Self.nobody)
    for command in ["disable", "enable"] { #expect(try newsd.run("accounts", command, "ben").status == 0) }
    let removed = try newsd.run("accounts", "remove", "ben", "--yes")
    #expect(removed.status == 0 && !(removed.output + removed.errors).contains("/proc/"), "\(removed.errors)")
    #expect(try newsd.run("accounts", "--format", "tsv", "--fields", "account").output == "anna\n")
  }

  @Test func `Root repairs no store in a folder that all users may write to`() throws {
    #expect(try newsd.run("ingest", "--feed", "R", input: "{\"id\":\"1\"}\n").status == 0)
    damageHeader()
    chown(directory.path, 0, 0)
    chmod(directory.path, 0o777)
    let before = header
    let refused = try newsd.run("check", "--repair")
    #expect(refused.status == 74)
    #expect(refused.errors.contains("other users can write to the folder"), "\(refused.errors)")
    #expect(header == before)
  }
}
