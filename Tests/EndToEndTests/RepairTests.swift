import CSQLite
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.blocking) struct `Repairing a store` {
  /// An index that storing items does not touch: they can be stored although it is damaged.
  private static let index = "items_starred"

  @Test func `Items stored by other processes during a repair are not lost`() async throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    let lines = (1...400).map { "{\"id\":\"\($0)\",\"title\":\"item \($0)\"}\n" }.joined()
    #expect(try newsd.run("ingest", "--feed", "T", input: lines).status == 0)
    try directory.damage("newsd.db", index: Self.index)
    #expect(try newsd.run("check").status != 0)
    let repair = try await stoppedRepair(newsd, in: directory)
    // These wait for the repair's lock, with the store open. If one stores its item before the new store replaces the
    // damaged one, the repair starts again; it tries five times.
    let ingests = try (1...3).map { number in
      let ingest = try newsd.start(["ingest", "--feed", "Live"])
      ingest.write(Array("{\"id\":\"\(number)\",\"title\":\"zlive\"}\n".utf8))
      ingest.closeInput()
      return ingest
    }
    try await eventually { ingests.allSatisfy { $0.hasOpened(directory.path + "/newsd.db") } }
    repair.send(signal: SIGCONT)
    for ingest in ingests {
      let result = try ingest.finish()
      #expect(result.status == 0, "\(result.errors)")
    }
    let repaired = try repair.finish()
    #expect(repaired.status == 0, "\(repaired.errors)")
    #expect(try newsd.run("search", "--count", "title:zlive").output == "3\n")
    #expect(try newsd.run("search", "--count", "title:item").output == "400\n")
    #expect(try newsd.run("check").status == 0)
  }

  /// Starts a repair and stops it while it copies the damaged store into a new one.
  private func stoppedRepair(_ newsd: Program, in directory: TemporaryDirectory) async throws
    -> RunningProgram
  {
    let copy = directory.path + "/newsd.db.rescued/store.db"
    while true {
      let repair = try newsd.start(["check", "--repair"])
      try await eventually { access(copy, F_OK) == 0 || repair.isZombie }
      repair.send(signal: SIGSTOP)
      try await eventually { repair.isStopped || repair.isZombie }
      if repair.isStopped, access(copy, F_OK) == 0 { return repair }
      // It was stopped too late.
      repair.send(signal: SIGCONT)
      #expect(try repair.finish().status == 0)
      for suffix in ["", "-wal", "-shm"] { unlink(directory.path + "/newsd.db.damaged" + suffix) }
      try directory.damage("newsd.db", index: Self.index)
    }
  }

  @Test func `An empty file is rejected as a store and stays empty`() throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    let path = directory.write("", to: "newsd.db")
    for arguments in [["list"], ["check"], ["backup", directory.path + "/copy.db"]] {
      let result = try newsd.run(arguments)
      #expect(result.status == 66)
      #expect(result.errors.contains("is an empty file"))
    }
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_size == 0)
  }
}

extension RunningProgram {
  /// The letter of the process's state in proc(5).
  private var state: Character? {
    guard let file = fopen("/proc/\(pid)/stat", "r") else { return nil }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 512)
    let count = fread(&line, 1, line.count, file)
    return String(decoding: line[..<count], as: UTF8.self).split(separator: ") ").last?.first
  }

  fileprivate var isStopped: Bool { state == "T" }
  fileprivate var isZombie: Bool { state == "Z" }

  func hasOpened(_ path: String) -> Bool {
    let folder = "/proc/\(pid)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
    }
  }
}

extension TemporaryDirectory {
  /// Overwrites the root page of an index in a store.
  fileprivate func damage(_ name: String, index: String) throws {
    let page = try rootPage(of: index, in: path + "/" + name)
    let descriptor = open(path + "/" + name, O_RDWR)
    defer { close(descriptor) }
    let noise = [UInt8](repeating: 0xA5, count: page.size)
    let offset = off_t((page.number - 1) * page.size)
    let count = noise.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
    #expect(count == noise.count)
  }

  private func rootPage(of index: String, in store: String) throws -> (number: Int, size: Int) {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let sql = "SELECT rootpage, page_size FROM sqlite_master, pragma_page_size WHERE name = '\(index)'"
    try #require(sqlite3_open(store, &database) == SQLITE_OK)
    try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
    try #require(sqlite3_step(statement) == SQLITE_ROW)
    return (Int(sqlite3_column_int64(statement, 0)), Int(sqlite3_column_int64(statement, 1)))
  }
}
