import NewsCore
import Synchronization
import TestServer
import Testing

@testable import NewsNetwork

@Suite(.timeLimit(.minutes(5)))
struct `An alarm` {
  /// Sleeps in a task of its own; what is returned becomes true when it wakes.
  private final class Sleep: Sendable {
    let isOver = Mutex(false)
    let task = Mutex<Task<Void, Never>?>(nil)

    init(_ alarm: Alarm, for duration: Duration) {
      let task = Task {
        await alarm.sleep(for: duration)
        isOver.withLock { $0 = true }
      }
      self.task.withLock { $0 = task }
    }

    func end() async { await task.withLock { $0 }?.value }
  }

  @Test func `Sleeps again after its timer went off, until it is rung`() async throws {
    let alarm = Alarm()
    for _ in 0..<3 {
      await alarm.sleep(for: .milliseconds(1))
      let sleep = Sleep(alarm, for: .seconds(3600))
      try await Task.sleep(for: .milliseconds(30))
      #expect(!sleep.isOver.withLock { $0 })
      alarm.ring()
      await sleep.end()
    }
  }

  @Test func `Rung while nobody sleeps, it keeps the next sleeper awake, once`() async throws {
    let alarm = Alarm()
    alarm.ring()
    alarm.ring()
    await alarm.sleep(for: .seconds(3600))
    let sleep = Sleep(alarm, for: .seconds(3600))
    try await Task.sleep(for: .milliseconds(30))
    #expect(!sleep.isOver.withLock { $0 })
    sleep.task.withLock { $0 }?.cancel()
    await sleep.end()
  }

  @Test func `Lets nobody sleep who is cancelled`() async {
    let alarm = Alarm()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      for _ in 0..<100 { await alarm.sleep(for: .seconds(3600)) }
    }
    task.cancel()
    await task.value
  }
}

@Suite(.timeLimit(.minutes(5)))
struct `A subscriber` {
  /// Stands still, and counts how often it is asked.
  private final class Clock: WallClock {
    let state = Mutex((now: Timestamp(seconds: 1_000_000), count: 0))
    func now() -> Timestamp {
      state.withLock { state in
        state.count += 1
        return state.now
      }
    }
  }

  @Test func `Rests after its first timer as before it`() async throws {
    try await withServer { hub in
      hub.on("/hub", .status(500))
      let clock = Clock()
      let subscriber = WebSubSubscriber(
        configuration: WebSubConfiguration(callback: "http://127.0.0.1/", listen: "127.0.0.1:0"),
        fetcher: .forTests(),
        clock: clock
      )
      let run = Task { try await subscriber.run { _ in } }
      let offer = HubOffer(topic: hub.url("/feed"), hub: hub.url("/hub"))
      subscriber.noticed(offer, of: Feed.ID(rawValue: 1), reach: .anywhere)
      while hub.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      try await Task.sleep(for: .milliseconds(100))
      // The refused hub is due in an hour: a second before that, the timer is set to its shortest.
      clock.state.withLock { $0.now = $0.now + 3599 }
      subscriber.feedsChanged()
      try await Task.sleep(for: .milliseconds(1500))
      clock.state.withLock { $0.count = 0 }
      try await Task.sleep(for: .milliseconds(500))
      #expect(clock.state.withLock { $0.count } < 20)
      run.cancel()
      try await run.value
    }
  }
}

@Suite struct `The hubs' inbox` {
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
  func `Has room for so many documents until they are read`(bytes: Int, fits: Int) async {
    let inbox = HubInbox()
    for _ in 0..<fits { #expect(inbox.take(document(bytes))) }
    #expect(!inbox.hasRoom)
    #expect(!inbox.take(document(1)))
    var held: [HubEvent] = []
    for await event in inbox.events {
      held.append(event)
      if held.count == fits { break }
    }
    // Taken out, but not read.
    #expect(!inbox.hasRoom)
    held.removeLast()
    #expect(inbox.hasRoom)
    #expect(inbox.take(document(1)))
  }
}
