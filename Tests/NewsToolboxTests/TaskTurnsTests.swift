import Glibc
import NewsToolbox
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Turns on shared threads` {
  /// Blocks threads until it is opened.
  private final class Gate: Sendable {
    private let waiting = Mutex<Int>(0)
    private let isOpen = Mutex(false)

    var count: Int { waiting.withLock { $0 } }

    func wait() {
      waiting.withLock { $0 += 1 }
      while !isOpen.withLock({ $0 }) { usleep(1000) }
    }

    func open() { isOpen.withLock { $0 = true } }
  }

  @Test func `A user whose tasks block has two of four threads, and the tasks of another run`() async {
    let threads = TaskThreads(4)
    let (greedy, other) = (TaskTurns(threads, most: 2), TaskTurns(threads, most: 2))
    let gate = Gate()
    let blocked = (1...10).map { _ in Task(executorPreference: greedy) { gate.wait() } }
    while gate.count < 2 { await Task.yield() }
    let sum = Mutex(0)
    for number in 1...100 {
      await withTaskExecutorPreference(other) {
        sum.withLock { $0 += number }
        await Task.yield()
      }
    }
    #expect(sum.withLock { $0 } == 5050)
    #expect(gate.count == 2)
    gate.open()
    for task in blocked { await task.value }
    #expect(gate.count == 10)
  }
}
