import Glibc
import NewsCore
import NewsStoresShared
import NewsToolbox
import Synchronization
import TestSupport
import Testing

@testable import NewsSQLite

@Suite struct `Open database files` {
  @Test func `A file that SQLite has open is not examined, and can be examined after it was closed`()
    async throws
  {
    let temporary = try TemporaryStore()
    #expect(try OpenFiles.examine(temporary.path) { "missing" } == nil)
    _ = try await temporary.store.feeds()
    #expect(try OpenFiles.examine(temporary.path) { "open" } == nil)
    await temporary.store.close()
    #expect(try OpenFiles.examine(temporary.path) { "closed" } == "closed")
  }

  @Test(.enabled(if: geteuid() == 0))
  func `The owner of a connection's file is that of the opened file, whatever is at its path later`()
    async throws
  {
    let temporary = try TemporaryStore()
    _ = try await temporary.store.feeds()
    await temporary.store.close()
    chown(temporary.path, 4711, 4711)
    for access in [Connection.Access.reading, .immutable] {
      let connection = try Connection(path: temporary.path, access: access, busyTimeout: 0)
      rename(temporary.path, temporary.path + ".moved")
      close(try PrivateFile.create(temporary.path))
      let error = #expect(throws: StoreError.self) { try connection.refuseOwner(besides: nil, to: "copy.db") }
      #expect(error?.message.contains("belongs to uid 4711") == true)
      try connection.refuseOwner(besides: FileTrust.Owner(uid: 4711, gid: 4711), to: "copy.db")
      rename(temporary.path + ".moved", temporary.path)
    }
  }

  @Test func `A connection for which SQLite uses a kept descriptor again is counted, too`() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.store.feeds()
    await temporary.store.close()
    func reader() throws -> Connection {
      let connection = try Connection(path: temporary.path, access: .reading, busyTimeout: 0)
      _ = try connection.number("SELECT count(*) FROM feeds")
      return connection
    }
    var first: Connection? = try reader()
    // While the first has its lock, the descriptor of the second is kept.
    _ = try reader()
    let third = try reader()
    #expect(third.file == FileIdentity(path: temporary.path))
    #expect(first?.file == third.file)
    first = nil
    #expect(try OpenFiles.examine(temporary.path) { "open" } == nil)
  }

  @Test func `No thread opens a file while another one examines it`() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.store.feeds()
    await temporary.store.close()
    let path = temporary.path
    let turns = Turns()
    // While one thread examines, nothing here may wait for a task: other tests may keep all threads of tasks busy with
    // opening files, for which they wait until the examination ends.
    async let examined = DetachedThread.run {
      while !turns.isReady.load(ordering: .acquiring) { usleep(1000) }
      return try? OpenFiles.examine(path) {
        turns.isExamining.store(true, ordering: .releasing)
        while !turns.mayEnd.load(ordering: .acquiring) { usleep(1000) }
        // The other thread has had all the time to open the file.
        usleep(50_000)
        turns.events.withLock { $0.append("examined") }
        return true
      }
    }
    async let opened = DetachedThread.run {
      turns.isReady.store(true, ordering: .releasing)
      while !turns.isExamining.load(ordering: .acquiring) { usleep(1000) }
      turns.mayEnd.store(true, ordering: .releasing)
      let connection = try? Connection(path: path, access: .reading, busyTimeout: 0)
      turns.events.withLock { $0.append("opened") }
      return connection != nil
    }
    #expect(await opened == true)
    #expect(await examined == true)
    #expect(turns.events.withLock { $0 } == ["examined", "opened"])
  }

  @Test func `A damaged media store is moved away and made anew, which the next change says once`()
    async throws
  {
    let temporary = try TemporaryStore()
    _ = try await temporary.store.feeds()
    _ = try await MediaFile(besides: temporary.path).picture(id: 1)
    let path = temporary.path + ".media"
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    _ = [UInt8](repeating: 7, count: 8192).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    close(descriptor)
    let media = MediaFile(besides: temporary.path)
    #expect(try await media.picture(id: 1) == nil)
    #expect(access(path + ".damaged", F_OK) == 0)
    let picture = KeptPicture(feed: Feed.ID(rawValue: 1), url: "https://a/1", type: .gif, bytes: [1])
    let error = await #expect(throws: StoreError.self) { try await media.keep(picture) }
    #expect(
      error?.message.contains("newsd has moved it to \(path).damaged") == true,
      "\(error?.message ?? "")"
    )
    try await media.keep(picture)
    #expect(try await media.keptPicture("https://a/1", of: Feed.ID(rawValue: 1))?.bytes == [1])
  }

  @Test func `The file of the media store shrinks when most of its pictures leave`() async throws {
    let temporary = try TemporaryStore()
    let media = MediaFile(besides: temporary.path)
    let feed = Feed.ID(rawValue: 1)
    func size(_ ending: String) -> Int {
      var status = stat()
      return stat(temporary.path + ending, &status) == 0 ? Int(status.st_size) : 0
    }
    for number in 1...12 {
      let bytes = [UInt8](repeating: UInt8(number), count: 1 << 20)
      try await media.keep(KeptPicture(feed: feed, url: "\(number)", type: .gif, bytes: bytes))
    }
    try await media.removeKept([feed: (1...11).map { "\($0)" }])
    #expect(size(".media") < 2 << 20 && size(".media-wal") < 8 << 20)
    #expect(try await media.keptPicture("12", of: feed)?.bytes.last == 12)
  }

  @Test(.enabled(if: geteuid() == 0)) func `Root's media store belongs to the owner of the store`()
    async throws
  {
    let temporary = try TemporaryStore()
    _ = try await temporary.store.feeds()
    chown(temporary.path, 4711, 4712)
    let media = MediaFile(besides: temporary.path)
    #expect(try await media.picture(id: 1) == nil)
    for ending in ["", "-wal", "-shm"] {
      var status = stat()
      try #require(stat(temporary.path + ".media" + ending, &status) == 0, "\(ending)")
      #expect(status.st_uid == 4711 && status.st_gid == 4712, "\(ending)")
    }
  }
}

