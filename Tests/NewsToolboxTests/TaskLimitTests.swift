import NewsToolbox
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Waiting for a task` {
  @Test func `The result of a task that ends in time is returned`() async {
    #expect(await Task { 7 }.value(within: .seconds(60)) == 7)
  }

  @Test func `A task that takes longer goes on`() async {
    let task = Task { () -> Int in
      while !Task.isCancelled { await Task.yield() }
      return 7
    }
    #expect(await task.value(within: .milliseconds(1)) == nil)
    #expect(!task.isCancelled)
    task.cancel()
    #expect(await task.value == 7)
  }
}
