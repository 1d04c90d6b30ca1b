import NewsStoresShared
import NewsCore
import NewsSQLite
import SearchCases
import Testing

@Suite struct `Stores of an earlier newsd` {
  @Test func `A store made before hooks gets their tables when it is opened for writing`() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.subscribe()
    await temporary.store.close()
    for sql in ["DROP TABLE outbox", "DROP TABLE hooks", "DROP TABLE folder_settings"] {
      _ = try temporary.sql(sql)
    }
    let reopened = try temporary.reopened()
    #expect(try await reopened.hookStates().isEmpty)
    #expect(try await reopened.failedEntries().isEmpty)
    var hook = Hook(name: "a", target: .exec(["true"]))
    hook.query = ""
    try await reopened.register([hook], isComplete: true)
    #expect(try await reopened.hookStates().map(\.name) == ["a"])
    #expect(try await reopened.check().isEmpty)
  }

  @Test func `A store without the table of labels gets it with its first label`() async throws {
    let temporary = try TemporaryStore()
    try await temporary.refresh(temporary.subscribe(), [ParsedItem("1", title: "One")])
    await temporary.store.close()
    _ = try temporary.sql("DROP TABLE item_labels")
    let store = try temporary.reopened()
    let (id, labelled) = (NewsItem.ID(rawValue: 1), StreamRequest([.label("x")]))
    #expect(try await store.itemLabels().isEmpty)
    #expect(try await store.entries(labelled, limit: 9).isEmpty)
    #expect(try await store.streamItems([id]).map(\.labels) == [[]])
    try await store.edit([id], StreamEdit(removedLabels: ["x"]))
    try await store.edit([id], StreamEdit(addedLabels: ["x"]))
    #expect(try await store.entries(labelled, limit: 9).map(\.id) == [id])
    #expect(try await store.check().isEmpty)
  }
}
