/// What a running scheduler can be told.
enum PollCommand: Sendable {
  /// Polls everything now (SIGUSR1).
  case pollNow
  /// Takes over a new configuration (SIGHUP).
  case reload(FeedRefresh)
  /// A hub pushes.
  case hub(HubEvent)
  /// Asks for a sign of life.
  case answer(CheckedContinuation<Void, Never>)
}
