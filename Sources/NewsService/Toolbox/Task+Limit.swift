extension Task where Failure == Never {
  /// Waits for the result, but not longer than `limit`: returns nil then. The task goes on.
  package func value(within limit: Duration) async -> Success? {
    let (results, sink) = AsyncStream<Success?>.makeStream()
    _ = Task<Void, Never> { sink.yield(await value) }
    let timer = Task<Void, Never> {
      try? await Task<Never, Never>.sleep(for: limit)
      sink.yield(nil)
    }
    defer { timer.cancel() }
    var iterator = results.makeAsyncIterator()
    return await iterator.next() ?? nil
  }
}
