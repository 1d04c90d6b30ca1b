import CSQLite
import NewsCore
import NewsStoresShared
import SearchCases
import Testing

@testable import NewsSQLite

/// The bytes of the file's pages that a connection has cached.
private func cachedBytes(_ connection: Connection) -> Int32 {
  var (bytes, highest): (Int32, Int32) = (0, 0)
  sqlite3_db_status(connection.raw, SQLITE_DBSTATUS_CACHE_USED, &bytes, &highest, 0)
  return bytes
}

@Suite struct `Memory of an idle store` {
  @Test func `When memory is freed, the reader that was used last stays open, without pages`() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.subscribe()
    let store = temporary.store
    weak var first: Connection?
    weak var last: Connection?
    do {
      let readers = [try await store.takeReader(), try await store.takeReader()]
      for reader in readers {
        #expect(try reader.number("SELECT count(*) FROM feeds") == 1)
        store.release(reader)
      }
      (first, last) = (readers[0], readers[1])
    }
    let before = try #require(last.map(cachedBytes))
    #expect(first != nil)
    await store.freeMemory()
    #expect(first == nil)
    let after = try #require(last.map(cachedBytes))
    #expect(after < before)
    #expect(try await store.feeds().count == 1)
  }

  @Test func `When memory is freed, the writer keeps no pages`() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.subscribe()
    let store = temporary.store
    let before = try await store.maintain { cachedBytes($0) }
    await store.freeMemory()
    let after = try await store.maintain { cachedBytes($0) }
    #expect(after < before)
    _ = try await temporary.subscribe("http://example.org/other")
    #expect(try await store.feeds().count == 2)
  }

  @Test func `A media store is closed when it was not used for a while, and opened again when it is`()
    async throws
  {
    let temporary = try TemporaryStore()
    _ = try await temporary.store.feeds()
    let media = MediaFile(besides: temporary.path)
    func isClosed() throws -> Bool { try OpenFiles.examine(temporary.path + ".media") { true } == true }
    #expect(try await media.picture(id: 1) == nil)
    await media.closeUnlessUsed()
    #expect(try !isClosed())
    await media.closeUnlessUsed()
    #expect(try isClosed())
    #expect(try await media.picture(id: 1) == nil)
    #expect(try !isClosed())
  }
}
