import Glibc
import NewsToolbox
import Testing

/// A folder for one test.
private final class Folder {
  let path: String

  init() throws {
    var template = Array("/tmp/newsd-trust-XXXXXX".utf8CString)
    path = try #require(
      template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      }
    )
  }

  /// Creates a file and returns its path.
  func make(_ name: String, mode: mode_t = 0o600, owner: UInt32? = nil) throws -> String {
    let file = "\(path)/\(name)"
    close(try PrivateFile.create(file))
    chmod(file, mode)
    if let owner { chown(file, owner, owner) }
    return file
  }

  deinit {
    for name in ["", "/work", "/inner"] { chmod(path + name, 0o700) }
    for name in ["a.db", "a.db-wal", "link", "other", "work/x", "inner/a.db"] { unlink("\(path)/\(name)") }
    for name in ["/work", "/inner", ""] { rmdir(path + name) }
  }
}

@Suite struct `Other users of a database` {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test func `A file in this user's folder is this user's own, also through a link`() throws {
    let file = try folder.make("a.db")
    symlink("./../" + (folder.path.split(separator: "/").last ?? "") + "/a.db", folder.path + "/link")
    #expect(FileTrust.finding(ofDatabase: file) == nil)
    #expect(FileTrust.finding(ofDatabase: folder.path + "/link") == nil)
    #expect(FileTrust.finding(ofDatabase: folder.path + "/missing") == nil)
    #expect(try FileTrust.owner(ofDatabase: file) == nil)
  }

  @Test(arguments: [("a.db", 0o602), ("a.db-wal", 0o606), ("", 0o707), ("inner", 0o777)])
  func `A file, log or folder that all users may write to is found`(_ name: String, _ mode: mode_t) throws {
    mkdir(folder.path + "/inner", 0o700)
    let file = try folder.make("a.db")
    _ = try folder.make("a.db-wal")
    let inner = try folder.make("inner/a.db")
    chmod("\(folder.path)/\(name)", mode)
    let finding = try #require(FileTrust.finding(ofDatabase: name == "inner" ? inner : file))
    #expect(finding.owner == nil)
    #expect(finding.reason.contains("other users can write to"))
    #expect(finding.reason.contains(String(mode, radix: 8)))
  }

  @Test func `In a sticky folder, the file's owner counts`() throws {
    let file = try folder.make("a.db")
    chmod(folder.path, 0o1777)
    #expect(FileTrust.finding(ofDatabase: file) == nil)
  }

  @Test func `A file that is missing in a folder of all users may come from any of them`() throws {
    let file = try folder.make("a.db")
    chmod(folder.path, 0o1777)
    unlink(file)
    let finding = try #require(FileTrust.finding(ofDatabase: file))
    #expect(finding.owner == nil && finding.reason.contains("is missing in the folder \(folder.path)"))
    chmod(folder.path, 0o755)
    #expect(FileTrust.finding(ofDatabase: file) == nil)
  }

  @Test(.enabled(if: geteuid() == 0))
  func `Another user can replace the names in a folder, and the own file in a sticky one`() throws {
    let file = try folder.make("a.db", owner: 4711)
    #expect(FileTrust.finding(ofNames: file) == nil)
    chmod(folder.path, 0o1777)
    #expect(FileTrust.finding(ofNames: file)?.owner?.uid == 4711)
    chmod(folder.path, 0o777)
    #expect(FileTrust.finding(ofNames: file)?.owner == nil)
    chmod(folder.path, 0o700)
    chown(folder.path, 4712, 4712)
    #expect(FileTrust.finding(ofNames: file)?.owner?.uid == 4712)
  }

  @Test(.enabled(if: geteuid() == 0))
  func `Root does not guess whose the content is that several users can change`() throws {
    let file = try folder.make("a.db")
    chmod(folder.path, 0o777)
    #expect(throws: FileTrust.UnknownOwner.self) { try FileTrust.owner(ofDatabase: file) }
    chmod(folder.path, 0o1777)
    #expect(try FileTrust.owner(ofDatabase: file) == nil)
    // A folder that its owner has moved away for a moment.
    #expect(FileTrust.finding(ofNames: folder.path + "/away/a.db")?.reason.contains("is missing") == true)
    #expect(FileTrust.finding(ofNames: folder.path + "/new.db") == nil)
  }

