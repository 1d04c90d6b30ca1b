import Glibc
import NewsPrograms
import NewsCore
import TestSupport
import Testing

@Suite struct `Running programs` {
  private let runner = ProgramRunner()

  @Test func `Long input and output are passed completely`() async {
    let text = Array(repeating: UInt8(ascii: "x"), count: 1 << 20) + [0x0A]
    let result = await runner.run(
      ProgramCall(words: ["cat"], input: text, outputBytes: 2 << 20, timeout: 30_000)
    )
    #expect(result.isSuccess)
    #expect(result.output == text)
  }

  @Test func `Arguments reach the program unchanged, without a shell`() async {
    let words = ["printf", "%s|", "a b", "$HOME", "`id`", "*", ";", "x\ny"]
    let result = await runner.run(ProgramCall(words: words, outputBytes: 1 << 10, timeout: 30_000))
    #expect(String(decoding: result.output, as: UTF8.self) == "a b|$HOME|`id`|*|;|x\ny|")
  }

  @Test(arguments: [
    (["sh", "-c", "exit 3"], ProgramResult.End.exited(status: 3)),
    (["sh", "-c", "kill -9 $$"], .signalled(SIGKILL)),
    (["true"], .exited(status: 0)),
  ])
  func `The result says how the program ended`(_ words: [String], _ end: ProgramResult.End) async {
    #expect(await runner.run(ProgramCall(words: words, timeout: 30_000)).end == end)
  }

  @Test func `A program gets the descriptors 0, 1 and 2 only`() async throws {
    // Not close-on-exec, like the socket pair with which libcurl wakes its loop.
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let call = ProgramCall(words: ["ls", "/proc/self/fd"], outputBytes: 1 << 10, timeout: 30_000)
    let output = String(decoding: await runner.run(call).output, as: UTF8.self)
    // Descriptor 3 is the folder that ls reads.
    #expect(output.split(separator: "\n") == ["0", "1", "2", "3"])
  }

