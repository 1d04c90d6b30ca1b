import Glibc
import NewsCore
import NewsFiles
import Testing

@Suite struct `The folder of accounts` {
  @Test func `A store is moved aside with its own files, not with accounts whose names begin with its name`()
    throws
  {
    let directory = TemporaryFolder()
    let own = ["anna.db", "anna.db-wal", "anna.db.layout-1", "anna.db.media"]
    let others = [
      "anna.db.db", "anna.db.db-wal", "anna.db.disabled", "anna.dbx.db", "anna.db-2.db", "ben.db",
    ]
    for name in own + others { directory.write("x", to: name) }
    let accounts = AccountFolder(path: directory.path)
    let anna = try #require(try accounts.accounts().first { $0.name == "anna" })
    let moved = try accounts.setAside(anna, at: Timestamp(seconds: 0))
    #expect(moved == directory.path + "/removed/anna-19700101T000000Z/anna.db")
    for name in own {
      #expect(access(directory.path + "/" + name, F_OK) != 0)
      #expect(access(directory.path + "/removed/anna-19700101T000000Z/" + name, F_OK) == 0)
    }
    for name in others { #expect(access(directory.path + "/" + name, F_OK) == 0, "\(name)") }
  }

  @Test func `Adding an account removes what killed processes have left, and nothing of running ones`()
    async throws
  {
    let directory = TemporaryFolder()
    // No process has so high a number.
    let left = [".anna.2000000000", ".anna.2000000000-wal", ".be.n.2000000000.partial"]
    let kept = [".carl.\(getppid())", ".carl.\(getppid()).partial", ".partial", ".dora.partial"]
    for name in left + kept {
      guard name.hasSuffix(".partial") else {
        directory.write("x", to: name)
        continue
      }
      mkdir(directory.path + "/" + name, 0o700)
      directory.write("x", to: name + "/store.db")
    }
    try await AccountFolder(path: directory.path).add("eve") { path in
      close(open(path, O_CREAT | O_WRONLY, 0o600))
    }
    for name in left { #expect(access(directory.path + "/" + name, F_OK) != 0, "\(name)") }
    for name in kept { #expect(access(directory.path + "/" + name, F_OK) == 0, "\(name)") }
  }

  @Test func `A folder that does not exist has no accounts, or is an error`() throws {
    let directory = TemporaryFolder()
    let folder = AccountFolder(path: directory.path + "/missing")
    #expect(try folder.accounts().isEmpty)
    #expect(throws: FileError.self) { try folder.presentAccounts() }
    #expect(try AccountFolder(path: directory.path).presentAccounts().isEmpty)
  }
}