  @Test(.enabled(if: geteuid() == 0))
  func
    `Root names a file by a descriptor of its folder only if another user can exchange a folder of the path`()
    throws
  {
    let home = folder.path + "/home"
    let inner = home + "/d"
    let file = inner + "/a.db"
    for path in [home, inner] { mkdir(path, 0o755) }
    defer {
      for path in [home + "/moved/a.db", inner] { unlink(path) }
      for path in [home + "/moved", home] { rmdir(path) }
    }
    close(try PrivateFile.create(file))
    chown(inner, 4711, 4711)
    #expect(try HeldFolders.name(of: file) == nil)
    chmod(home, 0o1777)
    #expect(try HeldFolders.name(of: file) != nil, "in a sticky folder, the owner may rename the folder")
    chmod(home, 0o755)
    #expect(try HeldFolders.name(of: file) == nil)
    chown(home, 4711, 4711)
    let name = try #require(try HeldFolders.name(of: file))
    #expect(try HeldFolders.name(of: file) == name, "the folder is kept open once")
    // The name leads to the same folder when another one is at the path.
    rename(inner, home + "/moved")
    mkdir(inner, 0o755)
    #expect(access(name, F_OK) == 0)
    #expect(access(file, F_OK) != 0)
    #expect(try HeldFolders.name(of: file) != name)
    rmdir(inner)
    #expect(throws: HeldFolders.Failure.self) { try HeldFolders.name(of: file) }
    symlink("/etc", inner)
    lchown(inner, 4711, 4711)
    #expect(throws: HeldFolders.Failure.self) { try HeldFolders.name(of: inner + "/passwd") }
    #expect(throws: HeldFolders.Failure.self) { try HeldFolders.name(of: inner + "/newsd-none") }
    // A link of root, as an administrator makes it, is followed.
    lchown(inner, 0, 0)
    #expect(try HeldFolders.name(of: inner + "/passwd") != nil)
  }

  @Test(.enabled(if: geteuid() == 0)) func `A link must lead to a file of its owner`() throws {
    let (file, link) = (try folder.make("a.db"), folder.path + "/link")
    symlink("a.db", link)
    #expect(FileTrust.resolved(link) == FileTrust.resolved(file))
    #expect(FileTrust.foreignLink(to: link) == nil)
    lchown(link, 4711, 4711)
    #expect(FileTrust.foreignLink(to: link)?.path == link)
    #expect(FileTrust.foreignLink(to: link)?.uid == 4711)
    chown(file, 4711, 4711)
    #expect(FileTrust.foreignLink(to: link) == nil)
  }

  @Test(.enabled(if: geteuid() == 0)) func `A file, log, link or folder of another user is found`() throws {
    let file = try folder.make("a.db")
    symlink(file, folder.path + "/link")
    let log = try folder.make("a.db-wal")
    for (path, start) in [
      (log, file), (file, file), (folder.path + "/link", folder.path + "/link"), (folder.path, file),
    ] {
      lchown(path, 4711, 4712)
      #expect(FileTrust.finding(ofDatabase: start)?.owner == FileTrust.Owner(uid: 4711, gid: 4712))
      #expect(FileTrust.finding(ofDatabase: start)?.reason.contains(path) == true)
      #expect(try FileTrust.owner(ofDatabase: start)?.uid == 4711)
      #expect(FileTrust.finding(ofDatabase: start, user: 4711) == nil)
      lchown(path, 0, 0)
    }
  }

