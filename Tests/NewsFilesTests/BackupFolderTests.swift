import Glibc
import NewsFiles
import NewsToolbox
import Testing

@Suite(.enabled(if: geteuid() == 0)) struct `Root's backups in a folder of another user` {
  private let temporary = TemporaryFolder()

  private func owner(_ path: String) -> UInt32? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_uid : nil
  }

  @Test func `New folders there belong to the owner of the folder, and others to root`() {
    let path = temporary.path
    defer { for name in ["/a/b", "/a", "/c"] { rmdir(path + name) } }
    chown(path, 4711, 4711)
    FileFolders.create(path + "/a/b", isShared: true)
    FileFolders.create(path + "/c")
    #expect([owner(path + "/a"), owner(path + "/a/b"), owner(path + "/c")] == [4711, 4711, 0])
    chown(path, 0, 0)
  }

  @Test func `The folder is that of the start, also if its owner exchanges it for a link to other backups`()
    throws
  {
    let (home, path) = (temporary.path, temporary.path + "/dir")
    let name = "newsd-20250102T000000Z.db"
    mkdir(path, 0o755)
    for folder in [home, path] { chown(folder, 4711, 4711) }
    let other = TemporaryFolder()
    other.write("root's", to: name)
    temporary.write("own", to: "dir/" + name)
    let folder = try BackupFolder(path: path)
    rename(path, home + "/moved")
    symlink(other.path, path)
    lchown(path, 4711, 4711)
    #expect(try folder.names().contains(name))
    #expect(!folder.reserve(name))
    #expect(folder.reserve("newsd-20250103T000000Z.db"))
    #expect(access(home + "/moved/newsd-20250103T000000Z.db.partial", F_OK) == 0)
    try folder.remove("newsd-20250103T000000Z.db.partial")
    try folder.remove(name)
    #expect(other.read(name) == "root's")
    #expect(access("\(home)/moved/\(name)", F_OK) != 0)
    // A new command does not follow the link.
    #expect(throws: (any Error).self) { try BackupFolder(path: path) }
    #expect(try BackupFolder(path: home + "/moved").names().sorted() == [".", ".."])
    rmdir(home + "/moved")
    chown(home, 0, 0)
  }
}
