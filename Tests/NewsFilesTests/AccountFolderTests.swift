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
}
