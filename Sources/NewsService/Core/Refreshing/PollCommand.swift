/// A command to a running scheduler.
enum PollCommand: Sendable {
  /// Polls everything now (SIGUSR1).
  case pollNow
  /// Applies a new configuration (SIGHUP).
  case reload(FeedRefresh)
  /// Checks now whether the list of feeds has changed.
  case checkFeedList
  /// Passes on an event of a hub.
  case hub(HubEvent)
  /// Resumes the continuation, to show that the loop responds.
  case ping(CheckedContinuation<Void, Never>)
}
