import Testing

@testable import NewsCore

@Suite struct `Spacing the starts of due feeds` {
  private let start = ContinuousClock.now
  private var line = Pacer()

  private static func feeds(_ range: ClosedRange<Int64>) -> [Feed.ID] { range.map { Feed.ID(rawValue: $0) } }

  /// The start times of all feeds, in milliseconds, if `take` is called at each `nextStart`.
  private mutating func run() -> [Int64] {
    var begun: [Int64] = []
    while let next = line.nextStart {
      while line.take(now: next) != nil { begun.append(start.duration(to: next).milliseconds) }
    }
    return begun
  }

  @Test mutating func `A few feeds start 50 ms apart, in order`() {
    line.append(Self.feeds(1...4), now: start)
    var order: [Int64] = []
    while let next = line.nextStart { while let id = line.take(now: next) { order.append(id.rawValue) } }
    #expect(order == [1, 2, 3, 4])
    line.append(Self.feeds(1...4), now: start)
    let begun = run()
    #expect(zip(begun, begun.dropFirst()).allSatisfy { $1 - $0 == 50 })
  }

  @Test mutating func `Two hundred feeds start within a second`() {
    line.append(Self.feeds(1...200), now: start)
    let begun = run()
    #expect(begun.count == 200)
    #expect((900...1000).contains(begun[199] - begun[0]))
  }

  @Test mutating func `The starts stay 50 ms apart while feeds are added, unless the backlog grows`() {
    line.append(Self.feeds(1...20), now: start)
    line.append(Self.feeds(21...40), now: start + .milliseconds(900))
    let begun = run()
    #expect(zip(begun, begun.dropFirst()).allSatisfy { $1 - $0 == 50 })
    for batch in 0..<10 { line.append(Self.feeds(1...30), now: start + .seconds(10 + batch)) }
    #expect(line.count == 300)
    let hurried = run()
    #expect(hurried[299] - hurried[0] <= 3000)
  }

  @Test mutating func `After a delay the next feeds do not burst`() {
    line.append(Self.feeds(1...10), now: start)
    let late = start + .seconds(5)
    var count = 0
    while line.take(now: late) != nil { count += 1 }
    #expect(count <= 2)
    #expect(line.removeAll().count == 10 - count)
    #expect(line.nextStart == nil)
  }
}
