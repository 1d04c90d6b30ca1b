@testable import NewsCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Icons shared by accounts` {
  private let icons = SharedIcons()
  private let question = SharedIcons.Question(
    named: nil,
    site: Array("http://a.example/".utf8),
    known: nil,
    limits: FetchLimits(),
    reach: .publicOnly
  )
  private let missing = SharedIcons.Answer(finding: .missing, isOwn: false)

  private func isMissing(_ finding: IconResult) -> Bool {
    if case .missing = finding { true } else { false }
  }

  @Test func `An answer takes as long as its look-up did`() async {
    let clock = ContinuousClock()
    for _ in 0..<2 {
      let start = clock.now
      let finding = await icons.finding(question) { [missing] in
        try? await Task.sleep(for: .milliseconds(300))
        return missing
      }
      #expect(isMissing(finding))
      #expect(clock.now - start >= .milliseconds(300))
    }
  }

  @Test func `What depends on one account is not the answer for another one`() async {
    let count = Counter()
    for _ in 0..<2 {
      let finding = await icons.finding(question) {
        count.add()
        return SharedIcons.Answer(finding: .unreachable, isOwn: true)
      }
      #expect(!isMissing(finding))
    }
    #expect(count.value == 2)
  }

  @Test func `If the account that asks is closed, another one that waits asks itself`() async {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let closed = Task { [icons, question, missing] in
      await icons.finding(question) {
        begin.yield()
        try? await Task.sleep(for: .seconds(60))
        return missing
      }
    }
    for await _ in begun { break }
    async let waiting = icons.finding(question) { [missing] in missing }
    closed.cancel()
    _ = await closed.value
    let finding = await waiting
    #expect(isMissing(finding))
  }

  @Test func `Large pictures make room for later ones`() async {
    let count = Counter()
    func look(_ number: Int) async {
      let other = SharedIcons.Question(
        named: Array("http://a.example/\(number)".utf8),
        site: nil,
        known: nil,
        limits: FetchLimits(),
        reach: .publicOnly
      )
      _ = await icons.finding(other) {
        count.add()
        let bytes = [UInt8](repeating: 0, count: IconLookup.pictureBytes)
        return SharedIcons.Answer(
          finding: .found(bytes, .png, Validators(url: "http://a.example/")),
          isOwn: false
        )
      }
    }
    for number in 0..<40 { await look(number) }
    await look(39)
    #expect(count.value == 40)
    await look(0)
    #expect(count.value == 41)
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}
