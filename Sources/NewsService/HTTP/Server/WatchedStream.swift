/// An endless stream that ends when the credentials of its request are revoked.
actor WatchedStream: HTTPBodyStream {
  private let stream: any HTTPBodyStream
  private let period: Duration
  private let isAdmitted: @Sendable () async -> Bool
  private var checked = ContinuousClock.now

  nonisolated var isEndless: Bool { true }

  /// The stream's `next` must return within half a minute, for example with a comment. `isAdmitted` returns
  /// false after the credentials were revoked.
  init(
    _ stream: any HTTPBodyStream,
    every period: Duration,
    isAdmitted: @escaping @Sendable () async -> Bool
  ) {
    self.stream = stream
    self.period = period
    self.isAdmitted = isAdmitted
  }

  func next() async throws -> [UInt8]? {
    let piece = try await stream.next()
    // Check before the piece is sent: it may be the first for a long time.
    guard .now - checked >= period else { return piece }
    checked = .now
    return await isAdmitted() ? piece : nil
  }
}
