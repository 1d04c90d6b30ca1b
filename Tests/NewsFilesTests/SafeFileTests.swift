import Glibc
import NewsCore
import NewsToolbox
import Synchronization
import Testing

@testable import NewsFiles

/// Files in a folder that another user may write to.
@Suite struct `Files beside a store` {
  private let folder = TemporaryFolder()
  private var store: String { folder.path + "/news.db" }
  private static let start = Timestamp(seconds: 1_763_800_000)

  @Test func `A lock file that is a symbolic link is rejected, and its target is unchanged`() {
    let target = folder.write("precious", to: "target")
    symlink(target, store + ".lock")
    symlink(target, store + ".claims")
    let error = #expect(throws: InstanceLockError.self) {
      try InstanceLock(store: store, started: Self.start)
    }
    let message = "the lock file \(store).lock is a symbolic link; remove it"
    #expect(error == .file(FileError(code: .unsafe, message: message)))
    #expect(throws: FileError.self) { try LockFile(store: store).open() }
    #expect(folder.read("target") == "precious")
  }

  @Test func `A dangling link creates no file elsewhere`() {
    symlink(folder.path + "/elsewhere", store + ".claims")
    #expect(throws: FileError.self) { try LockFile(store: store).open() }
    #expect(access(folder.path + "/elsewhere", F_OK) != 0)
  }

  @Test func `A lock file that is a hard link is rejected`() {
    link(folder.write("precious", to: "target"), store + ".claims")
    let error = #expect(throws: FileError.self) { try LockFile(store: store).open() }
    #expect(error?.code == .unsafe)
  }

  @Test func `A pipe instead of a file is rejected without blocking`() {
    mkfifo(store + ".claims", 0o600)
    let error = #expect(throws: FileError.self) { try LockFile(store: store).open() }
    #expect(error?.message.contains("not a regular file") == true)
    mkfifo(folder.path + "/cursor", 0o600)
    #expect(throws: FileError.self) { try CursorFile(path: folder.path + "/cursor") }
  }

  @Test func `A cursor file and a recording are not written through a symbolic link`() throws {
    let target = folder.write("precious", to: "target")
    symlink(target, folder.path + "/link")
    #expect(throws: FileError.self) { try CursorFile(path: folder.path + "/link") }
    let records = try RecordDirectory(folder.path, isCreated: false)
    #expect(throws: FileError.self) { try records.write([1], named: "link") }
    #expect(folder.read("target") == "precious")
    #expect(throws: FileError.self) { try RecordDirectory("/dev", isCreated: false).read(named: "zero") }
  }

  @Test(.enabled(if: geteuid() == 0)) func `A file that root creates belongs to the store's owner`() throws {
    folder.write("", to: "news.db")
    chown(store, 4711, 4712)
    try LockFile(store: store).open()
    let lock = try InstanceLock(store: store, started: Self.start)
    for ending in [".claims", ".lock"] {
      var status = stat()
      try #require(stat(store + ending, &status) == 0)
      #expect(status.st_uid == 4711 && status.st_gid == 4712)
    }
    withExtendedLifetime(lock) {}
  }

  @Test(.enabled(if: geteuid() == 0)) func `A lock file of another user is rejected`() {
    folder.write("", to: "news.db")
    chown(folder.write("", to: "news.db.claims"), 4711, 4711)
    let error = #expect(throws: FileError.self) { try LockFile(store: store).open() }
    #expect(error?.message.contains("uid 4711") == true)
  }

  @Test func `The instance lock has one holder, and tells its pid and start time`() throws {
    #expect(InstanceLock.holder(of: store) == nil)
    var lock: InstanceLock? = try InstanceLock(store: store, started: Self.start)
    let presence = DaemonPresence(pid: Int(getpid()), started: Self.start)
    #expect(throws: InstanceLockError.held(by: presence)) {
      try InstanceLock(store: store, started: Self.start)
    }
    #expect(InstanceLock.holder(of: store) == presence)
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(InstanceLock.holder(of: store) == nil)
    lock = try InstanceLock(store: store, started: Self.start, isUpgrading: true)
    #expect(InstanceLock.holder(of: store)?.isUpgrading == true)
    withExtendedLifetime(lock) {}
    lock = nil
    lock = try InstanceLock(store: store, started: Self.start)
    #expect(InstanceLock.holder(of: store) == presence)
    withExtendedLifetime(lock) {}
  }

  @Test func `A lock that is refused closes no descriptor of another thread`() async throws {
    let lock = try InstanceLock(store: store, started: Self.start)
    let opener = FileOpener()
    async let first: Void? = DetachedThread.run { opener.run() }
    async let second: Void? = DetachedThread.run { opener.run() }
    for _ in 0..<20_000 { _ = try? InstanceLock(store: store, started: Self.start) }
    opener.isDone.store(true, ordering: .releasing)
    _ = await (first, second)
    #expect(opener.lost.load(ordering: .relaxed) == 0)
    withExtendedLifetime(lock) {}
  }

  @Test func `A cursor file returns the saved cursor and rejects malformed content`() throws {
    let path = folder.path + "/a/cursor"
    defer {
      unlink(path)
      rmdir(folder.path + "/a")
    }
    let file = try CursorFile(path: path)
    #expect(try file.load() == nil)
    try file.save(FollowCursor(sequence: 123_456, floor: 99))
    try file.save(FollowCursor(sequence: 7))
    #expect(try CursorFile(path: path).load() == FollowCursor(sequence: 7))
    folder.write("what\n", to: "a/cursor")
    let error = #expect(throws: FileError.self) { try file.load() }
    #expect(error?.code == .badData)
  }
}

/// Opens and closes files, and counts the files that another thread closes meanwhile.
private final class FileOpener: Sendable {
  let isDone = Atomic(false)
  let lost = Atomic(0)

  func run() {
    while !isDone.load(ordering: .acquiring) {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      for _ in 0..<20 where fcntl(file, F_GETFD) < 0 { lost.add(1, ordering: .relaxed) }
      close(file)
    }
  }
}
