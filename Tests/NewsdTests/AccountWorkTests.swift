import NewsCore
import NewsToolbox
import Synchronization
import Testing

@testable import DIContainer
@testable import NewsHTTP
@testable import newsd

@Suite(.timeLimit(.minutes(1))) struct `The work on many accounts` {
  /// Stamps of files that do not exist: another number of them is another stamp.
  private final class Files: Sendable {
    private let count = Mutex(1)
    func change() { count.withLock { $0 += 1 } }
    var stamp: FileStamp { FileStamp([String](repeating: "/nonexistent", count: count.withLock { $0 })) }
  }

  /// The results of waiting.
  private final class Turns: Sendable {
    private let results = Mutex<[Bool]>([])
    var all: [Bool] { results.withLock { $0 } }
    func add(_ goesOn: Bool) { results.withLock { $0.append(goesOn) } }
  }

  @Test
  func `A part of the work is woken up when its pause is over and the store was written, else after long`()
    async
  {
    let files = Files()
    let pulse = StorePulse { files.stamp }
    let start = ContinuousClock.now
    let turns = Turns()
    let part = Task {
      var seen = -1
      for _ in 1...4 {
        let goesOn = await pulse.wait(.seconds(5), atMost: .seconds(60), &seen)
        turns.add(goesOn)
      }
    }
    /// Beats until the part waits again, after it has had `count` turns.
    func beat(after seconds: Int, turns count: Int) async {
      while pulse.waitingCount == 0 { await Task.yield() }
      pulse.beat(at: start + .seconds(seconds))
      while turns.all.count < count { await Task.yield() }
      #expect(turns.all.count == count, "after \(seconds) s")
    }
    // The first look is due after the pause, whatever the store does.
    await beat(after: 1, turns: 0)
    await beat(after: 20, turns: 1)
    // Waiting times begin at the real time, which hardly passes.
    await beat(after: 40, turns: 1)
    files.change()
    await beat(after: 2, turns: 1)
    await beat(after: 40, turns: 2)
    await beat(after: 50, turns: 2)
    await beat(after: 90, turns: 3)
    while pulse.waitingCount == 0 { await Task.yield() }
    part.cancel()
    await part.value
    #expect(turns.all == [true, true, true, false])
    #expect(pulse.waitingCount == 0)
  }

  @Test func `A change of the clock wakes up all parts of the work at once`() async {
    let files = Files()
    let pulse = StorePulse { files.stamp }
    let start = ContinuousClock.now
    let turns = Turns()
    let part = Task {
      var seen = -1
      for _ in 1...3 {
        let goesOn = await pulse.wait(.seconds(5), atMost: .seconds(60), &seen)
        turns.add(goesOn)
      }
    }
    func beat(after seconds: Int, wall: Int64, turns count: Int) async {
      while pulse.waitingCount == 0 { await Task.yield() }
      pulse.beat(at: start + .seconds(seconds), wall: Timestamp(seconds: wall))
      while turns.all.count < count { await Task.yield() }
      #expect(turns.all.count == count, "after \(seconds) s")
    }
    await beat(after: 0, wall: 100_000, turns: 0)
    await beat(after: 2, wall: 100_030, turns: 0)
    await beat(after: 4, wall: 107_232, turns: 1)
    await beat(after: 5, wall: 107_233, turns: 1)
    await beat(after: 6, wall: 100_036, turns: 2)
    while pulse.waitingCount == 0 { await Task.yield() }
    part.cancel()
    await part.value
  }

  @Test func `A store whose files cannot be seen counts as written at each beat`() async {
    let pulse = StorePulse { nil }
    let start = ContinuousClock.now
    let part = Task {
      var seen = -1
      for _ in 1...3 { _ = await pulse.wait(.zero, atMost: .seconds(3600), &seen) }
    }
    for _ in 1...3 {
      while pulse.waitingCount == 0 { await Task.yield() }
      pulse.beat(at: start + .seconds(60))
    }
    await part.value
  }

  @Test func `The folder is read when it changes, while a file is unusable, and after a minute`() {
    let files = Files()
    let start = ContinuousClock.now
    var watch = FolderWatch(settled: 60)
    func mustRead(_ seconds: Int) -> Bool { watch.mustRead(files.stamp, at: start + .seconds(seconds)) }
    #expect(mustRead(0))
    #expect(mustRead(5))
    watch.isCertain = true
    #expect(!mustRead(10))
    files.change()
    #expect(mustRead(15))
    #expect(!mustRead(20))
    #expect(mustRead(75))
    watch.isCertain = false
    #expect(mustRead(80))
  }

  /// Credentials of a store that may fail.
  private final class Keeper: CredentialKeeping {
    let fails = Mutex(false)
    let isSlow = Mutex(false)
    let password: String

    init(_ password: String) { self.password = password }

    private func check() throws(StoreError) {
      if fails.withLock({ $0 }) { throw StoreError(code: .busy, message: "busy") }
    }

    func serverSecret() async throws(StoreError) -> [UInt8] { [1] }
    func appPasswords() async throws(StoreError) -> [StoredAppPassword] {
      while isSlow.withLock({ $0 }) { await Task.yield() }
      try check()
      let hash = SecureHash.sha256.digest(password.utf8)
      let app = AppPassword(id: 1, name: "phone", made: Timestamp(seconds: 0))
      return [StoredAppPassword(app: app, hash: hash, feverHash: [])]
    }
    func addAppPassword(named name: String, hash: [UInt8], feverHash: [UInt8], made: Timestamp)
      -> AppPassword?
    {
      nil
    }
    func removeAppPassword(named name: String) -> Bool { false }
    func noteUse(ofAppPassword id: Int64, at time: Timestamp) {}
    func loginPasswordHash() -> String? { nil }
    func setLoginPasswordHash(_ hash: String?) {}
    func setUpToken(orStore new: SetUpToken, now: Timestamp) -> SetUpToken? { nil }
    func currentSetUpToken(now: Timestamp) -> SetUpToken? { nil }
    func finishSetUp(token: String, hash: String, _ choices: SetUpChoices, now: Timestamp) -> Bool { false }
    func setUpChoices() -> SetUpChoices { SetUpChoices() }
    func keepConfiguredUser(_ name: String) {}
    func addSession(hash: [UInt8], agent: String, address: String, made: Timestamp) throws(StoreError)
      -> WebSession
    {
      throw StoreError(code: .other, message: "")
    }
    func sessions(seenAfter time: Timestamp) -> [WebSession] { [] }
    func session(hash: [UInt8], seenAfter time: Timestamp) -> WebSession? { nil }
    func noteSession(_ id: Int64, seen time: Timestamp, address: String) {}
    func removeSession(_ id: Int64) -> Bool { false }
    func signOnLink(to issuer: String) -> SignOnLink? { nil }
    func keep(_ link: SignOnLink, to issuer: String) -> SignOnLink { link }
    func removeForeignCredentials() {}
    func removeSignOnLinks() -> Int { 0 }
  }

  private struct NoHasher: PasswordHashing {
    func hash(_ password: String) -> String? { nil }
    func matches(_ password: String, hash: String) -> Bool { false }
  }

  private struct Clock: WallClock {
    func now() -> Timestamp { Timestamp(seconds: 0) }
  }

  private func bearer(_ password: String) -> WebSecrets {
    var request = HTTPRequest()
    request.fields.append("Authorization", "Bearer \(password)")
    return WebSecrets(inHead: request)
  }

  private func basic(_ user: String, _ password: String) -> WebSecrets {
    var request = HTTPRequest()
    request.fields.append("Authorization", "Basic " + Base64.encode(Array("\(user):\(password)".utf8)))
    return WebSecrets(inHead: request)
  }

  @Test func `A store that cannot be read keeps its known secrets, and makes unknown ones uncertain`() async {
    let index = SecretIndex()
    let limits = LoginLimits(hasher: NoHasher())
    let (anna, bob, carl) = (Keeper("one"), Keeper("one"), Keeper("three"))
    let logins = [("anna", anna), ("bob", bob), ("carl", carl)].map { name, keeper in
      (name: name, login: WebLogin(account: name, keeper: keeper, limits: limits, clock: Clock()))
    }
    carl.fails.withLock { $0 = true }
    #expect(await index.refresh(logins))
    #expect(index.isIncomplete)
    #expect(index.accounts(of: bearer("one")) == ["anna", "bob"])
    #expect(index.accounts(of: basic("bob", "one")) == ["bob"])
    #expect(index.accounts(of: basic("newsd", "one")) == ["anna", "bob"])
    #expect(index.accounts(of: bearer("three")) == [])
    carl.fails.withLock { $0 = false }
    await index.read("carl", logins[2].login)
    #expect(!index.isIncomplete)
    for keeper in [anna, bob, carl] { keeper.fails.withLock { $0 = true } }
    for (name, login) in logins { await index.read(name, login) }
    #expect(!index.isIncomplete)
    #expect(index.accounts(of: bearer("three")) == ["carl"])
    index.forget("anna")
    #expect(index.accounts(of: bearer("one")) == ["bob"])
  }

  @Test func `Few requests wait while the secrets of accounts are read, and further ones do not`() async {
    let index = SecretIndex()
    let keeper = Keeper("one")
    let limits = LoginLimits(hasher: NoHasher())
    let login = WebLogin(account: "anna", keeper: keeper, limits: limits, clock: Clock())
    keeper.isSlow.withLock { $0 = true }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 1...20 { group.addTask { await index.refresh([("anna", login)]) } }
      for _ in 1...12 { #expect(await group.next() == false) }
      keeper.isSlow.withLock { $0 = false }
      for _ in 1...8 { #expect(await group.next() == true) }
    }
    #expect(await index.refresh([("anna", login)]))
    #expect(index.accounts(of: bearer("one")) == ["anna"])
  }

  @Test func `An identity may be linked to an account that has failed, but not to a schema of nobody`() {
    let limits = LoginLimits(hasher: NoHasher())
    let stranger = WebLogin(account: "", keeper: Keeper("one"), limits: limits, clock: Clock())
    let desk = AccountDesk(stranger: stranger, shared: [], templates: [], waiting: []) { _, _ in
      (stranger, [])
    }
    #expect(!desk.isComplete)
    desk.expect(["zoe"])
    desk.fail("zoe")
    #expect(!desk.isComplete)
    desk.expect(["zoe"], foreign: ["zoe"])
    #expect(desk.isComplete)
    #expect(desk.closedNames == ["zoe"])
    desk.expect(["anna", "zoe"], foreign: ["zoe"])
    #expect(!desk.isComplete)
    desk.expect(nil)
    #expect(!desk.isComplete)
  }
}