  @Test(.enabled(if: geteuid() == 0))
  func `Only the owner of a database, root and this user may write its log`()
    throws
  {
    let file = try folder.make("a.db", owner: 4711)
    let log = try folder.make("a.db-wal", owner: 4711)
    #expect(FileTrust.foreignLog(ofDatabase: file) == nil)
    chown(file, 0, 0)
    #expect(FileTrust.foreignLog(ofDatabase: file)?.path == log)
    #expect(FileTrust.foreignLog(ofDatabase: file)?.uid == 4711)
  }
}

@Suite struct `Private files` {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test func `A private file replaces nothing and follows no link`() throws {
    let other = folder.path + "/other"
    symlink(other, folder.path + "/link")
    for path in [try folder.make("a.db"), folder.path + "/link"] {
      #expect(throws: SystemError(code: EEXIST)) { try PrivateFile.create(path) }
    }
    #expect(access(other, F_OK) != 0)
  }

  @Test(.enabled(if: geteuid() == 0)) func `Root gives a private file to the owner that is asked for`() throws
  {
    let path = folder.path + "/a.db"
    close(try PrivateFile.create(path, owner: FileTrust.Owner(uid: 4711, gid: 4712)))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_uid == 4711 && status.st_gid == 4712)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `A folder for unfinished files takes over a private leftover and nothing else`() throws {
    let path = folder.path + "/work"
    var work: WorkFolder? = try WorkFolder(path)
    close(try PrivateFile.create(path + "/store.db"))
    #expect(throws: SystemError(code: EBUSY)) { try WorkFolder(path) }
    WorkFolder.removeLeft(path)
    #expect(work != nil && access(path + "/store.db", F_OK) == 0)
    work = nil
    let again = try WorkFolder(path)
    #expect(access(again.file("store.db"), F_OK) != 0)
    chmod(path, 0o755)
    #expect(throws: SystemError(code: EEXIST)) { try WorkFolder(path) }
    chmod(path, 0o700)
    again.remove()
    #expect(access(path, F_OK) != 0)
    mkdir(path, 0o700)
    close(try PrivateFile.create(path + "/store.db"))
    WorkFolder.removeLeft(path)
    #expect(access(path, F_OK) != 0)
    // A folder with files of other names is the user's own.
    mkdir(path, 0o700)
    close(try PrivateFile.create(path + "/store.db"))
    close(try PrivateFile.create(path + "/letters.txt"))
    #expect(throws: SystemError(code: EEXIST)) { try WorkFolder(path) }
    WorkFolder.removeLeft(path)
    #expect(access(path + "/store.db", F_OK) == 0 && access(path + "/letters.txt", F_OK) == 0)
    unlink(path + "/letters.txt")
    WorkFolder.removeLeft(path)
    #expect(access(path, F_OK) != 0)
    symlink(folder.path + "/other", path)
    #expect(throws: SystemError(code: EEXIST)) { try WorkFolder(path) }
    unlink(path)
  }

  @Test func `Another folder at the name of a folder for unfinished files gets none of its files`() throws {
    let path = folder.path + "/work"
    let work = try WorkFolder(path)
    #expect(rename(path, folder.path + "/away") == 0 && mkdir(path, 0o700) == 0)
    close(try PrivateFile.create(path + "/a.db"))
    try work.create("b.db")
    #expect(access(path + "/b.db", F_OK) != 0 && access(folder.path + "/away/b.db", F_OK) == 0)
    #expect(work.identity(of: "a.db") == nil && work.identity(of: "b.db") != nil)
    #expect(throws: SystemError(code: ENOENT)) { try work.move("a.db", to: folder.path + "/moved") }
    try work.move("b.db", to: folder.path + "/moved")
    #expect(access(folder.path + "/moved", F_OK) == 0)
  }

  @Test func `The names of two folders for unfinished files of one purpose differ`() throws {
    let two = try [
      WorkFolder(unguessable: folder.path + "/work"), WorkFolder(unguessable: folder.path + "/work"),
    ]
    #expect(two[0].path != two[1].path)
    for work in two {
      var status = stat()
      #expect(stat(work.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
      work.remove()
      #expect(access(work.path, F_OK) != 0)
    }
  }
}
