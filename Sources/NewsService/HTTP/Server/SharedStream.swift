import NewsToolbox

/// The body of an answer that belongs to a share. Its pieces are made in the turns of the share, and each takes one of its
/// places meanwhile, so that slow pieces delay other requests no more than slow answers do.
struct SharedStream: HTTPBodyStream {
  private let stream: any HTTPBodyStream
  private let share: WorkShare

  private static let pause = Duration.milliseconds(20)

  init(_ stream: any HTTPBodyStream, _ share: WorkShare) {
    self.stream = stream
    self.share = share
  }

  var isEndless: Bool { stream.isEndless }
  /// The work for a client ends when the client goes.
  var endsWithClient: Bool { true }

  func next() async throws -> [UInt8]? {
    // Streams of events mostly wait, and have limits of their own.
    guard !isEndless else { return try await piece() }
    while !share.enter() { try await Task.sleep(for: Self.pause) }
    defer { share.leave() }
    return try await piece()
  }

  private func piece() async throws -> [UInt8]? {
    try await share.run { try await stream.next() }
  }
}