extension `Open database files` {
  @Test(.enabled(if: geteuid() == 0))
  func
    `SQLite makes root's files in the folder of the store, which its owner exchanges for a link meanwhile`()
    async throws
  {
    let directory = try TemporaryStore.makeDirectory()
    defer { TemporaryStore.remove(directory) }
    let (home, rootOnly) = (directory + "/home", directory + "/root")
    let folder = home + "/d"
    for path in [rootOnly, home, folder] { mkdir(path, 0o755) }
    for path in [home, folder] { chown(path, 4711, 4711) }
    let path = folder + "/a.db"
    let store = try NewsStore(path: path)
    _ = try await store.feeds()
    await store.close()
    chown(path, 4711, 4711)
    let connection = try Connection(path: path, access: .writing, busyTimeout: 0)
    try connection.execute("PRAGMA journal_mode = DELETE")
    rename(folder, home + "/moved")
    symlink(rootOnly, folder)
    lchown(folder, 4711, 4711)
    try connection.transaction { () throws(StoreError) in
      try connection.countCommit()
      #expect(access(home + "/moved/a.db-journal", F_OK) == 0)
    }
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.transaction { () throws(StoreError) in try connection.countCommit() }
    #expect(access(home + "/moved/a.db-wal", F_OK) == 0)
    // The owner of the link owns nothing in the folder to which it leads.
    let error = #expect(throws: StoreError.self) {
      try Connection(path: path, access: .creating, busyTimeout: 0)
    }
    #expect(error?.message.contains("the link \(folder)") == true, "\(error?.message ?? "")")
    for ending in ["", "-wal", "-shm", "-journal"] { #expect(access(rootOnly + "/a.db" + ending, F_OK) != 0) }
  }
}

/// The state that two threads share.
private final class Turns: Sendable {
  let isReady = Atomic(false)
  let isExamining = Atomic(false)
  let mayEnd = Atomic(false)
  let events = Mutex<[String]>([])
}
