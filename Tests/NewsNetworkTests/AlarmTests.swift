import NewsCore
import Synchronization
import Testing

@testable import NewsNetwork

@Suite(.timeLimit(.minutes(5)))
struct `The alarm that wakes the WebSub subscriber` {
  /// A task that sleeps for an hour and records when it wakes.
  private final class Sleep: Sendable {
    let events = Mutex<[String]>([])
    private let alarm: Alarm
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ alarm: Alarm) {
      self.alarm = alarm
      let task = Task {
        await alarm.sleep(for: .seconds(3600))
        events.withLock { $0.append("awake") }
      }
      self.task.withLock { $0 = task }
    }

    /// Waits until the task sleeps or has skipped its sleep, then records the event that should wake it.
    func note(_ event: String) async {
      while !alarm.isAwaited, events.withLock({ $0.isEmpty }) { await Task.yield() }
      events.withLock { $0.append(event) }
    }

    func cancel() { task.withLock { $0 }?.cancel() }

    func end() async -> [String] {
      await task.withLock { $0 }?.value
      return events.withLock { $0 }
    }
  }

  @Test func `After a sleep ends by timeout, the next sleep lasts until the alarm rings`() async {
    let alarm = Alarm()
    for _ in 0..<3 {
      await alarm.sleep(for: .milliseconds(1))
      let sleep = Sleep(alarm)
      await sleep.note("rung")
      alarm.ring()
      #expect(await sleep.end() == ["rung", "awake"])
    }
  }

  @Test func `An alarm that rings twice before a sleep ends only that sleep`() async {
    let alarm = Alarm()
    alarm.ring()
    alarm.ring()
    await alarm.sleep(for: .seconds(3600))
    let sleep = Sleep(alarm)
    await sleep.note("cancelled")
    sleep.cancel()
    #expect(await sleep.end() == ["cancelled", "awake"])
  }

  @Test func `A cancelled task does not sleep`() async {
    let alarm = Alarm()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      for _ in 0..<100 { await alarm.sleep(for: .seconds(3600)) }
    }
    task.cancel()
    await task.value
  }
}

@Suite struct `Hub inbox` {
  private func document(_ bytes: Int) -> PushedDocument {
    PushedDocument(
      feedID: Feed.ID(rawValue: 1),
      topic: "http://a.example/",
      bytes: Array(repeating: 0, count: bytes),
      contentType: nil,
      received: Timestamp(seconds: 0)
    )
  }

  @Test(arguments: [(bytes: 1, fits: 256), (bytes: 8 << 20, fits: 4), (bytes: 20 << 20, fits: 2)])
  func `The inbox is full until its documents are released`(bytes: Int, fits: Int) async {
    let inbox = HubInbox()
    for _ in 0..<fits { #expect(inbox.take(document(bytes))) }
    #expect(!inbox.hasRoom)
    #expect(!inbox.take(document(1)))
    var held: [HubEvent] = []
    for await event in inbox.events {
      held.append(event)
      if held.count == fits { break }
    }
    // Received, but not released yet.
    #expect(!inbox.hasRoom)
    held.removeLast()
    #expect(inbox.hasRoom)
    #expect(inbox.take(document(1)))
  }
}
