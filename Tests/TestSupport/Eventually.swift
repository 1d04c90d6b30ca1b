/// A condition that a test waited for did not come true.
public struct NeverTrue: Error, CustomStringConvertible {
  public let description: String
}

/// Waits until a condition is true. The limit only ends a test that would wait for ever: it is far more than a condition
/// takes on a busy machine.
public func eventually(
  within limit: Duration = .seconds(120),
  file: StaticString = #fileID,
  line: UInt = #line,
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  var pause = Duration.milliseconds(1)
  while try await !condition() {
    guard ContinuousClock.now < end else {
      throw NeverTrue(description: "the condition at \(file):\(line) was not true within \(limit)")
    }
    try await Task.sleep(for: pause)
    pause = min(pause * 2, .milliseconds(20))
  }
}

/// Waits until the task is cancelled, and throws then.
public func untilCancelled() async throws {
  while true { try await Task.sleep(for: .seconds(3600)) }
}
