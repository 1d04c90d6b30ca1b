import NewsCore
import SearchCases
import Testing

@Suite(.everyStore) struct `Stored credentials` {
  private func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + seconds) }

  @Test func `The server's secret is made once`() async throws {
    let file = try TemporaryStore()
    let secret = try await file.store.serverSecret()
    #expect(secret.count == 32)
    #expect(try await file.store.serverSecret() == secret)
  }

  @Test func `App passwords are kept by name, without regard to case`() async throws {
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    let app = try await store.addAppPassword(named: "Phone", hash: [1], feverHash: [2], made: time(0))
    #expect(app?.name == "Phone")
    #expect(try await store.addAppPassword(named: "phone", hash: [3], feverHash: [4], made: time(0)) == nil)
    try await store.noteUse(ofAppPassword: #require(app?.id), at: time(9))
    let kept = try await store.appPasswords()
    #expect(kept.map(\.hash) == [[1]])
    #expect(kept.map(\.feverHash) == [[2]])
    #expect(kept.first?.app.lastUsed == time(9))
    #expect(try await store.removeAppPassword(named: "PHONE"))
    #expect(try await !store.removeAppPassword(named: "PHONE"))
    #expect(try await store.appPasswords().isEmpty)
  }

  @Test func `Removing the login password ends all sessions`() async throws {
    let file = try TemporaryStore()
    let store = file.store
    defer { withExtendedLifetime(file) {} }
    #expect(try await store.loginPasswordHash() == nil)
    try await store.setLoginPasswordHash("$y$x")
    #expect(try await store.loginPasswordHash() == "$y$x")
    let session = try await store.addSession(hash: [7], agent: "Browser", address: "192.0.2.1", made: time(0))
    #expect(try await store.session(hash: [7], seenAfter: time(-1)) == session)
    #expect(try await store.session(hash: [8], seenAfter: time(-1)) == nil)
    #expect(try await store.session(hash: [7], seenAfter: time(0)) == nil)
    try await store.noteSession(session.id, seen: time(5), address: "192.0.2.2")
    #expect(try await store.sessions(seenAfter: time(0)).map(\.address) == ["192.0.2.2"])
    #expect(try await store.removeSession(session.id))
    _ = try await store.addSession(hash: [9], agent: "", address: "", made: time(0))
    try await store.setLoginPasswordHash(nil)
    #expect(try await store.sessions(seenAfter: time(-1)).isEmpty)
    #expect(try await store.loginPasswordHash() == nil)
  }
}