  @Test func `A program does not inherit newsd's own variables or credentials`() async {
    let names = [
      "NOTIFY_SOCKET", "WATCHDOG_USEC", "LISTEN_FDS", "PGPASSWORD", "NEWSD_DB", "NEWSD_TEST_SECRET",
      "NEWSD_TEST_PLAIN",
    ]
    for name in names { setenv(name, name == "NEWSD_DB" ? "postgresql://u:secret@h/d" : "value", 1) }
    defer { for name in names { unsetenv(name) } }
    let runner = ProgramRunner { ["NEWSD_TEST_SECRET"] }
    let result = await runner.run(ProgramCall(words: ["env"], outputBytes: 1 << 20, timeout: 30_000))
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.filter { line in names.contains { line.hasPrefix($0 + "=") } } == ["NEWSD_TEST_PLAIN=value"]
    )
    #expect(lines.contains { $0.hasPrefix("PATH=") })
  }

  @Test(arguments: [
    ("/srv/n@x/newsd.db", false), ("postgresql://news@h/d", false), ("postgresql://news:secret@h/d", true),
    ("postgresql://h/d?user=news&password=secret", true),
  ])
  func `Programs inherit the store's address unless it contains a password`(
    _ address: String,
    _ isWithheld: Bool
  ) {
    #expect(ChildEnvironment.withholds("NEWSD_DB", address) == isWithheld)
  }

  @Test func `An error message shows the program's errors without control characters`() async {
    let text = "a\\033]0;x\\007\\302\\233b\\342\\200\\256c"
    let fetcher = ProgramFetcher(programs: runner, clock: FixedClock(), other: NoNetwork())
    var request = FetchRequest(url: "exec:sh -c 'printf \"\(text)\" >&2; exit 1'")
    request.settings.allowsLocalOrigin = true
    do {
      _ = try await fetcher.fetch(request)
      Issue.record("did not fail")
    } catch {
      #expect(error.message == "the program sh ended with status 1: a?]0;x??b?c")
    }
  }

  @Test func `A missing program is reported with the reason`() async {
    let result = await runner.run(ProgramCall(words: ["/nowhere/program"]))
    #expect(result.outcome == "could not be started: No such file or directory")
  }

  @Test func `A program that exceeds its timeout is ended with its children`() async throws {
    let call = ProgramCall(
      words: ["sh", "-c", "trap '' TERM; sleep 1000 & echo $!; wait; sleep 1000"],
      outputBytes: 1 << 10,
      timeout: 5000
    )
    let result = await runner.run(call)
    #expect(result.end == .timedOut)
    let child = Int32(String(decoding: result.output, as: UTF8.self).split(separator: "\n").first ?? "") ?? 0
    #expect(child > 0)
    // The child may remain a zombie if no process reaps orphans, but it has ended.
    try await eventually { Self.hasEnded(child) }
  }

  @Test func `A program that exceeds its output limit is ended`() async {
    let result = await runner.run(ProgramCall(words: ["yes"], outputBytes: 100_000, timeout: 60_000))
    #expect(result.end == .tooMuchOutput)
    #expect(result.output.count == 100_000)
  }

  @Test func `A program need not read its input`() async {
    let input = [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20)
    #expect(await runner.run(ProgramCall(words: ["true"], input: input, timeout: 30_000)).isSuccess)
  }

  @Test
  func `A cancelled program may end by itself within its grace period; without one it is ended at once`()
    async throws
  {
    let files = "/tmp/newsd-grace-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { for name in [".started", ".go"] { unlink(files + name) } }
    let waits = "touch \(files).started; until [ -e \(files).go ]; do sleep 0.01; done"
    let patient = ProgramCall(words: ["sh", "-c", waits], timeout: 600_000, grace: 300_000)
    let hasty = ProgramCall(words: ["sleep", "1000"], timeout: 600_000)
    let ends = try await withThrowingTaskGroup(of: (Int, ProgramResult.End).self) { group in
      for (index, call) in [patient, hasty].enumerated() {
        group.addTask { (index, await runner.run(call).end) }
      }
      try await eventually { access(files + ".started", F_OK) == 0 }
      group.cancelAll()
      // The hasty one ends by its cancellation; only then may the patient one end by itself.
      var ends = [try #require(try await group.next())]
      close(open(files + ".go", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
      while let end = try await group.next() { ends.append(end) }
      return ends
    }
    #expect(ends.map(\.0) == [1, 0])
    #expect(ends.map(\.1) == [.cancelled, .exited(status: 0)])
  }

  private static func hasEnded(_ pid: Int32) -> Bool {
    guard let status = fopen("/proc/\(pid)/stat", "r") else { return true }
    defer { fclose(status) }
    var line = [UInt8](repeating: 0, count: 512)
    let count = fread(&line, 1, line.count, status)
    return String(decoding: line[..<count], as: UTF8.self).contains(") Z")
  }
}

private struct FixedClock: WallClock {
  func now() -> Timestamp { Timestamp(seconds: 1_795_000_000) }
}

private struct NoNetwork: Fetching {
  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    throw FetchError(code: .refused, message: "the network was asked for \(request.url)")
  }
}

@Suite struct `Programs as feeds` {
  private let fetcher = ProgramFetcher(programs: ProgramRunner(), clock: FixedClock(), other: NoNetwork())

  private func typed(_ url: String) -> FetchRequest {
    var settings = FeedSettings()
    settings.allowsLocalOrigin = true
    return FetchRequest(url: url, settings: settings)
  }

  @Test func `A program's output is the document`() async throws {
    let response = try await fetcher.fetch(typed("exec:printf '%s %s' one 'two  three'"))
    #expect(response.status == 200)
    #expect(String(decoding: response.body, as: UTF8.self) == "one two  three")
  }

  @Test(arguments: [
    ("exec:echo", FeedSetting.userAgent), ("file:///etc/hostname", .userAgent),
    ("https://example.org/", .credential), ("https://example.org/", .clientCertificate),
    ("https://example.org/", .certificateAuthority),
  ])
  func `A store that another user can change runs no program and reads no file or secret`(
    _ url: String,
    _ setting: FeedSetting
  ) async throws {
    let fetcher = ProgramFetcher(
      programs: ProgramRunner(),
      clock: FixedClock(),
      other: NoNetwork(),
      foreignStore: { "the file /s.db belongs to uid 1234" }
    )
    var settings = FeedSettings()
    settings.allowsLocalOrigin = true
    switch setting {
    case .credential: settings.credential = "file:/etc/shadow"
    case .clientCertificate: settings.clientCertificate = "/root/key.pem"
    case .certificateAuthority: settings.certificateAuthority = "/root/key.pem"
    default: settings.userAgent = "x"
    }
    do {
      _ = try await fetcher.fetch(FetchRequest(url: url, settings: settings, reach: .localOrigin(of: url)))
      Issue.record("\(url) was read")
    } catch {
      #expect(error.code == .forbiddenAddress && error.message.contains("uid 1234"))
    }
  }

  @Test(arguments: [FetchRequest.Reach.publicOnly, .anywhere, .localOrigin(of: "exec:false")])
  func `Only a program that the user typed runs`(_ reach: FetchRequest.Reach) async {
    let file = "/tmp/newsd-exec-\(UInt64.random(in: 0 ... .max))"
    // `moved` is a typed feed whose redirect leads to a program.
    var moved = typed("exec:touch \(file)")
    moved.reach = reach
    moved.subscriptionURL = "https://example.org/feed"
    for request in [FetchRequest(url: "exec:touch \(file)", reach: reach), moved] {
      await #expect { try await fetcher.fetch(request) } throws: { error in
        (error as? FetchError)?.code == .forbiddenAddress
      }
    }
    #expect(access(file, F_OK) != 0)
  }

  @Test(arguments: [
    (
      "exec:sh -c 'echo oh >&2; exit 4'", FetchError.Code.badResponse,
      "the program sh ended with status 4: oh"
    ),
    (
      "exec:/nowhere/x", .fileNotFound,
      "the program /nowhere/x could not be started: No such file or directory"
    ),
    ("exec:'", .badURL, "exec:': a single quote is not closed"),
  ])
  func `The error for a failed program has its last line of errors, or why it could not start`(
    _ url: String,
    _ code: FetchError.Code,
    _ message: String
  ) async {
    await #expect(throws: FetchError(code: code, message: message)) { try await fetcher.fetch(typed(url)) }
  }

  @Test func `An https URL is passed to the network fetcher`() async {
    let passed = FetchError(code: .refused, message: "the network was asked for https://example.org/")
    await #expect(throws: passed) { try await fetcher.fetch(typed("https://example.org/")) }
  }
}
