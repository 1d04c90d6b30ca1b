import NewsHTTP
import NewsToolbox

/// The body of an account's answer. Its pieces are made in the account's turns, and each takes one of the account's places
/// meanwhile, so that slow pieces delay the other accounts no more than slow answers do.
struct MemberStream: HTTPBodyStream {
  private let stream: any HTTPBodyStream
  private let turns: TaskTurns
  private let places: HandlerSlots

  private static let pause = Duration.milliseconds(20)

  init(_ stream: any HTTPBodyStream, _ turns: TaskTurns, _ places: HandlerSlots) {
    self.stream = stream
    self.turns = turns
    self.places = places
  }

  var isEndless: Bool { stream.isEndless }
  /// The work for a client ends when the client goes.
  var endsWithClient: Bool { true }

  func next() async throws -> [UInt8]? {
    // Streams of events mostly wait, and have limits of their own.
    guard !isEndless else { return try await piece() }
    while !places.enter() { try await Task.sleep(for: Self.pause) }
    defer { places.leave() }
    return try await piece()
  }

  private func piece() async throws -> [UInt8]? {
    try await withTaskExecutorPreference(turns) { try await stream.next() }
  }
}
